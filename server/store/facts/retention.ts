import type { FactKind } from '../../facts/fact-repository.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { dayMs } from '../../metrics/kernel/window.ts';
import { type Batches, batchSize } from '../batches.ts';
import type { Queries } from '../database.ts';
import { lockRepository } from '../locks.ts';
import { retentionStatements } from '../statements.ts';
import { factStatements } from './fact-statements.ts';
import { raiseFloor } from './sync-states.ts';

/** How long facts are stored after the day of their last event, in days. */
const retention: { readonly [Kind in FactKind]: { table: string; days: number } } = {
  pull_requests: { table: 'pr_facts', days: 400 },
  commits: { table: 'branch_commits', days: 120 },
  issues: { table: 'issue_facts', days: 400 },
  deployments: { table: 'deployment_facts', days: 400 },
  releases: { table: 'release_facts', days: 1826 },
};

/** Deletes facts that are outdated, and claims no more than what is left. */
export async function deleteOldFacts(queries: Queries, now: Instant, { drain }: Batches): Promise<void> {
  for (const kind of Object.keys(retention) as FactKind[]) {
    const { table, days } = retention[kind];
    // Full days, so that a repository is visited once a day, however often this runs.
    const floor = Math.floor(now / dayMs - days) * dayMs;
    const due = await queries.run<{ repo_id: number }>(retentionStatements.repositories_with_old_facts, {
      kind,
      floor,
    });
    for (const { repo_id } of due)
      await drain(table, async (transaction) => {
        await lockRepository(transaction, repo_id);
        await raiseFloor(transaction, repo_id, kind, floor);
        const parameters = { repo_id, floor, batch: batchSize };
        const [deleted] = await transaction.run<{ rows: number }>(factStatements[kind].deleteBefore, parameters);
        return deleted?.rows ?? 0;
      });
  }
}
