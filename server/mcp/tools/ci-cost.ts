import { z } from 'zod';
import { billingMonth, identifier, org, owner, repo } from '../../api/parameters.ts';
import { invalidRequest } from '../../platform/problem.ts';
import { getCostAnalysis } from '../../reports/cost/operations.ts';
import { getWorkflowCost } from '../../reports/workflow-cost/operations.ts';
import type { Draft } from '../draft.ts';
import { paging } from '../input.ts';
import { measure, type Place } from '../measurement.ts';
import type { Reader } from '../reader.ts';
import { repositoryPage, sharedOf } from '../shared.ts';
import { tool } from '../tool.ts';
import { untrusted } from '../untrusted.ts';

/** The newest of a workflow. */
const runsRead = 30;

const usd = 'usd';
const unknownPrice = 'No part of it has a known price.';

const ofWorkflow: readonly Place[] = [
  {
    key: 'estimated_cost',
    label: 'Estimated cost of the runs that were read',
    unit: usd,
    better: 'lower',
    at: '/total/est_cost',
    n: '/est_cost_sample',
    missing: unknownPrice,
    isEstimated: true,
  },
  {
    key: 'median_run_cost',
    label: 'Estimated cost of a run, median',
    unit: usd,
    better: 'lower',
    at: '/median_run_cost',
    n: '/median_run_cost_sample',
    missing: unknownPrice,
    isEstimated: true,
  },
  {
    key: 'cost_per_pull_request',
    label: 'Estimated cost of a pull request, median',
    unit: usd,
    better: 'lower',
    at: '/cost_per_pull_request',
    n: '/cost_per_pull_request_sample',
    missing: unknownPrice,
    isEstimated: true,
  },
  {
    key: 'wasted_cost',
    label: 'Estimated cost of wasted attempts',
    unit: usd,
    better: 'lower',
    at: '/wasted_cost',
    n: '/wasted_cost_sample',
    missing: unknownPrice,
    isEstimated: true,
  },
  {
    key: 'wasted_minutes',
    label: 'Minutes of wasted attempts',
    unit: 'minutes',
    better: 'lower',
    at: '/wasted_minutes',
    n: '/wasted_cost_sample',
  },
];

const ofAccount: readonly Place[] = [
  { key: 'net_amount', label: 'Net amount', unit: usd, better: 'lower', at: '/total_net_amount' },
  { key: 'gross_amount', label: 'Gross amount', unit: usd, better: 'lower', at: '/total_gross_amount' },
  { key: 'billed_minutes', label: 'Minutes', unit: 'minutes', better: 'neither', at: '/total_minutes' },
];

const projected: Place = {
  key: 'projected_net_amount',
  label: 'Projected net amount of the month',
  unit: usd,
  better: 'lower',
  at: '/burn_rate/projected_net_amount',
  metric: null,
  missing: 'There is no projection for a month that has ended.',
  isEstimated: true,
};

const input = z.object({
  owner: owner.optional(),
  repo: repo.optional(),
  workflow_id: identifier.optional(),
  org: org.optional(),
  ...billingMonth,
  ...paging,
});

type Input = z.output<typeof input>;

export const ciCost = tool({
  name: 'ci_cost',
  title: 'Cost of CI',
  description:
    'Minutes and money. With owner, repo and workflow_id: estimated cost and waste of the newest runs of a workflow. With org: the bill of a month with its projection, by SKU and repository.',
  input,
  operations: [getWorkflowCost, getCostAnalysis],
  questions: (given) =>
    given.org === undefined
      ? [{ operation: getWorkflowCost, params: pick(given) }]
      : [{ operation: getCostAnalysis, params: { org: given.org } }],
  run: (given, reader) =>
    given.org === undefined ? costOfWorkflow(given, reader) : costOfAccount(given.org, given, reader),
});

const pick = ({ owner, repo, workflow_id }: Input) => ({ owner, repo, workflow_id });

async function costOfWorkflow(given: Input, reader: Reader): Promise<Draft> {
  const { owner, repo, workflow_id } = given;
  if (owner === undefined || repo === undefined || workflow_id === undefined) throw missing(given);
  const subject = { owner, repo, workflow_id };
  const part = await reader.read(getWorkflowCost, { ...subject, per_page: runsRead });
  const page = repositoryPage({ owner, repo }, `/workflows/${workflow_id}`);
  const { waste, pull_requests, runs } = part.answer;
  return {
    subject,
    parts: [part],
    measurements: ofWorkflow.map((place) =>
      measure(part, place, sharedOf(reader, { ...subject, per_page: runsRead }, page)),
    ),
    items: [
      ...waste.map(({ class: kind, ...rest }) => ({
        key: `waste ${kind}`,
        value: { kind: 'waste', class: kind, ...rest },
      })),
      ...pull_requests.map(({ number, head_branch, ...rest }, index) => ({
        key: `pull request ${index}`,
        value: { kind: 'pull_request', number, branch: untrusted(head_branch), ...rest },
      })),
      ...runs.map(({ run_id, conclusion, created_at, est_cost, minutes, unknown_jobs }) => ({
        key: `run ${run_id}`,
        value: { kind: 'run', run_id, conclusion, created_at, est_cost, minutes, unknown_jobs },
      })),
    ],
    page,
  };
}

function missing(given: Input) {
  const fields = (['owner', 'repo', 'workflow_id'] as const).filter((field) => given[field] === undefined);
  return invalidRequest(
    fields.map((field) => ({ field, reason: 'missing', message: `${field} is required unless org is given.` })),
  );
}

async function costOfAccount(org: string, { year, month }: Input, reader: Reader): Promise<Draft> {
  const params = { org, year, month };
  const part = await reader.read(getCostAnalysis, params);
  const page = `/cost?org=${org}`;
  const shared = sharedOf(reader, params, page);
  return {
    subject: { org },
    parts: [part],
    measurements: [...ofAccount, projected].map((place) => measure(part, place, shared)),
    items: [
      ...part.answer.skus.map(({ label: _label, ...rest }) => ({
        key: `sku ${rest.sku}`,
        value: { kind: 'sku', ...rest },
      })),
      ...(part.answer.by_repository ?? []).map((one) => ({
        key: `repository ${one.repo}`,
        value: { kind: 'repository', ...one },
      })),
    ],
    page,
  };
}
