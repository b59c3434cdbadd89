import { countMetric, type Metric, metric } from '../kernel/metric.ts';
import { median } from '../kernel/statistics.ts';
import { byBot, isAmong } from './bots.ts';
import {
  inHours,
  isMergedByHumanAuthor,
  isMergedIn,
  type MergeRecord,
  type Scope,
  timeToMerge,
  withoutNulls,
} from './pull-requests.ts';

/** Pull requests merged in the window in all repositories of a scope, those of bots included unless they are out. */
export function scopeMerges(scope: Scope): Metric<MergeRecord> {
  return countMetric({
    key: 'scope_prs_merged',
    label: 'Merged pull requests',
    source: 'merged pull requests',
    definition: `Pull requests merged in all repositories of the scope, ${scope.bots === 'out' ? 'excluding' : 'including'} those of bots.`,
    counts: (pullRequest) => (isAmong(pullRequest, scope) ? isMergedIn(pullRequest, scope.window) : byBot),
  });
}

/** Median of creation to merge, in hours, over all repositories of a scope; pull requests of bots are excluded. */
export function scopeHoursToMerge(scope: Scope): Metric<MergeRecord> {
  return metric({
    key: 'scope_hours_to_merge',
    label: 'Time to merge',
    unit: 'hours',
    better: 'lower',
    source: 'merged pull requests of people',
    definition:
      'Median time from creation to merge in all repositories of the scope. Pull requests of bots are excluded.',
    counts: (pullRequest) => {
      const verdict = isMergedByHumanAuthor(pullRequest, scope);
      return verdict === true && timeToMerge(pullRequest) === null ? 'merged before it was created' : verdict;
    },
    value: (merged) => inHours(median(withoutNulls(merged.map(timeToMerge)))),
  });
}
