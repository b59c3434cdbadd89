import type { Instant, WorkflowRun } from '../metrics/facts.ts';
import { accountDictionary } from './accounts.ts';
import type { Database, Queries } from './database.ts';
import { ingestStatement, restStatement, settleStraysStatement, straysStatement } from './ingest-sql.ts';
import { shareZone, writeRuns } from './locks.ts';
import { type ObservedColumn, observedColumns } from './run-columns.ts';

const chunkSize = 2000;

export interface Ingested {
  inserted: number;
  changed: number;
}

/** One observation of a run, and the database's own id of its repository. */
export interface ObservedRun {
  repoId: number;
  run: WorkflowRun;
}

/**
 * Takes observations of runs in, all or none. Late, repeated and reordered ones do no harm: what is stored depends
 * on the set of observations alone.
 */
export function runIngest(database: Database) {
  const keep = runKeeper(database);
  return async (
    repoId: number,
    runs: readonly WorkflowRun[],
    { syncedAt }: { syncedAt: Instant },
  ): Promise<Ingested> => {
    if (runs.length === 0) return { inserted: 0, changed: 0 };
    const observed = runs.map((run) => ({ repoId, run }));
    const write = await keep(runs);
    return database.transaction(async (transaction) => {
      await transaction.query(`select ${lockRuns('$1')}`, [[repoId]]);
      return write(transaction, observed, syncedAt);
    });
  };
}

/** Lets nobody else write runs of these repositories until the transaction ends; give their ids in order, as all do. */
export const lockRuns = (repoIds: string) => `${shareZone}, ${writeRuns('id')} from unnest(${repoIds}::int[]) id`;

/**
 * The same for a transaction that writes more than runs, and for runs of several repositories: makes sure that the
 * accounts are known, and answers what takes in some of these runs within a transaction that holds their locks.
 */
export function runKeeper(database: Queries) {
  const accounts = accountDictionary(database);
  return async (announced: readonly WorkflowRun[]) => {
    const key = await accounts.keep(announced.flatMap(({ actor, triggeringActor }) => [actor, triggeringActor]));
    return async (transaction: Queries, observed: readonly ObservedRun[], syncedAt: Instant): Promise<Ingested> => {
      const total: Ingested = { inserted: 0, changed: 0 };
      for (const chunk of chunks(observed)) {
        const columns = observedColumns.map((column) => chunk.map(({ run }) => values[column](run, key)));
        const parameters = [chunk.map(({ repoId }) => repoId), syncedAt, ...columns];
        const done = await statement(transaction, ingestStatement, parameters);
        const rest = done.rest > 0 ? await statement(transaction, restStatement, parameters) : nothing;
        if (done.inserted > 0) await settleStrays(transaction, chunk);
        total.inserted += done.inserted + rest.inserted;
        total.changed += done.changed + rest.changed;
      }
      return total;
    };
  };
}

const nothing = { inserted: 0, changed: 0, rest: 0 };

const statement = async (transaction: Queries, sql: string, parameters: unknown[]) =>
  (await transaction.query<typeof nothing>(sql, parameters))[0] ?? nothing;

/** The platform never tells a run of two repositories; should it, the run is in one of them. */
async function settleStrays(transaction: Queries, observed: readonly ObservedRun[]) {
  const owners = observed.map(({ repoId }) => repoId);
  const ids = observed.map(({ run }) => run.id);
  const strays = await transaction.query<{ id: string }>(straysStatement, [owners, ids]);
  if (strays.length > 0) await transaction.query(settleStraysStatement, [strays.map(({ id }) => id)]);
}

function* chunks(observed: readonly ObservedRun[]): Generator<ObservedRun[]> {
  for (const round of rounds(observed, ({ run }) => run.id))
    for (let start = 0; start < round.length; start += chunkSize) yield round.slice(start, start + chunkSize);
}

/** One statement may meet a row once only: the second observation of the same thing waits for the next round. */
export function rounds<T>(observed: readonly T[], idOf: (one: T) => number): T[][] {
  const all: T[][] = [];
  const seen = new Map<number, number>();
  for (const one of observed) {
    const round = seen.get(idOf(one)) ?? 0;
    seen.set(idOf(one), round + 1);
    all[round] ??= [];
    all[round].push(one);
  }
  return all;
}

type Key = (actor: WorkflowRun['actor']) => string | null;

const values: Record<ObservedColumn, (run: WorkflowRun, key: Key) => unknown> = {
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
  actor_id: (run, key) => key(run.actor),
  triggering_actor_id: (run, key) => key(run.triggeringActor),
  created_at: (run) => run.createdAt,
  run_started_at: (run) => run.startedAt,
  updated_at: (run) => run.updatedAt,
  // The usual address is made from the repository's, and so survives a renaming.
  html_url: (run) => (run.htmlUrl.endsWith(`/actions/runs/${run.id}`) ? null : run.htmlUrl),
};
