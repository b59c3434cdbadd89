import type { Platform } from '../../codehost/changes/client.ts';
import type { FactSet } from '../../facts/facts.ts';
import { findBranchSwitch } from '../../metrics/delivery/branch-switch.ts';
import { isDelivered } from '../../metrics/delivery/delivered.ts';
import { type DeliveryEstimate, type DeliveryScope, deliveryEstimate } from '../../metrics/delivery/delivery.ts';
import type { PullRequest, Release } from '../../metrics/kernel/delivery-facts.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import type { Tier } from '../../metrics/kernel/tiers.ts';
import { dayMs, lastDaysWindow, type Window } from '../../metrics/kernel/window.ts';
import type { Calendar } from '../../metrics/people/workday-hours.ts';
import { throughputByWeek, type Week, weeksUpTo } from '../../metrics/pull-requests/cycle.ts';
import { type DeploymentSource, type Deployments, readDeployments } from '../deployments/facts.ts';
import { type CoverageReason, ifReadable } from '../kernel/coverage.ts';
import { knownUntil, type RepositoryFacts } from '../repositories/facts.ts';

/** How changes got through in the last 90 days. */
export interface Delivery {
  estimate: DeliveryEstimate;
  /** The worst known tier of the estimate. */
  overallLevel: Tier | null;
  /** 13, the last one running; `partial` where not all merges are known. */
  weeks: DeliveryWeek[];
  scope: DeliveryScope;
  /** Ended ones, also from before the window. */
  pullRequests: FactSet<PullRequest>;
  /** Those of `pullRequests` that were merged into the default branch in the window. */
  delivered: PullRequest[];
  releases: FactSet<Release>;
  /** null when the token may not read them, or they cannot be had now. */
  deployments: Deployments | null;
}

export type DeliveryWeek = Pick<Week, 'weekStart' | 'partial'> & { count: number };

export const deliveryDays = 90;
export const deliveryMaxAgeMs = 15 * 60_000;

/** What delivery reads of a repository; beside facts, what the platform itself says of environments and long lists. */
export interface DeliverySource extends Omit<RepositoryFacts, 'codehost'> {
  codehost: DeploymentSource['codehost'] & { pullRequests: Pick<Platform['pullRequests'], 'mergedCounts'> };
}

/** Delivery of a repository whose visibility was proved. Throws the problems of the platform. */
export async function readDelivery(facts: DeliverySource, calendar: Calendar): Promise<Delivery> {
  const request = { since: facts.now - readDays * dayMs, maxAgeMs: deliveryMaxAgeMs };
  const [ended, releases, deployments] = await Promise.all([
    facts.read('pull_requests', request),
    facts.read('releases', request),
    ifReadable(readDeployments(facts, calendar)),
  ]);
  const sets = [ended, releases, ...(deployments ? [deployments.set] : [])];
  const window = lastDaysWindow(deliveryDays, knownUntil(facts.now, sets));
  const switchedAt = findSwitch(ended, window, facts.repository.defaultBranch);
  const pullRequests = switchedAt === null ? ended : { ...ended, partial: true, capped: false, oldestAt: switchedAt };
  const scope: DeliveryScope = {
    window,
    people: facts.people,
    calendar,
    defaultBranch: facts.repository.defaultBranch,
    repositoryCreatedAt: facts.repository.createdAt,
    hasDeployments: deployments !== null && deployments.figures.source !== 'none',
    knownFrom: {
      releases: releases.capped ? releases.oldestAt : null,
      merges: pullRequests.oldestAt,
    },
    switchedAt,
  };
  const estimate = deliveryEstimate(pullRequests.items, releases.items, scope);
  return {
    estimate,
    overallLevel: estimate.overallLevel,
    weeks: await readWeeks(facts, pullRequests, scope),
    scope,
    pullRequests,
    delivered: pullRequests.items.filter((each) => isDelivered(each, scope) === true),
    releases,
    deployments,
  };
}

/** What was merged while another branch was the default is not known to have been delivered; null where nothing is known of then. */
function findSwitch(set: FactSet<PullRequest>, window: Window, defaultBranch: string | null): Instant | null {
  const switchedAt = findBranchSwitch(set.items, { window, defaultBranch });
  return switchedAt === null || lacksSince(set, switchedAt - 1) ? null : switchedAt;
}

/** Whether facts from this instant on are missing. What a cap left out is older than the oldest that is stored. */
export const lacksSince = (
  { partial, oldestAt }: Pick<FactSet<unknown>, 'partial' | 'oldestAt'>,
  from: Instant,
): boolean => partial && (oldestAt === null || oldestAt > from);

/** Why the figures of a delivery are partial; empty where they are complete. */
export function deliveryGaps({ pullRequests, releases, deployments, scope }: Delivery): CoverageReason[] {
  const { from } = scope.window;
  const isTruncated = lacksSince(pullRequests, from) || lacksSince(releases, from);
  return [
    ...(isTruncated ? [pullRequests.capped ? ('search_cap' as const) : ('upstream_truncated' as const)] : []),
    // Without them it is not known which changes were rolled back, nor whether any failed.
    ...(deployments?.partial === false ? [] : ['sub_fetch_failed' as const]),
  ];
}

/** One reading serves every view of a quarter, and 13 weeks with their running one reach back 91 days. */
const readDays = 92;

/** Counted from the facts when all were read, else by the platform itself. */
async function readWeeks(
  { codehost, repository }: DeliverySource,
  set: FactSet<PullRequest>,
  scope: DeliveryScope,
): Promise<DeliveryWeek[]> {
  const weeks = throughputByWeek(set.items, scope);
  const spans = weeksUpTo(scope.window.to, scope.calendar).map(({ from, to }) => ({ from, to: to + 1 }));
  const isComplete = spans.every(({ from }) => !lacksSince(set, from));
  if (isComplete || scope.defaultBranch === null) return weeks;
  // The platform counts by the same name of the branch.
  if (set.oldestAt !== null && !set.capped)
    return weeks.map((week, index) => ({ ...week, partial: week.partial || lacksSince(set, spans[index]?.from ?? 0) }));
  const exact = await ifReadable(codehost.pullRequests.mergedCounts(repository, scope.defaultBranch, spans));
  return weeks.map((week, index) => {
    const count = exact?.[index];
    return count === undefined ? { ...week, partial: true } : { ...week, count };
  });
}
