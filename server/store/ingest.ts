import type { Instant, WorkflowRun } from '../metrics/facts.ts';
import { accountDictionary } from './accounts.ts';
import type { Database, Queries } from './database.ts';
import { type ObservedColumn, observed, observedColumns } from './run-columns.ts';

const chunkSize = 2000;

export interface Ingested {
  inserted: number;
  changed: number;
}

/**
 * Takes observations of runs in, all or none. Late, repeated and reordered ones do no harm: what is stored depends
 * on the set of observations alone.
 */
export function runIngest(database: Database) {
  const accounts = accountDictionary(database);
  return async (
    repoId: number,
    runs: readonly WorkflowRun[],
    { syncedAt }: { syncedAt: Instant },
  ): Promise<Ingested> => {
    const keyOf = await accounts.keep(actorsOf(runs));
    const parts = [...chunks(runs)];
    const take = (queries: Queries) => takeParts(queries, repoId, parts, { syncedAt, keyOf });
    // One call is all or none by itself.
    return parts.length > 1 ? database.transaction(take) : take(database);
  };
}

async function takeParts(
  queries: Queries,
  repoId: number,
  parts: readonly (readonly WorkflowRun[])[],
  { syncedAt, keyOf }: { syncedAt: Instant; keyOf: AccountKey },
): Promise<Ingested> {
  const total: Ingested = { inserted: 0, changed: 0 };
  for (const part of parts) {
    const [done] = await queries.query<Ingested>(takeRuns, [
      part.map(() => repoId),
      syncedAt,
      ...arraysOf(part, keyOf),
    ]);
    total.inserted += done?.inserted ?? 0;
    total.changed += done?.changed ?? 0;
  }
  return total;
}

/** The accounts that runs name. */
export const actorsOf = (runs: readonly WorkflowRun[]) =>
  runs.flatMap(({ actor, triggeringActor }) => [actor, triggeringActor]);

/** What the database's functions for taking runs in are given: one array for each observed column, null without a run. */
export const arraysOf = (runs: readonly (WorkflowRun | null)[], keyOf: AccountKey): unknown[][] =>
  observedColumns.map((column) => runs.map((run) => run && values[column](run, keyOf)));

/** The types of those arrays, for the parameters from `first` on. */
export const arrayParameters = (first: number) =>
  observedColumns
    .map((column, index) => [observed[column] === 'timestamptz' ? 'float8' : observed[column], first + index])
    .map(([type, number]) => `$${number}::${type}[]`)
    .join(', ');

const takeRuns = `select inserted, changed from take_runs($1::int[], $2::float8, ${arrayParameters(3)})`;

function* chunks(runs: readonly WorkflowRun[]): Generator<WorkflowRun[]> {
  for (const round of rounds(runs, ({ id }) => id))
    for (let start = 0; start < round.length; start += chunkSize) yield round.slice(start, start + chunkSize);
}

/** One call may meet a row once only: the second observation of the same thing waits for the next round. */
export function rounds<T>(observed: readonly T[], idOf: (one: T) => number | string): T[][] {
  const all: T[][] = [];
  const seen = new Map<number | string, number>();
  for (const one of observed) {
    const round = seen.get(idOf(one)) ?? 0;
    seen.set(idOf(one), round + 1);
    all[round] ??= [];
    all[round].push(one);
  }
  return all;
}

type AccountKey = (actor: WorkflowRun['actor']) => string | null;

const values: Record<ObservedColumn, (run: WorkflowRun, keyOf: AccountKey) => unknown> = {
  id: (run) => run.id,
  run_attempt: (run) => run.attempt,
  workflow_id: (run) => run.workflowId,
  workflow_name: (run) => run.workflowName || null,
  run_number: (run) => run.runNumber,
  event: (run) => run.event,
  status: (run) => run.status,
  // A conclusion belongs to a run that has ended.
  conclusion: (run) => (run.status === 'completed' ? run.conclusion : null),
  head_branch: (run) => run.headBranch || null,
  head_sha: (run) => run.headSha,
  actor_id: (run, keyOf) => keyOf(run.actor),
  triggering_actor_id: (run, keyOf) => keyOf(run.triggeringActor),
  created_at: (run) => run.createdAt,
  run_started_at: (run) => run.startedAt,
  updated_at: (run) => run.updatedAt,
  // The usual address is made from the repository's, and so survives a renaming.
  html_url: (run) => (run.htmlUrl.endsWith(`/actions/runs/${run.id}`) ? null : run.htmlUrl),
};
