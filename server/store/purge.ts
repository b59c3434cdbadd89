import type { Instant } from '../metrics/kernel/facts.ts';
import { batches, batchSize, type Purged } from './batches.ts';
import type { Database, Queries } from './database.ts';
import { deleteOldFacts } from './facts/retention.ts';
import { lock, tryLock } from './locks.ts';
import type { rollups } from './rollups.ts';
import { retentionStatements } from './statements.ts';

/** Tables of runs; when runs are too old is already settled by the sealed days. */
const runTables = [
  'workflow_runs',
  'workflow_run_attempts',
  'attempt_costs',
  'attempt_logs',
  'action_downloads',
] as const;
/** Tables whose rows have an age of their own. */
const agingTables = [
  'job_readings',
  'workflow_jobs',
  'webhook_deliveries',
  'merge_queue_notices',
  'pr_marks',
  'ai_comparisons',
  'job_runs',
  'alert_rule_days',
  'alert_events',
  'digest_sends',
  'ref_ledger',
  'use_days',
  'action_releases',
  'advised_refs',
  'advisory_readings',
  'sessions',
  'access_tokens',
  'shares',
  'otlp_sent',
] as const;
/** Tables whose rows are stored as long as others refer to them. */
const referredTables = ['action_refs', 'action_files'] as const;

export interface PurgeOptions {
  /** How many days single runs are stored. */
  runDays: number;
  /** Called before each batch; nothing is begun once it is false. */
  mayContinue(): boolean;
}

/**
 * Deletes what is no longer stored, in batches that are each complete: killed at any moment, the next call goes on.
 * Days outlive their runs: what they counted stays, and nothing that comes later changes them.
 */
export const purge =
  (database: Database, { recompute }: ReturnType<typeof rollups>) =>
  async (now: Instant, { runDays, mayContinue }: PurgeOptions): Promise<Purged> => {
    const steps = batches(database, mayContinue);
    const { purged, drain } = steps;
    if (mayContinue()) {
      await recompute(mayContinue);
      purged.complete = await database.transaction((transaction) => sealDays(transaction, now, runDays));
    }
    for (const table of runTables) await drain(table, (transaction) => deleteBatch(transaction, table, {}));
    await drain('repo_day', async (transaction) =>
      (await tryLock(transaction, 'rollups')) ? deleteBatch(transaction, 'repo_day', { now }) : null,
    );
    await drain('commit_facts', (transaction) => deleteBatch(transaction, 'commit_facts', { now }));
    await deleteOldFacts(database, now, steps);
    for (const table of agingTables) await drain(table, (transaction) => deleteBatch(transaction, table, { now }));
    for (const table of referredTables) await drain(table, (transaction) => deleteBatch(transaction, table, {}));
    return purged;
  };

/** Answers how many rows it deleted. */
async function deleteBatch(
  { run }: Queries,
  table: Exclude<keyof typeof retentionStatements, 'seal_days' | 'repositories_with_old_facts'>,
  parameters: { now?: Instant },
): Promise<number> {
  const [done] = await run<{ rows: number }>(retentionStatements[table], { batch: batchSize, ...parameters });
  return done?.rows ?? 0;
}

/**
 * Moves the day up from which runs are stored. Every day before must have counted its runs by then; who writes runs
 * waits, and sees the new day when it goes on. Answers false while a day is behind.
 */
async function sealDays(transaction: Queries, now: Instant, runDays: number): Promise<boolean> {
  await lock(transaction, 'timeZone');
  const [answer] = await transaction.run<{ behind: boolean }>(retentionStatements.seal_days, {
    now,
    run_days: runDays,
  });
  return answer?.behind === false;
}
