import type { Conclusion, Instant, RunStatus, WorkflowRun } from '../metrics/kernel/facts.ts';

/** A run as it is stored: the fact without its title, and what was derived from watching it. Durations in ms. */
export interface StoredRun extends WorkflowRun {
  completedAt: Instant | null;
  /** Started to completed; completed runs only. */
  durationMs: number | null;
  /** What the attempt waited for a runner by its jobs; null where these do not tell it. */
  jobWaitMs: number | null;
  /** The same, or else created to started; that of first attempts only. */
  queueWaitMs: number | null;
  syncedAt: Instant;
}

/** A row as every statement of runs.sql reads it. */
export interface RunRow {
  id: number;
  run_attempt: number;
  workflow_id: number;
  workflow_name: string | null;
  run_number: number;
  event: string;
  status: RunStatus;
  conclusion: Conclusion | null;
  head_branch: string | null;
  head_sha: string;
  duration_ms: number | null;
  job_wait_ms: number | null;
  queue_wait_ms: number | null;
  created_ms: number;
  started_ms: number | null;
  updated_ms: number;
  completed_ms: number | null;
  synced_ms: number;
  html_url: string;
  actor_login: string | null;
  actor_avatar: string;
  actor_bot: boolean;
  cause_login: string | null;
  cause_avatar: string;
  cause_bot: boolean;
}

export const toStoredRun = (row: RunRow): StoredRun => ({
  id: row.id,
  attempt: row.run_attempt,
  workflowId: row.workflow_id,
  workflowName: row.workflow_name,
  runNumber: row.run_number,
  displayTitle: null,
  event: row.event,
  status: row.status,
  conclusion: row.conclusion,
  headBranch: row.head_branch,
  headSha: row.head_sha,
  actor: account(row.actor_login, row.actor_avatar, row.actor_bot),
  triggeringActor: account(row.cause_login, row.cause_avatar, row.cause_bot),
  createdAt: Math.round(row.created_ms),
  startedAt: rounded(row.started_ms),
  updatedAt: Math.round(row.updated_ms),
  completedAt: rounded(row.completed_ms),
  durationMs: row.duration_ms,
  jobWaitMs: row.job_wait_ms,
  queueWaitMs: row.queue_wait_ms,
  htmlUrl: row.html_url,
  syncedAt: Math.round(row.synced_ms),
});

const account = (login: string | null, avatarUrl: string, isBot: boolean) =>
  login === null ? null : { login, avatarUrl, isBot };

const rounded = (value: number | null) => (value === null ? null : Math.round(value));
