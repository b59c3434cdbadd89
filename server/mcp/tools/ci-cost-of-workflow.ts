import { getWorkflowCost } from '../../reports/workflow-cost/operations.ts';
import type { Draft } from '../draft.ts';
import { measure, type Place } from '../measurement.ts';
import type { Reader } from '../reader.ts';
import { repositoryPage, sharedOf } from '../shared.ts';
import { untrusted } from '../untrusted.ts';

/** The newest of a workflow. */
const runsRead = 30;

const unknownPrice = 'No part of it has a known price.';

const ofWorkflow: readonly Place[] = [
  {
    key: 'estimated_cost',
    label: 'Estimated cost of the runs that were read',
    unit: 'usd',
    better: 'lower',
    at: '/total/est_cost',
    n: '/est_cost_sample',
    missing: unknownPrice,
    isEstimated: true,
  },
  {
    key: 'median_run_cost',
    label: 'Estimated cost of a run, median',
    unit: 'usd',
    better: 'lower',
    at: '/median_run_cost',
    n: '/median_run_cost_sample',
    missing: unknownPrice,
    isEstimated: true,
  },
  {
    key: 'cost_per_pull_request',
    label: 'Estimated cost of a pull request, median',
    unit: 'usd',
    better: 'lower',
    at: '/cost_per_pull_request',
    n: '/cost_per_pull_request_sample',
    missing: unknownPrice,
    isEstimated: true,
  },
  {
    key: 'wasted_cost',
    label: 'Estimated cost of wasted attempts',
    unit: 'usd',
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
    missing: null,
  },
];

interface Subject {
  owner: string;
  repo: string;
  workflow_id: number;
}

/** What the newest runs of a workflow cost, and which of it was wasted. */
export async function costOfWorkflow(subject: Subject, reader: Reader): Promise<Draft> {
  const { owner, repo, workflow_id } = subject;
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
      ...pull_requests.map(({ number, head_branch, ...rest }) => ({
        key: `pull request ${number ?? head_branch}`,
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
