import { createHmac, randomUUID } from 'node:crypto';
import type { Instant, LiveWorkflowRun, WorkflowJob } from '../../server/metrics/kernel/facts.ts';
import { moment, repository as wireRepository } from './wire.ts';
import { job as wireJob, run as wireRun } from './wire-runs.ts';
import type { DoubleRepository } from './world.ts';

/** With what the double's webhooks are signed. */
export const webhookSecret = 'known to platform and service';

const base = 'https://api.codehost.example';

/** What the platform says when a run changes its state. */
export const runEvent = (repository: DoubleRepository, run: LiveWorkflowRun) => ({
  action: run.status === 'queued' ? 'requested' : run.status,
  repository: wireRepository(base, repository, null),
  sender: { login: run.actor?.login ?? 'ghost', id: 1, email: 'somebody@codehost.example' },
  workflow_run: wireRun(base, repository, run),
});

/** The same of a job. */
export const jobEvent = (repository: DoubleRepository, run: LiveWorkflowRun, job: WorkflowJob) => ({
  action: job.status,
  repository: wireRepository(base, repository, null),
  workflow_job: wireJob(base, repository, run, job),
});

/** What the platform says when a pull request enters a merge queue or leaves one. */
export const queueEvent = (
  repository: DoubleRepository,
  number: number,
  event: { action: 'enqueued' } | { action: 'dequeued'; reason: string },
  updatedAt: Instant,
) => ({
  ...event,
  number,
  repository: wireRepository(base, repository, null),
  sender: { login: 'ann', id: 1, type: 'User' },
  pull_request: {
    number,
    updated_at: moment(updatedAt),
    base: { ref: 'main' },
    head: { sha: 'c'.repeat(40), ref: `change-${number}` },
  },
});

/** What the platform says when a pull request is merged, or closed without a merge. */
export const closedEvent = (repository: DoubleRepository, number: number, at: Instant, mergeSha: string | null) => ({
  action: 'closed',
  number,
  repository: wireRepository(base, repository, null),
  sender: { login: 'ann', id: 1, type: 'User' },
  pull_request: {
    number,
    closed_at: moment(at),
    merged_at: mergeSha === null ? null : moment(at),
    merge_commit_sha: mergeSha ?? 'd'.repeat(40),
  },
});

interface How {
  event?: string;
  /** The id of the delivery; one of its own when not said. */
  delivery?: string;
  secret?: string;
}

export const signatureOf = (body: string, secret = webhookSecret) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

/** A payload as the platform sends it: body and headers. */
export function delivered(payload: object, { event = 'workflow_run', delivery = randomUUID(), secret }: How = {}) {
  const body = JSON.stringify(payload);
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'x-github-event': event,
    'x-github-delivery': delivery,
    'x-hub-signature-256': signatureOf(body, secret),
  };
  return { body, headers };
}

const nothing = '0'.repeat(40);

/** What the platform says when somebody pushes a tag or branch: `null` where there is none before, or after. */
export const refEvent = (
  repository: DoubleRepository,
  { ref, before, after }: { ref: string; before: string | null; after: string | null },
) => ({
  ref,
  before: before ?? nothing,
  after: after ?? nothing,
  created: before === null,
  deleted: after === null,
  head_commit: after === null ? null : { id: after },
  repository: wireRepository(base, repository, null),
});

/** What it says of the release of a tag. */
export const releaseEvent = (repository: DoubleRepository, tag: string) => ({
  action: 'published',
  release: { id: 1, tag_name: tag },
  repository: wireRepository(base, repository, null),
});
