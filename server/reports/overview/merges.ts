import type { Context } from '../../access/context.ts';
import { peopleIn } from '../../identity/people.ts';
import type { Window } from '../../metrics/kernel/window.ts';
import type { Bots } from '../../metrics/pull-requests/bots.ts';
import { scopeHoursToMerge, scopeMerges } from '../../metrics/pull-requests/merges.ts';
import type { Scope } from '../../metrics/pull-requests/pull-requests.ts';
import type { MergedOfRepositories } from '../../store/merged-pull-requests.ts';
import type { CiScope } from '../ci/reading.ts';
import { coverPullRequests } from '../ci/scope-coverage.ts';
import { findMissing, isComparable } from '../kernel/stored-coverage.ts';
import { activityOf } from './activity.ts';
import { listMergeDays } from './merge-days.ts';
import { judgeMerges } from './merge-verdicts.ts';

/**
 * What was merged in a scope, from stored facts. Merges are compared over the repositories that are known in both
 * windows, up to the end of each.
 */
export async function readMerges(
  scope: CiScope,
  { compared, bots }: { compared: Window | null; bots?: Bots | undefined },
  context: Context,
) {
  const activity = activityOf(scope, context);
  const { window } = scope;
  const instant = context.services.clock.now();
  const repoIds = [...scope.repositories.keys()];
  const [now, earlier, people] = await Promise.all([
    activity.listMerges(window),
    compared && activity.listMerges(compared),
    peopleIn(context.services),
  ]);
  const figures = measureMerges(now, { window, people, bots });
  const known = new Map([...now.stored].filter(([id]) => now.counted.includes(id)));
  const hasComparison = compared !== null && isComparable(known, [window, compared], instant);
  const before = hasComparison && earlier ? measureMerges(earlier, { window: compared, people, bots }) : null;
  const verdicts = judgeMerges(
    { pullRequests: now.pullRequests, window },
    before && compared && earlier ? { pullRequests: earlier.pullRequests, window: compared } : null,
    { people, bots, calendar: scope.calendar },
  );
  const through = Math.min(...[...now.stored.values()].map(({ to }) => to));
  const measured = {
    prsMerged: figures.merged,
    prsMergedBefore: before?.merged ?? null,
    prsMergedVerdict: verdicts.merged,
    medianHoursToMerge: figures.hours,
    medianHoursToMergeBefore: before?.hours ?? null,
    hoursToMergeVerdict: verdicts.hours,
    mergeSample: figures.sample,
    mergeSampleBefore: before?.sample ?? null,
    reposWithPullRequests: now.counted.length,
  };
  return {
    figures: measured,
    lists: { now, before: earlier },
    people,
    days: listMergeDays(now, scope, { people, bots, now: instant }),
    missing: findMissing('pull_requests', { stored: now.stored, repoIds, now: instant }, window),
    repositories: coverPullRequests(scope, { stored: now.stored, window, now: instant }),
    stored: now.stored,
    through: now.stored.size === 0 ? null : through,
  };
}

function measureMerges({ counted, pullRequests }: MergedOfRepositories, scope: Scope) {
  const hours = scopeHoursToMerge(scope)(pullRequests);
  return {
    merged: counted.length === 0 ? null : scopeMerges(scope)(pullRequests).value,
    hours: hours.value,
    sample: hours.sample,
  };
}
