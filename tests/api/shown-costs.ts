import type { Answer, Shown } from './shown-numbers.ts';

/** Headline numbers of an organization's bill, and of what the workflow of octo/web costs. */
export function shownCosts(repo: string, owner: string): [metric: string, Shown][] {
  return [
    ...['', '&year=2026&month=10'].flatMap((month) => [
      billed('net_amount', 'total_net_amount', owner, month),
      billed('gross_amount', 'total_gross_amount', owner, month),
      billed('billed_minutes', 'total_minutes', owner, month),
    ]),
    ...(repo === 'web' ? ofWorkflow(`owner=${owner}&repo=${repo}&workflow_id=7001`) : []),
  ];
}

const billed = (key: string, field: string, owner: string, month: string): [string, Shown] => [
  key,
  {
    query: `org=${owner}${month}`,
    path: `/api/codehost/billing/cost-analysis?org=${owner}${month}`,
    value: (answer) => answer[field],
  },
];

function ofWorkflow(query: string): [string, Shown][] {
  const path = `/api/codehost/workflow-cost?${query}`;
  const wastedAttempts = ({ waste }: Answer) => waste.reduce((sum: number, { attempts }: Answer) => sum + attempts, 0);
  return [
    [
      'estimated_cost',
      { query, path, value: ({ total }) => total.est_cost, sample: (answer) => answer.est_cost_sample },
    ],
    ['wasted_minutes', { query, path, value: (answer) => answer.wasted_minutes, sample: wastedAttempts }],
    ...['median_run_cost', 'cost_per_pull_request', 'wasted_cost'].map((key): [string, Shown] => [
      key,
      { query, path, value: (answer) => answer[key], sample: (answer) => answer[`${key}_sample`] },
    ]),
  ];
}
