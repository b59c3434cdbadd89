import type { Answer, Shown } from '../../api/shown-numbers.ts';

/** Headline numbers of a repository's workflows, which are made of what is stored. */
export function shownCi(repo: string, owner: string): [metric: string, Shown][] {
  const of = (metric: string, field: string, sample?: string): [string, Shown] => [
    metric,
    {
      query: `owner=${owner}&repo=${repo}&range=7`,
      path: `/api/db/workflows?repo=${owner}/${repo}&range=7`,
      value: ({ totals }) => totals[field],
      ...(sample && { sample: ({ totals }: Answer) => totals[sample] }),
    },
  ];
  return [
    of('median_duration', 'median_ms', 'duration_sample'),
    of('p90_duration', 'p90_ms', 'duration_sample'),
    of('failure_rate', 'failure_rate', 'failure_rate_sample'),
    of('cancelled_share', 'cancelled_share', 'cancelled_share_sample'),
    of('scope_queue_wait', 'queue_wait_ms', 'queue_wait_sample'),
    of('total_run_time', 'run_time_ms', 'run_time_sample'),
    of('scope_runs', 'runs', 'runs'),
    of('monthly_cost', 'cost_per_month'),
    of('wasted_monthly_cost', 'wasted_per_month'),
    [
      'cost_forecast',
      {
        query: `owner=${owner}&repo=${repo}&range=7`,
        path: `/api/db/cost?repo=${owner}/${repo}&range=7`,
        value: ({ forecast }) => forecast.expected,
        sample: ({ forecast }) => forecast.sample_days,
      },
    ],
  ];
}
