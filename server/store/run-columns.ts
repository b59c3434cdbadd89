import type { Conclusion, Instant, RunStatus, WorkflowRun } from '../metrics/facts.ts';

/** A run as it is kept: the fact without its title, and what was derived from watching it. Durations in ms. */
export interface StoredRun extends WorkflowRun {
  completedAt: Instant | null;
  /** Started to completed; completed runs only. */
  durationMs: number | null;
  /** Created to started; first attempts only. */
  queueWaitMs: number | null;
  syncedAt: Instant;
}

/** What an observation says, column by column, with the type in which it travels. */
export const observed = {
  id: 'bigint',
  run_attempt: 'int',
  workflow_id: 'bigint',
  workflow_name: 'text',
  run_number: 'int',
  event: 'text',
  status: 'text',
  conclusion: 'text',
  head_branch: 'text',
  head_sha: 'text',
  actor_id: 'bigint',
  triggering_actor_id: 'bigint',
  created_at: 'timestamptz',
  run_started_at: 'timestamptz',
  updated_at: 'timestamptz',
  html_url: 'text',
} as const;

export type ObservedColumn = keyof typeof observed;
export const observedColumns = Object.keys(observed) as ObservedColumn[];

const ms = (instant: string) => `date_part('epoch', ${instant}) * 1000`;

/** Reads runs `w` as facts; join `factJoins` behind it. */
export const factColumns = `
  w.id::float8, w.run_attempt, w.workflow_id::float8, w.workflow_name, w.run_number, w.event, w.status, w.conclusion,
  w.head_branch, w.head_sha, w.duration_ms::float8, w.queue_wait_ms::float8,
  ${ms('w.created_at')} as created_ms, ${ms('w.run_started_at')} as started_ms, ${ms('w.updated_at')} as updated_ms,
  ${ms('w.completed_at')} as completed_ms, ${ms('w.synced_at')} as synced_ms,
  coalesce(w.html_url, repository.html_url || '/actions/runs/' || w.id) as html_url,
  actor.login as actor_login, actor.avatar_url as actor_avatar, actor.is_bot as actor_bot,
  cause.login as cause_login, cause.avatar_url as cause_avatar, cause.is_bot as cause_bot`;

export const factJoins = `
  join repos repository on repository.id = w.repo_id
  left join accounts actor on actor.id = w.actor_id
  left join accounts cause on cause.id = w.triggering_actor_id`;

export interface FactRow {
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

export const toFact = (row: FactRow): StoredRun => ({
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
  queueWaitMs: row.queue_wait_ms,
  htmlUrl: row.html_url,
  syncedAt: Math.round(row.synced_ms),
});

const account = (login: string | null, avatarUrl: string, isBot: boolean) =>
  login === null ? null : { login, avatarUrl, isBot };

const rounded = (value: number | null) => (value === null ? null : Math.round(value));
