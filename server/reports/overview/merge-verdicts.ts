import type { Verdict } from '../../domain/verdict.ts';
import { compareCounts, compareMedians, judgeChange } from '../../metrics/kernel/comparison.ts';
import type { Window } from '../../metrics/kernel/window.ts';
import type { Calendar } from '../../metrics/people/workday-hours.ts';
import { scopeHoursToMerge, scopeMerges } from '../../metrics/pull-requests/merges.ts';
import { type MergeRecord, type Scope, timeToMerge, withoutNulls } from '../../metrics/pull-requests/pull-requests.ts';
import { countByDay, toPeriod } from '../comparison/periods.ts';

interface MergesOf {
  pullRequests: readonly MergeRecord[];
  window: Window;
}

/** Whether merges, and their time, differ from those of another window; without one there is nothing to say. */
export function judgeMerges(
  now: MergesOf,
  before: MergesOf | null,
  { calendar, ...about }: Omit<Scope, 'window'> & { calendar: Calendar },
): Record<'merged' | 'hours', Verdict> {
  if (before === null) return { merged: 'not_enough_data', hours: 'not_enough_data' };
  const listDays = ({ pullRequests, window }: MergesOf) => {
    const { counted } = scopeMerges({ ...about, window }).evidence(pullRequests);
    const instants = counted.map(({ mergedAt }) => mergedAt ?? window.from);
    return countByDay(instants, toPeriod(window), calendar);
  };
  const listTimes = ({ pullRequests, window }: MergesOf) =>
    withoutNulls(
      scopeHoursToMerge({ ...about, window })
        .evidence(pullRequests)
        .counted.map(timeToMerge),
    );
  return {
    merged: judgeChange(compareCounts(listDays(before), listDays(now)), 'count'),
    hours: judgeChange(compareMedians(listTimes(before), listTimes(now)), 'milliseconds'),
  };
}
