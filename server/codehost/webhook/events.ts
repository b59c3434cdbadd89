import { z } from 'zod';
import type { Instant, Repository, WorkflowJob, WorkflowRun } from '../../metrics/kernel/facts.ts';
import type { MergeQueueNotice } from '../../metrics/merge-queue/entries.ts';
import { fieldMessage } from '../../platform/fields.ts';
import { type FieldProblem, invalidRequest } from '../../platform/problem.ts';
import { actorReader } from '../accounts/people.ts';
import { withoutControlCharacters } from '../client/json-text.ts';
import { instant, integer } from '../client/wire.ts';
import { toReason } from '../pull-requests/merge-queue.ts';
import type { PullRequestState } from '../pull-requests/states.ts';
import { repositoryReader } from '../repositories/repositories.ts';
import { jobReader } from '../runs/jobs.ts';
import { runReader } from '../runs/wire.ts';
import { type RefAnnouncement, readRefEvent } from './ref-events.ts';

/** What an event of the platform contains, as far as this service stores it. */
export type WebhookEvent =
  | { kind: 'run'; action: string; repository: Repository; run: WorkflowRun; job: null }
  | { kind: 'job'; action: string; repository: Repository; run: null; job: WorkflowJob }
  | { kind: 'queue'; action: string; repository: Repository; notice: MergeQueueNotice }
  | { kind: 'closed'; action: string; repository: Repository; number: number; state: PullRequestState; at: Instant }
  | ({ kind: 'ref' } & RefAnnouncement)
  | { kind: 'ping' }
  | { kind: 'skipped' };

export type EventReader = (event: string, payload: object) => WebhookEvent;

/**
 * Reads webhook payloads as facts; events that bring none are skipped. `botLogins` count as bots beside the known ones.
 * The reader throws Problem `invalid_request`, which names the fields, for a run or job without what makes it one.
 */
export function eventReader(botLogins: readonly string[]): EventReader {
  const runEvent = z.object({ ...common, workflow_run: runReader(actorReader(botLogins)) });
  return (event, payload) => {
    if (event === 'workflow_run') {
      const { action, repository, workflow_run: run } = read(runEvent, payload);
      // Where a run is shown follows from its repository.
      const htmlUrl = run.htmlUrl || `${repository.htmlUrl}/actions/runs/${run.id}`;
      return { kind: 'run', action, repository, run: { ...run, htmlUrl }, job: null };
    }
    if (event === 'workflow_job') {
      const { action, repository, workflow_job: job } = read(jobEvent, payload);
      return { kind: 'job', action, repository, run: null, job };
    }
    if (event === 'pull_request' && queueKinds.has(actionOf(payload))) {
      const { action, repository, ...fields } = read(queueEvent, payload);
      return { kind: 'queue', action, repository, notice: toNotice(action, fields) };
    }
    if (event === 'pull_request' && actionOf(payload) === 'closed') {
      const { action, repository, pull_request: pullRequest } = read(closedEvent, payload);
      const { number, closed_at: at, merged_at: mergedAt, merge_commit_sha: mergeSha } = pullRequest;
      const isMerged = mergedAt !== null;
      const state = {
        state: isMerged ? 'merged' : 'closed',
        mergedAt,
        mergeCommit: isMerged ? mergeSha : null,
      } as const;
      return { kind: 'closed', action, repository, number, state, at };
    }
    const announced = readRefEvent(event, payload);
    if (announced) return { kind: 'ref', ...announced };
    return event === 'ping' ? { kind: 'ping' } : { kind: 'skipped' };
  };
}

const common = { action: z.string(), repository: repositoryReader };

const jobEvent = z.object({ ...common, workflow_job: jobReader });

const queueEvent = z.object({
  ...common,
  reason: z.string().nullish(),
  pull_request: z.object({
    number: integer,
    updated_at: instant,
    base: z.object({ ref: z.string() }),
    head: z.object({ sha: z.string() }),
  }),
  sender: z.object({ type: z.string().nullish() }).nullish(),
});

const closedEvent = z.object({
  ...common,
  pull_request: z.object({
    number: integer,
    closed_at: instant,
    merged_at: instant.nullable(),
    // Of one without a merge it is that of the last trial.
    merge_commit_sha: z.string().nullable(),
  }),
});

const queueKinds = new Map<unknown, MergeQueueNotice['kind']>([
  ['enqueued', 'added'],
  ['dequeued', 'removed'],
]);

const actionOf = (payload: object): unknown => ('action' in payload ? payload.action : null);

/** The event has no time of its own: it is what updated the pull request last. */
function toNotice(
  action: string,
  fields: Omit<z.output<typeof queueEvent>, 'action' | 'repository'>,
): MergeQueueNotice {
  const { pull_request: pullRequest, reason, sender } = fields;
  const kind = queueKinds.get(action) ?? 'removed';
  return {
    kind,
    number: pullRequest.number,
    at: pullRequest.updated_at,
    baseBranch: pullRequest.base.ref,
    headSha: pullRequest.head.sha,
    isByBot: kind === 'added' && sender?.type === 'Bot',
    reason: kind === 'removed' ? toReason(reason) : null,
  };
}

function read<Shape extends z.ZodObject>(shape: Shape, payload: object): z.output<Shape> {
  const result = shape.safeParse(payload, { error: fieldMessage });
  if (result.success) return withoutControlCharacters(result.data);
  throw invalidRequest(result.error.issues.map((issue) => fieldProblem(issue, payload)));
}

function fieldProblem({ path, message }: z.core.$ZodIssue, payload: unknown): FieldProblem {
  const field = path.join('.');
  const given = path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | null)?.[key], payload);
  if (given === undefined) return { field, reason: 'missing', message: `${field} is required.` };
  return { field, reason: 'invalid', message: `${field} ${message}.` };
}
