import type { Instant, WorkflowRun } from '../metrics/facts.ts';
import { accountDictionary } from './accounts.ts';
import type { Database, Queries } from './database.ts';
import { ingestStatement, restStatement } from './ingest-sql.ts';
import { shareZone, writeRuns } from './locks.ts';
import { type ObservedColumn, observedColumns } from './run-columns.ts';

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
    if (runs.length === 0) return { inserted: 0, changed: 0 };
    const key = await accounts.keep(runs.flatMap(({ actor, triggeringActor }) => [actor, triggeringActor]));
    return database.transaction(async (transaction) => {
      await transaction.query(`select ${shareZone}, ${writeRuns('$1::int')}`, [repoId]);
      const total: Ingested = { inserted: 0, changed: 0 };
      for (const chunk of chunks(runs)) {
        const columns = observedColumns.map((column) => chunk.map((run) => values[column](run, key)));
        const parameters = [repoId, syncedAt, ...columns];
        const done = await statement(transaction, ingestStatement, parameters);
        const rest = done.rest > 0 ? await statement(transaction, restStatement, parameters) : nothing;
        total.inserted += done.inserted + rest.inserted;
        total.changed += done.changed + rest.changed;
      }
      return total;
    });
  };
}

const nothing = { inserted: 0, changed: 0, rest: 0 };

const statement = async (transaction: Queries, sql: string, parameters: unknown[]) =>
  (await transaction.query<typeof nothing>(sql, parameters))[0] ?? nothing;

/** One statement may meet a run once only: the second observation of a run waits for the next round. */
function* chunks(runs: readonly WorkflowRun[]): Generator<WorkflowRun[]> {
  const rounds: WorkflowRun[][] = [];
  const seen = new Map<number, number>();
  for (const run of runs) {
    const round = seen.get(run.id) ?? 0;
    seen.set(run.id, round + 1);
    rounds[round] ??= [];
    rounds[round].push(run);
  }
  for (const round of rounds)
    for (let start = 0; start < round.length; start += chunkSize) yield round.slice(start, start + chunkSize);
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
