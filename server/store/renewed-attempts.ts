import type { Instant } from '../metrics/kernel/facts.ts';
import type { Queries } from './database.ts';
import { intakeStatements } from './statements.ts';

/** A run attempt, and the database's own id of its repository. */
interface NamedAttempt {
  repoId: number;
  runId: number;
  attempt: number;
}

/**
 * Sums anew what the jobs of these attempts took, and how long the attempts waited for a runner. To be called in the
 * transaction that stored some of them, behind the locks on the runs and rows of their repositories: so what is stored of
 * an attempt is what its jobs tell, whoever writes them.
 */
export async function renewAttempts(
  { run }: Queries,
  attempts: readonly NamedAttempt[],
  storedAt: Instant,
): Promise<void> {
  if (attempts.length === 0) return;
  const distinct = new Map(
    attempts.map(({ repoId, runId, attempt }) => [`${runId} ${attempt}`, { repoId, runId, attempt }]),
  );
  const parameters = { attempts: JSON.stringify([...distinct.values()]), stored_at: storedAt };
  await run(intakeStatements.delete_attempt_costs, parameters);
  await run(intakeStatements.insert_attempt_costs, parameters);
  await run(intakeStatements.renew_job_waits, parameters);
}
