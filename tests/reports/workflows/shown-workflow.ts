import type { Answer, Shown } from '../../api/shown-numbers.ts';

const headlines = {
  'workflow-health': [
    'success_rate',
    'workflow_median_duration',
    'workflow_p90_duration',
    'average_duration',
    'p95_duration',
    'queue_wait',
    'p90_queue_wait',
    'average_queue_wait',
    'failure_streak',
  ],
  'workflow-reliability': [
    'ci_recovery',
    'flaky_rate',
    'flaky_cost',
    'rerun_rate',
    'delayed_runs',
    'wasted_queue',
    'failure_streak',
  ],
};

/** Headline numbers of a workflow, by the answers that show them. */
export function shownWorkflow(query: string): [metric: string, Shown][] {
  return [...measured(query), ...onPath(query, 'build'), ...summarized(query), inTips(query)];
}

function measured(query: string): [metric: string, Shown][] {
  return Object.entries(headlines).flatMap(([path, keys]) =>
    keys.map((key): [string, Shown] => {
      const of = ({ measurements }: Answer) => measurements.find((one: Answer) => one.key === key);
      return [
        key,
        {
          query,
          path: `/api/codehost/${path}?${query}`,
          value: (answer) => of(answer).value,
          sample: (answer) => of(answer).sample,
        },
      ];
    }),
  );
}

function onPath(query: string, job: string): [metric: string, Shown][] {
  const request = { query: `${query}&per_page=30&job=${job}`, path: `/api/codehost/job-stats?${query}&per_page=30` };
  const of = ({ critical_path: path }: Answer) => path.jobs.find(({ name }: Answer) => name === job);
  return [
    [
      'critical_path_share',
      { ...request, value: (answer) => of(answer).share_pct, sample: ({ critical_path: path }) => path.runs },
    ],
    [
      'critical_path_time',
      { ...request, value: (answer) => of(answer).median_ms, sample: (answer) => of(answer).runs_on_path },
    ],
  ];
}

/** What the list of workflows shows of one. */
function summarized(query: string): [metric: string, Shown][] {
  const path = `/api/codehost/repo-overview?${query.replace(/&workflow_id=.*/, '')}`;
  const of = (answer: Answer) => answer.find(({ id }: Answer) => query.endsWith(`workflow_id=${id}`)).summary;
  return [
    [
      'recent_success_rate',
      {
        query,
        path,
        value: (answer) => of(answer).success_rate,
        sample: (answer) => of(answer).success_rate_sample,
      },
    ],
    [
      'run_health',
      { query, path, value: (answer) => of(answer).health.score, sample: (answer) => of(answer).health.sample },
    ],
  ];
}

/** Shown where it is long alone, so that it is held against what its items make. */
const inTips = (query: string): [metric: string, Shown] => [
  'p95_queue_wait',
  { query, path: `/api/explain?metric=p95_queue_wait&${query}`, value: (answer) => answer.value },
];
