import { type Metric, metric, type Verdict } from '../kernel/metric.ts';
import { mean, quantile } from '../kernel/statistics.ts';
import { isWithin, minuteMs } from '../kernel/window.ts';
import type { GroupBuild, GroupRun } from './builds.ts';
import { mergedIn, outside, percentile, type QueueScope, quantileLabel, quantileName } from './figures.ts';
import type { QueueHistory, Stay } from './history.ts';

export const innocentRebuilds = (scope: QueueScope): Metric<Stay> =>
  metric({
    key: 'innocent_rebuilds',
    label: 'Rebuilds caused by others',
    unit: 'count',
    digits: 2,
    better: 'lower',
    source: 'pull requests merged by the queue',
    definition: 'How often the merge group of a pull request was built again before it was merged, on average.',
    minSample: 10,
    counts: builtIn(mergedIn(scope)),
    value: (stays) => mean(stays.map(({ builds }) => builds.length - 1)),
  });

export const checksTime = (scope: QueueScope, q: 0.5 | 0.9): Metric<Stay> =>
  metric({
    key: `checks_time_${percentile(q)}`,
    label: quantileLabel('Checks time', q),
    unit: 'minutes',
    better: 'lower',
    source: 'first builds of merge groups',
    definition: `${quantileName(q)} of the time from the creation of the first run for the merge group of a stay to the end of its last run.`,
    minSample: 5,
    counts: builtIn((stay) => {
      if (stay.outcome === 'open') return 'still in the queue';
      if (!isWithin(stay.leftAt, scope.window)) return outside;
      return minutesOfChecks(stay) !== null || stay.builds.length === 0 || 'its checks have not ended';
    }),
    value: (stays) =>
      quantile(
        stays.flatMap((stay) => minutesOfChecks(stay) ?? []),
        q,
      ),
  });

export function minutesOfChecks({ builds: [first] }: Stay): number | null {
  return !first || first.completedAt === null ? null : (first.completedAt - first.createdAt) / minuteMs;
}

/** Where runs of the merge group are needed. */
const builtIn =
  (counts: (stay: Stay) => Verdict) =>
  (stay: Stay): Verdict => {
    const verdict = counts(stay);
    return verdict === true && stay.builds.length === 0 ? 'no run for its merge group is stored' : verdict;
  };

/** An attempt of a run for a merge group, with what became of its group. */
export type CheckRun = GroupRun & { result: GroupBuild['result'] };

/** A group that passed and was built again in the same stay is void: what was before it in the queue has changed. */
export function listCheckRuns({ builds, stays }: QueueHistory): CheckRun[] {
  const rebuilt = new Set(stays.flatMap((stay) => stay.builds.slice(0, -1)));
  return builds.flatMap((build) => {
    const result = build.result === 'pass' && rebuilt.has(build) ? 'void' : build.result;
    return build.runs.map((run) => ({ ...run, result }));
  });
}

const minMerges = 5;

/** Minutes and merges are divided only where both are known of the whole window. */
function findGap({ window, history, runsFrom }: QueueScope): string | null {
  if (runsFrom === null || runsFrom > window.from) return 'not all runs since the start of the window are stored';
  const isUnread = history.merged.some(({ mergedAt, mergeQueue }) => mergeQueue === null && isWithin(mergedAt, window));
  return isUnread ? 'of some merged pull requests it was not read whether they were in the queue' : null;
}

/** What minutes are divided by. */
export const countMerges = (scope: QueueScope): number =>
  scope.history.stays.filter((stay) => mergedIn(scope)(stay) === true).length;

/** `wasted`: of groups that failed, or were cancelled or built anew. */
export const ciMinutesPerMerge = (scope: QueueScope, part: 'all' | 'wasted'): Metric<CheckRun> => {
  const gap = findGap(scope);
  const merges = countMerges(scope);
  return metric({
    key: part === 'all' ? 'queue_ci_minutes_per_merge' : 'queue_wasted_minutes_per_merge',
    label: part === 'all' ? 'CI minutes per merged PR' : 'Wasted in queue, per merged PR',
    unit: 'minutes',
    better: 'lower',
    source: part === 'all' ? 'attempts of runs of merge groups' : 'attempts of runs of groups that were not merged',
    definition:
      'Minutes from start to end of the attempts of runs for merge groups that ended in the window, divided by the pull requests that the queue merged in it; none with fewer than 5 of these, and none unless all runs and merges of the window are known.',
    needsAll: true,
    counts: ({ completedAt, result }) => {
      if (completedAt === null) return 'still running';
      if (!isWithin(completedAt, scope.window)) return 'ended outside the window';
      if (gap !== null) return { unknown: gap };
      return part === 'all' || result === 'fail' || result === 'void' || 'its group passed';
    },
    ...(part === 'wasted' && merges >= minMerges && gap === null ? { valueWhenEmpty: 0 as const } : {}),
    value: (runs) => (merges < minMerges ? null : sumMinutes(runs) / merges),
  });
};

export const minutesOfRun = ({ startedAt, completedAt }: GroupRun): number =>
  startedAt === null || completedAt === null ? 0 : Math.max(0, completedAt - startedAt) / minuteMs;

const sumMinutes = (runs: readonly GroupRun[]) => runs.reduce((sum, run) => sum + minutesOfRun(run), 0);
