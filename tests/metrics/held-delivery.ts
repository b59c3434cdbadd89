import {
  corroboratedFailureRate,
  findAftermath,
  reworkRate,
} from '../../server/metrics/delivery/corroborated-failures.ts';
import {
  changeFailureEstimate,
  leadTime,
  mergeFrequency,
  releaseFrequency,
  restoreEstimate,
} from '../../server/metrics/delivery/delivery.ts';
import {
  createdDeployments,
  deploymentFailureRate,
  deploymentsPerDay,
} from '../../server/metrics/delivery/deployments.ts';
import type { MergedChanges } from '../../server/metrics/delivery/merged-changes.ts';
import { findOutages, timeToRestore } from '../../server/metrics/delivery/restores.ts';
import {
  scopeDeployments,
  scopeDeploysPerDay,
  scopeFailureRate,
  scopeTimeToRestore,
} from '../../server/metrics/delivery/scope-deployments.ts';
import type { Deployment } from '../../server/metrics/kernel/delivery-facts.ts';
import { lastDaysWindow } from '../../server/metrics/kernel/window.ts';
import type { People } from '../../server/metrics/people/people.ts';
import { createCalendar } from '../../server/metrics/people/workday-hours.ts';
import { cyclePhases, phaseTime } from '../../server/metrics/pull-requests/cycle.ts';
import { scopeHoursToMerge, scopeMerges } from '../../server/metrics/pull-requests/merges.ts';
import {
  abandonRate,
  approvalToMerge,
  firstPassApproval,
  medianHoursToMerge,
  mergedPullRequests,
  openedPullRequests,
  reviewedShare,
  timeToFirstReview,
} from '../../server/metrics/pull-requests/pull-requests.ts';
import { scopeAwaitingReview, scopeOpen } from '../../server/metrics/pull-requests/scope-open.ts';
import { selfMergedShare } from '../../server/metrics/pull-requests/self-merges.ts';
import type { DeliveryWorld } from './delivery-worlds.ts';
import { type HeldMetrics, held } from './held-metrics.ts';
import { naiveMedianToMerge, naiveReviewedShare, naiveTotals } from './naive-contributors.ts';
import { naiveCycle, naiveDelivered, naiveDeployments, naiveEstimate } from './naive-delivery.ts';
import { naiveEnvironment } from './naive-deployments.ts';
import { naiveIsBot, naiveRound } from './naive-people.ts';
import { naiveBenchmarks, naiveOpenState } from './naive-reviews.ts';
import { day } from './worlds.ts';

/** The metrics of changes on their way into the default branch, and of their reviews. */
export function heldDelivery(world: DeliveryWorld, people: People): HeldMetrics {
  const { now, pullRequests, releases } = world;
  const window = lastDaysWindow(90, now);
  const scope = {
    people,
    window,
    calendar: createCalendar(world.timezone),
    defaultBranch: 'main',
    repositoryCreatedAt: null,
    hasDeployments: true,
  };
  const keys = naiveEstimate(world, null, true);
  const cycle = naiveCycle(world);
  const published = releases.filter(
    (one) => !one.isDraft && !one.isPrerelease && (one.publishedAt ?? 0) >= window.from,
  );
  const merged = pullRequests.filter(({ mergedAt }) => mergedAt !== null && mergedAt >= window.from);
  const totals = naiveTotals(world, merged);
  const benchmarks = naiveBenchmarks(world, window.from, now);
  const scopeOfPeople = { window, people };
  return {
    releaseFrequency: [held(releaseFrequency(scope), releases, naiveRound(published.length, 90, 2))],
    mergeFrequency: [
      held(mergeFrequency(scope), pullRequests, naiveRound(naiveDelivered(world, window.from, now).length, 90, 2)),
    ],
    leadTime: [
      held(leadTime(scope), pullRequests, keys.leadTime.medianMs),
      held(leadTime(scope, 0.95), pullRequests, keys.leadTime.p95Ms),
    ],
    changeFailureEstimate: [held(changeFailureEstimate(scope), pullRequests, keys.changeFailureRate.rate)],
    restoreEstimate: [held(restoreEstimate(scope), pullRequests, keys.mttr.medianMs)],
    phaseTime: cyclePhases.map((phase) => held(phaseTime(phase, scope), pullRequests, cycle[phase].medianMs)),
    mergedPullRequests: [held(mergedPullRequests(scopeOfPeople), pullRequests, merged.length)],
    openedPullRequests: [held(openedPullRequests(scopeOfPeople), pullRequests, pullRequests.length)],
    medianHoursToMerge: [held(medianHoursToMerge(scopeOfPeople), pullRequests, naiveMedianToMerge(merged))],
    scopeMerges: [held(scopeMerges(scopeOfPeople), pullRequests, merged.length)],
    scopeHoursToMerge: [held(scopeHoursToMerge(scopeOfPeople), pullRequests, naiveMedianToMerge(merged))],
    reviewedShare: [held(reviewedShare(scopeOfPeople), pullRequests, naiveReviewedShare(world, merged))],
    selfMergedShare: [
      held(
        selfMergedShare(scopeOfPeople),
        pullRequests,
        naiveRound(100 * totals.prsSelfMerged, merged.length - totals.botPrs.merged),
      ),
    ],
    firstPassApproval: [held(firstPassApproval(scopeOfPeople), pullRequests, benchmarks.firstPass)],
    timeToFirstReview: [
      held(timeToFirstReview(scopeOfPeople), pullRequests, benchmarks.first50),
      held(timeToFirstReview(scopeOfPeople, 0.9), pullRequests, benchmarks.first90),
    ],
    approvalToMerge: [
      held(approvalToMerge(scopeOfPeople), pullRequests, benchmarks.merge50),
      held(approvalToMerge(scopeOfPeople, 0.9), pullRequests, benchmarks.merge90),
    ],
    abandonRate: [held(abandonRate(scopeOfPeople), pullRequests, benchmarks.abandon)],
    ...heldOpen(world, people),
  };
}

function heldOpen(world: DeliveryWorld, people: People): HeldMetrics {
  const { now, openPullRequests: open } = world;
  const ofPeople = open.filter(({ author }) => !naiveIsBot(author));
  const states = ofPeople.map((each) => naiveOpenState(each, world).awaitingReview);
  const unknown = states.filter((state) => state === null).length;
  const awaiting = unknown > 0 ? null : states.filter(Boolean).length;
  return {
    scopeOpen: [held(scopeOpen({ people, now }), open, open.length)],
    scopeAwaitingReview: [held(scopeAwaitingReview({ people, now }), open, awaiting, unknown)],
  };
}

/** When commits were merged, of some worlds all of them, and reverts, some at the very instants at which a success shows or its day is over. */
function mergedChanges({ now, pullRequests }: DeliveryWorld, deployments: readonly Deployment[]): MergedChanges {
  const isKnown = (sha: string) => pullRequests.length % 3 > 0 || sha.length % 2 > 0 || sha.endsWith('2');
  const firstDeployed = new Map<string, number>();
  for (const { sha, createdAt } of deployments)
    firstDeployed.set(sha, Math.min(createdAt, firstDeployed.get(sha) ?? createdAt));
  const places = [...firstDeployed].map(([sha, at]) => [sha, at - (Number(sha.replace(/\D/g, '')) + 1) * 7] as const);
  return {
    // Of some worlds not all pull requests were read.
    knownFrom: pullRequests.length % 4 === 0 ? now - 12 * day : 0,
    mergedAt: new Map(places.filter(([sha]) => isKnown(sha))),
    reverts: [
      ...pullRequests.flatMap(({ number, isRevert, mergedAt }) =>
        isRevert && mergedAt && number % 4 > 0 ? [{ at: mergedAt, changeMergedAt: mergedAt - day }] : [],
      ),
      ...deployments.flatMap(({ id, sha, statuses }) => {
        const first = statuses?.[0];
        const changeMergedAt = id % 35 === 0 ? null : (new Map(places).get(sha) ?? null);
        return first && id % 5 === 0 ? [first.at, first.at + day].map((at) => ({ at, changeMergedAt })) : [];
      }),
    ],
  };
}

/** The metrics of deployments, in a busy and in a quiet environment, read whole and not. */
export function heldDeployments(world: DeliveryWorld): HeldMetrics {
  const { now } = world;
  const all = world.deployments.map(
    (each): Deployment => ({ ...each, ref: ['main', 'hotfix/lamp', null, 'topic'][each.id % 4] ?? null }),
  );
  const changes = mergedChanges(world, all);
  const aftermath = findAftermath(all, changes, false);
  const window = lastDaysWindow(30, now);
  const cases = ['staging', 'production'].map((environment) => {
    const coveredFrom = environment === 'staging' ? window.from : now - 20 * day;
    const expected = naiveEnvironment(all, changes, { environment, from: window.from, to: now, coveredFrom });
    return { scope: { window, environment, coveredFrom }, expected };
  });
  const rows = naiveDeployments(world, null).byEnvironment;
  const outages = ({ environment }: { environment: string }) =>
    findOutages(
      all.filter((each) => each.environment === environment),
      window,
    );
  const inScope = ({ environment }: { environment: string }, coveredMs = 30 * day) =>
    all
      .filter(({ createdAt }) => createdAt >= window.from)
      .map((deployment) => ({ deployment, production: environment, coveredMs }));
  return {
    createdDeployments: cases.map(({ scope }) =>
      held(createdDeployments(scope), all, rows.find((row) => row.environment === scope.environment)?.total ?? 0),
    ),
    deploymentsPerDay: cases.map(({ scope, expected }) => held(deploymentsPerDay(scope), all, expected.perDay)),
    deploymentFailureRate: cases.map(({ scope, expected }) =>
      held(deploymentFailureRate(scope), all, expected.failureRate),
    ),
    corroboratedFailureRate: cases.map(({ scope, expected }) =>
      held(corroboratedFailureRate(scope, aftermath), all, expected.corroborated, expected.undecided),
    ),
    reworkRate: cases.map(({ scope, expected }) =>
      held(reworkRate(scope, aftermath), all, expected.rework, expected.reworkUndecided),
    ),
    timeToRestore: rows.flatMap((row) => [
      held(timeToRestore(), outages(row), row.mttrHours),
      held(timeToRestore('median'), outages(row), row.mttrMedianHours),
    ]),
    scopeDeployments: rows.map((row) => held(scopeDeployments, inScope(row), row.total)),
    scopeDeploysPerDay: rows.flatMap((row) => [
      held(scopeDeploysPerDay, inScope(row), row.deploysPerDay),
      held(
        scopeDeploysPerDay,
        [...inScope(row), ...inScope(row, 15 * day)],
        row.deploysPerDay === null ? null : naiveRound(3 * row.success, 30, 2),
      ),
    ]),
    scopeFailureRate: rows.map((row) => held(scopeFailureRate, inScope(row), row.failureRatePct)),
    scopeTimeToRestore: rows.map((row) => held(scopeTimeToRestore, outages(row), row.mttrMedianHours)),
  };
}
