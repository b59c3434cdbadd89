import type { Instant, WorkflowRun } from '../metrics/kernel/facts.ts';
import { accountDictionary } from './accounts.ts';
import type { Database, Queries } from './database.ts';
import { intakeStatements } from './statements.ts';

const chunkSize = 2000;

export interface Ingested {
  inserted: number;
  changed: number;
}

/**
 * Stores observations of runs, all or none. Late, repeated and reordered ones do no harm: what is stored depends
 * on the set of observations alone.
 */
export function runIngest(database: Database) {
  const accounts = accountDictionary(database);
  return async (
    repoId: number,
    runs: readonly WorkflowRun[],
    { syncedAt }: { syncedAt: Instant },
  ): Promise<Ingested> => {
    const toAccountKey = await accounts.store(listActors(runs));
    const parts = [...chunks(runs)];
    const upsert = (queries: Queries) => upsertParts(queries, repoId, parts, { syncedAt, toAccountKey });
    // One call is all or none by itself.
    return parts.length > 1 ? database.transaction(upsert) : upsert(database);
  };
}

async function upsertParts(
  queries: Queries,
  repoId: number,
  parts: readonly (readonly WorkflowRun[])[],
  { syncedAt, toAccountKey }: { syncedAt: Instant; toAccountKey: AccountKey },
): Promise<Ingested> {
  const total: Ingested = { inserted: 0, changed: 0 };
  for (const part of parts) {
    const [done] = await queries.run<Ingested>(intakeStatements.upsert_runs, {
      repo_ids: part.map(() => repoId),
      seen_ms: syncedAt,
      ...toRunArrays(part, toAccountKey),
    });
    total.inserted += done?.inserted ?? 0;
    total.changed += done?.changed ?? 0;
  }
  return total;
}

/** The accounts that runs name. */
export const listActors = (runs: readonly WorkflowRun[]) =>
  runs.flatMap(({ actor, triggeringActor }) => [actor, triggeringActor]);

/** The parameters that describe runs to the functions of the database: one array per property, null without a run. */
export const toRunArrays = (runs: readonly (WorkflowRun | null)[], toAccountKey: AccountKey) => ({
  run_ids: runs.map((run) => run?.id),
  run_attempts: runs.map((run) => run?.attempt),
  workflow_ids: runs.map((run) => run?.workflowId),
  workflow_names: runs.map((run) => run && (run.workflowName || null)),
  run_numbers: runs.map((run) => run?.runNumber),
  run_events: runs.map((run) => run?.event),
  statuses: runs.map((run) => run?.status),
  // A conclusion belongs to a run that has ended.
  conclusions: runs.map((run) => (run?.status === 'completed' ? run.conclusion : null)),
  head_branches: runs.map((run) => run && (run.headBranch || null)),
  head_shas: runs.map((run) => run?.headSha),
  actor_ids: runs.map((run) => run && toAccountKey(run.actor)),
  triggering_actor_ids: runs.map((run) => run && toAccountKey(run.triggeringActor)),
  created_ms: runs.map((run) => run?.createdAt),
  started_ms: runs.map((run) => run?.startedAt),
  updated_ms: runs.map((run) => run?.updatedAt),
  // The usual address is made from the repository's, and so survives a renaming.
  html_urls: runs.map((run) => (run?.htmlUrl.endsWith(`/actions/runs/${run.id}`) ? null : (run?.htmlUrl ?? null))),
});

function* chunks(runs: readonly WorkflowRun[]): Generator<WorkflowRun[]> {
  for (const batch of distinctBatches(runs, ({ id }) => id))
    for (let start = 0; start < batch.length; start += chunkSize) yield batch.slice(start, start + chunkSize);
}

/** One call may meet a row once only: the second observation of the same thing waits for the next batch. */
export function distinctBatches<T>(observed: readonly T[], getId: (one: T) => number | string): T[][] {
  const all: T[][] = [];
  const seen = new Map<number | string, number>();
  for (const one of observed) {
    const batch = seen.get(getId(one)) ?? 0;
    seen.set(getId(one), batch + 1);
    all[batch] ??= [];
    all[batch].push(one);
  }
  return all;
}

type AccountKey = (actor: WorkflowRun['actor']) => string | null;
