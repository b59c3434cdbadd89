import { z } from 'zod';
import type { Repository, WorkflowJob, WorkflowRun } from '../../metrics/kernel/facts.ts';
import { fieldMessage } from '../../platform/fields.ts';
import { type FieldProblem, invalidRequest } from '../../platform/problem.ts';
import { actorReader } from '../accounts/people.ts';
import { withoutControlCharacters } from '../client/json-text.ts';
import { repositoryReader } from '../repositories/repositories.ts';
import { jobReader } from '../runs/jobs.ts';
import { runReader } from '../runs/wire.ts';

/** What an event of the platform contains, as far as this service stores it. */
export type WebhookEvent =
  | { kind: 'run'; action: string; repository: Repository; run: WorkflowRun; job: null }
  | { kind: 'job'; action: string; repository: Repository; run: null; job: WorkflowJob }
  | { kind: 'ping' | 'skipped' };

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
    return { kind: event === 'ping' ? 'ping' : 'skipped' };
  };
}

const common = { action: z.string(), repository: repositoryReader };

const jobEvent = z.object({ ...common, workflow_job: jobReader });

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
