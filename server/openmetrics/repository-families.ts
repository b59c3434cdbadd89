// What is measured of repositories: each value is that of the operation named beside it, converted to base units.
import { type MetricFamily, type MetricUnit, metricFamily } from '../platform/metric-family.ts';

const gauge = <const Label extends string = never>(
  name: string,
  unit: MetricUnit,
  help: string,
  labels: readonly Label[] = [],
): MetricFamily<'owner' | 'repo' | Label> =>
  metricFamily({ name: `das_repository_${name}`, type: 'gauge', unit, help, labels: ['owner', 'repo', ...labels] });

/** `window` is `90d` for what `repo-dora` answers, `30d` for deployments and for runs of `GET /api/db/workflows`. */
export const repositoryFamilies = {
  deployments: gauge(
    'deployments',
    '',
    'Releases, merges or successful deployments to production, by what was counted.',
    ['window', 'source'],
  ),
  leadTime: gauge('lead_time_seconds', 'seconds', 'From the first commit of a pull request to its merge.', [
    'window',
    'quantile_of',
  ]),
  changeFailure: gauge(
    'change_failure_ratio',
    'ratio',
    'Share of merged pull requests that are reverts or hotfixes (`source="pull_requests"`), or of finished deployments to production that failed (`source="deployments"`).',
    ['window', 'source'],
  ),
  restoreTime: gauge('restore_time_seconds', 'seconds', 'Time to merge a revert or hotfix.', ['window', 'quantile_of']),
  merged: gauge('pull_requests_merged', '', 'Merged pull requests.', ['window']),
  firstReview: gauge('first_review_time_seconds', 'seconds', 'Time from opening to the first review (pickup).', [
    'window',
    'quantile_of',
  ]),
  runs: gauge('workflow_runs', '', 'Completed workflow runs by what became of them.', ['window', 'conclusion_class']),
  success: gauge('workflow_success_ratio', 'ratio', 'Share of the runs that passed or failed which passed.', [
    'window',
  ]),
  duration: gauge('workflow_duration_seconds', 'seconds', 'Duration of runs that passed or failed.', [
    'window',
    'quantile_of',
  ]),
  queue: gauge('workflow_queue_seconds', 'seconds', 'Wait of runs for a runner.', ['window', 'quantile_of']),
  cost: gauge('ci_cost_usd', 'usd', 'What runs cost at list prices, of those whose jobs are stored.', [
    'window',
    'basis',
  ]),
  coverage: gauge(
    'coverage_ratio',
    'ratio',
    'Part of the window that is stored: of 90 days pull requests, absent where unknown; of 30 days runs.',
    ['window'],
  ),
  /** The value is made at the scrape, of the instant that is stored. */
  age: gauge('data_age_seconds', 'seconds', 'Time since the runs were last known.'),
  /** Made at the scrape, of what stands behind the others. */
  samples: gauge('samples', '', 'How many items stand behind a value; `of`: its family without the prefix.', [
    'window',
    'of',
  ]),
} as const;

const workflow = <const Label extends string>(name: string, unit: MetricUnit, help: string, labels: readonly Label[]) =>
  metricFamily({
    name: `das_workflow_${name}`,
    type: 'gauge',
    unit,
    help,
    labels: ['owner', 'repo', 'workflow_id', ...labels],
  });

/** Only with `METRICS_WORKFLOWS`. The id and no name: names are strangers' text. */
export const workflowFamilies = {
  success: workflow('success_ratio', 'ratio', 'The same of one workflow.', ['window']),
  duration: workflow('duration_seconds', 'seconds', 'Duration of the runs of one workflow that passed or failed.', [
    'window',
    'quantile_of',
  ]),
} as const;

export const seriesDropped = metricFamily({
  name: 'das_exposition_series_dropped',
  type: 'gauge',
  unit: '',
  help: 'Series excluded because there are more than `METRICS_MAX_SERIES`.',
  labels: ['family'],
});

export const deliveryFamilies: readonly MetricFamily<string>[] = [
  ...Object.values(repositoryFamilies),
  ...Object.values(workflowFamilies),
  seriesDropped,
];
