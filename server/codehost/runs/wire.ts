import { z } from 'zod';
import { type Actor, type LiveWorkflowRun, type RunStatus, runStatuses } from '../../metrics/kernel/facts.ts';
import { type Account, maybeAccount } from '../accounts/people.ts';
import { readableOnly } from '../client/readable-items.ts';
import {
  attemptNumber,
  conclusion,
  instant,
  integer,
  maybeInstant,
  maybeText,
  platformId,
  shownAddress,
  shownText,
} from '../client/wire.ts';

export type ActorOf = (account: Account | null | undefined) => Actor | null;

/** Schema that converts a run of the REST answers into a fact. Addresses of people are left behind here. */
export const runReader = (toActor: ActorOf) => wireRun.transform((wire) => toRun(wire, toActor));

const wireRun = z.object({
  id: platformId,
  run_attempt: attemptNumber.nullish(),
  workflow_id: platformId,
  path: maybeText,
  name: maybeText,
  run_number: integer,
  display_title: shownText,
  event: z.string(),
  status: maybeText,
  conclusion,
  head_branch: maybeText,
  head_sha: z.string(),
  actor: maybeAccount,
  triggering_actor: maybeAccount,
  created_at: instant,
  run_started_at: maybeInstant,
  updated_at: instant,
  html_url: shownText,
  jobs_url: shownText,
  check_suite_node_id: shownText,
  head_commit: z
    .object({ message: z.string(), author: z.object({ name: maybeText }).nullish() })
    .nullish()
    .catch(null),
  pull_requests: readableOnly(
    z.object({ number: integer, url: shownAddress, head: z.object({ sha: z.string() }) }),
  ).nullish(),
});

function toRun(wire: z.output<typeof wireRun>, toActor: ActorOf): LiveWorkflowRun {
  const status = toRunStatus(wire.status, wire.conclusion !== null);
  return {
    id: wire.id,
    attempt: wire.run_attempt ?? 1,
    workflowId: wire.workflow_id,
    // The platform may add the branch it was read from.
    workflowPath: wire.path?.split('@', 1)[0] ?? null,
    workflowName: wire.name,
    runNumber: wire.run_number,
    displayTitle: wire.display_title,
    event: wire.event,
    status,
    conclusion: wire.conclusion,
    headBranch: wire.head_branch,
    headSha: wire.head_sha,
    actor: toActor(wire.actor),
    triggeringActor: toActor(wire.triggering_actor),
    createdAt: wire.created_at,
    startedAt: wire.run_started_at,
    updatedAt: wire.updated_at,
    htmlUrl: wire.html_url ?? '',
    jobsUrl: wire.jobs_url ?? '',
    checkSuiteId: wire.check_suite_node_id,
    headCommit: wire.head_commit
      ? { message: firstLine(wire.head_commit.message), authorName: wire.head_commit.author?.name ?? null }
      : null,
    pullRequests: (wire.pull_requests ?? []).map(({ number, url, head }) => ({ number, url, headSha: head.sha })),
  };
}

/** A status this service does not know is one that has not ended, unless there is a conclusion. */
function toRunStatus(text: string | null, concluded: boolean): RunStatus {
  return runStatuses.find((status) => status === text) ?? (concluded ? 'completed' : 'pending');
}

const firstLine = (message: string) => message.split(/\r?\n/, 1)[0] ?? '';
