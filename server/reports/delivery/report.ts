import type { Context, Reply } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import { withTitles } from '../../facts/titles.ts';
import { computeLeadTime, leadTime, mergeFrequency, releaseFrequency } from '../../metrics/delivery/delivery.ts';
import { tallyValues } from '../../metrics/kernel/bootstrap.ts';
import { compareQuantiles, judgeChange } from '../../metrics/kernel/comparison.ts';
import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import { medianInterval, rateInterval } from '../../metrics/kernel/intervals.ts';
import { dayMs, isWithin, type Window } from '../../metrics/kernel/window.ts';
import { cycleBreakdown, scatterPoints, weeksUpTo } from '../../metrics/pull-requests/cycle.ts';
import { shownAuthor, withoutNulls } from '../../metrics/pull-requests/pull-requests.ts';
import { toSeed } from '../comparison/seed.ts';
import { teamCalendar } from '../kernel/calendar.ts';
import { toCoverage } from '../kernel/coverage.ts';
import { type RepositoryFacts, repositoryFacts } from '../repositories/facts.ts';
import { corroboration } from './aftermath.ts';
import { countFixes, countReleases, fixChange, mergeChange, releaseChange, restoreChange } from './changes.ts';
import { type Delivery, deliveryGaps, lacksSince, readDelivery } from './facts.ts';
import { frequencyLabel, rateLabel, roundedInterval, timeLabel } from './labels.ts';
import type { DeliveryReport } from './schema.ts';

type Answer = Domain<typeof DeliveryReport>;

/** The four keys estimated from pull requests and releases, and their evidence. */
export async function deliveryReport(input: RepositoryName, context: Context, reply: Reply): Promise<Answer> {
  const [facts, calendar] = await Promise.all([repositoryFacts(input, context, reply), teamCalendar(context)]);
  const delivery = await readDelivery(facts, calendar);
  const { pullRequests, releases, deployments, scope, weeks } = delivery;
  const sets = [pullRequests, releases, ...(deployments ? [deployments.set] : [])];
  const corroborated = corroboration(delivery);
  if (deliveryGaps(delivery).length > 0) reply.headers.set('X-Partial', 'true');
  return {
    ...fourKeys(delivery),
    overallLevel: delivery.overallLevel,
    cycleBreakdown: computeCycle(delivery),
    prScatter: await computeScatter(facts, delivery, context),
    leadTimeByWeek: weeklyLeadTimes(delivery),
    leadTimeChange: leadTimeChange(delivery, facts.repository),
    mergeChange: mergeChange(delivery),
    releaseChange: releaseChange(delivery),
    changeFailureRateChange: fixChange(delivery),
    mttrChange: restoreChange(delivery),
    throughputByWeek: weeks,
    releasesByWeek: countReleases(delivery),
    fixesByWeek: countFixes(delivery),
    last7Days: lastWeek(delivery),
    corroboratedFailures: corroborated?.failures ?? null,
    reworkRate: corroborated?.rework ?? null,
    basis: { ...delivery.estimate.basis, corroboratedFailures: corroborated?.rules ?? [] },
    ...counts(delivery),
    timezone: scope.calendar.timezone,
    windowDays: 90,
    generatedAt: Math.min(...sets.map(({ asOf }) => asOf)),
    dataSource: sets.every(({ source }) => source === 'live') ? 'live' : 'mixed',
  };
}

function fourKeys(delivery: Delivery) {
  const { estimate, pullRequests, scope } = delivery;
  const { changeFailureRate: failure, deploymentFrequency: frequency, leadTime: lead, mttr } = estimate;
  return {
    changeFailureRate: {
      ...failure,
      label: rateLabel(failure.rate),
      rateInterval: roundedInterval(failureInterval(delivery), 1),
    },
    deploymentFrequency: {
      ...frequency,
      label: frequencyLabel(frequency.perDay, frequency.total, frequency.periodDays),
    },
    leadTime: {
      ...lead,
      label: timeLabel(lead.medianMs),
      medianIntervalMs: roundedInterval(leadTimeInterval({ pullRequests, scope }), 0),
    },
    mttr: { ...mttr, label: timeLabel(mttr.medianMs) },
  };
}

/** null while it is unknown how many failed. */
export const failureInterval = ({ estimate: { changeFailureRate } }: Pick<Delivery, 'estimate'>) =>
  changeFailureRate.failures === null ? null : rateInterval(changeFailureRate.failures, changeFailureRate.total);

/** Between which of the lead times the median lies. */
export function leadTimeInterval({ pullRequests, scope }: Pick<Delivery, 'pullRequests' | 'scope'>) {
  const measure = leadTime(scope);
  const { counted } = measure.evidence(pullRequests.items);
  return medianInterval(counted.flatMap((each) => measure.reduce([each]) ?? []));
}

function leadTimeIn({ pullRequests, scope }: Delivery, window: Window) {
  const { value, sample } = leadTime({ ...scope, window })(pullRequests.items);
  return { medianMs: value, sample };
}

/** The same values as the comparison of periods has. */
function tallyLeadTimes({ pullRequests, scope }: Delivery, window: Window) {
  const { counted } = leadTime({ ...scope, window }).evidence(pullRequests.items);
  return tallyValues(withoutNulls(counted.map(computeLeadTime)).map((value) => [value, 1]));
}

const weeklyLeadTimes = (delivery: Delivery): Answer['leadTimeByWeek'] =>
  weeksUpTo(delivery.scope.window.to, delivery.scope.calendar).map(({ weekStart, from, to }) => ({
    weekStart,
    ...leadTimeIn(delivery, { from: Math.max(from, delivery.scope.window.from), to }),
  }));

/** Below five merges one of them decides too much. */
const minMerges = 5;

function leadTimeChange(delivery: Delivery, { owner, repo }: RepositoryName): Answer['leadTimeChange'] {
  const { to } = delivery.scope.window;
  const monthAgo = to - 30 * dayMs;
  const windows = { recent: { from: monthAgo, to }, before: { from: monthAgo - 30 * dayMs, to: monthAgo - 1 } };
  const [recent, before] = [leadTimeIn(delivery, windows.recent), leadTimeIn(delivery, windows.before)];
  if (lacksSince(delivery.pullRequests, windows.before.from) || Math.min(recent.sample, before.sample) < minMerges)
    return null;
  if (recent.medianMs === null || before.medianMs === null) return null;
  return {
    medianMs: recent.medianMs,
    sample: recent.sample,
    medianMsBefore: before.medianMs,
    sampleBefore: before.sample,
    verdict: judgeChange(
      compareQuantiles(
        tallyLeadTimes(delivery, windows.before),
        tallyLeadTimes(delivery, windows.recent),
        0.5,
        toSeed({ scope: `${owner}/${repo}`, metric: 'lead_time', periods: [30] }),
      ),
      'milliseconds',
    ),
  };
}

function computeCycle({ pullRequests, scope }: Delivery): Answer['cycleBreakdown'] {
  const { timeToOpen, pickup, review, merge, sample } = cycleBreakdown(pullRequests.items, scope);
  return {
    avgTimeToOpenMs: timeToOpen.avgMs,
    avgPickupMs: pickup.avgMs,
    avgReviewMs: review.avgMs,
    avgMergeMs: merge.avgMs,
    medianTimeToOpenMs: timeToOpen.medianMs,
    medianPickupMs: pickup.medianMs,
    medianReviewMs: review.medianMs,
    medianMergeMs: merge.medianMs,
    sampleSize: sample,
    samples: {
      timeToOpen: timeToOpen.sample,
      pickup: pickup.sample,
      review: review.sample,
      merge: merge.sample,
    },
  };
}

async function computeScatter(
  { codehost, repository }: RepositoryFacts,
  { pullRequests, scope }: Delivery,
  { services }: Context,
): Promise<Answer['prScatter']> {
  const shown = new Set(scatterPoints(pullRequests.items, scope).map(({ number }) => number));
  const newest = pullRequests.items.filter(({ number }) => shown.has(number));
  const titled = await withTitles({ codehost, factRepository: services.facts }, repository, newest);
  return scatterPoints(titled, scope).map((point) => ({
    ...point,
    author: shownAuthor(point),
    isBot: point.isAuthorUnread ? null : point.isBot,
  }));
}

function lastWeek({ pullRequests, scope }: Delivery): Answer['last7Days'] {
  const { to } = scope.window;
  const mergedIn = (from: number, until: number) =>
    mergeFrequency({ ...scope, window: { from, to: until } })(pullRequests.items).sample;
  const weekAgo = to - 7 * dayMs;
  const before = weekAgo - 7 * dayMs;
  if (lacksSince(pullRequests, before)) return null;
  return { merged: mergedIn(weekAgo, to), mergedBefore: mergedIn(before, weekAgo - 1) };
}

/** Pull requests that were closed or merged in the window, and those of them that were merged. */
export function countEnded({ pullRequests, scope }: Pick<Delivery, 'pullRequests' | 'scope'>) {
  const ended = pullRequests.items.filter(({ mergedAt, closedAt }) => isWithin(mergedAt ?? closedAt, scope.window));
  return { ended: ended.length, merged: ended.filter(({ mergedAt }) => mergedAt !== null).length };
}

function counts(delivery: Delivery) {
  const { pullRequests, delivered, releases, scope } = delivery;
  const isCut = lacksSince(pullRequests, scope.window.from);
  const { ended, merged } = countEnded({ pullRequests, scope });
  const reasons = deliveryGaps(delivery);
  const released = releaseFrequency(scope)(releases.items);
  return {
    fetchedPrs: ended,
    totalPrsAttempted: isCut ? null : merged,
    prsAnalysed: delivered.length,
    releasesAnalysed: released.value === null ? null : released.sample,
    partial: reasons.length > 0,
    coverage: toCoverage({
      read: ended,
      expected: isCut ? null : ended,
      cap: isCut && pullRequests.capped ? maxPullRequests : null,
      reasons,
    }),
  };
}

const maxPullRequests = 2000;
