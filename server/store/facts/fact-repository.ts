import type { FactBatch, FactKind, FactRepository } from '../../facts/fact-repository.ts';
import { factKeys } from '../../metrics/kernel/delivery-facts.ts';
import type { Repository } from '../../metrics/kernel/facts.ts';
import { accountDictionary } from '../accounts.ts';
import type { Database, Queries } from '../database.ts';
import { lockRepository } from '../locks.ts';
import type { repositories } from '../repositories.ts';
import { readingStatements } from '../statements.ts';
import { accountReader } from './account-reader.ts';
import { factStatements } from './fact-statements.ts';
import { accountsIn, type FactRow, factsFrom, keysIn, toRows } from './rows.ts';
import { advanceSyncState, readSyncStates, saveSyncState } from './sync-states.ts';

const chunkSize = 1000;

const reads = {
  pull_requests: readingStatements.pull_requests_since,
  commits: readingStatements.commits_since,
  issues: readingStatements.issues_since,
  deployments: readingStatements.deployments_since,
  releases: readingStatements.releases_since,
};

/**
 * Facts in the database. A reading that does not replace is stored only where its kind is stored already: alone it
 * would claim facts that are not there. Facts that count before the floor of the sync state are not stored.
 */
export function factRepository(database: Database, known: ReturnType<typeof repositories>['known']): FactRepository {
  const accounts = accountDictionary(database);
  const readAccounts = accountReader(database);
  return {
    isDatabase: true,
    syncStates: (repository) => readSyncStates(database, repository.id),
    async store(repository: Repository, batches) {
      if (batches.length === 0) return;
      const repoId = await known(repository);
      const toAccountKey = await accounts.store(
        batches.flatMap(({ syncState, items }) => accountsIn(syncState.kind, items)),
      );
      await database.transaction(async (transaction) => {
        await lockRepository(transaction, repoId);
        for (const one of batches) await storeKind(transaction, repoId, one, toAccountKey);
      });
    },
    async facts(repository, kind, since) {
      const rows = await database.run<FactRow>(reads[kind], { codehost_id: repository.id, since });
      return factsFrom(kind, rows, await readAccounts(keysIn(kind, rows)));
    },
  };
}

async function storeKind<Kind extends FactKind>(
  transaction: Queries,
  repoId: number,
  { syncState, items, replaces }: FactBatch<Kind>,
  toAccountKey: Parameters<typeof toRows>[2],
): Promise<void> {
  const { kind } = syncState;
  const { upsert, deleteOthers, deleteBefore } = factStatements[kind];
  const floor = await (replaces ? saveSyncState : advanceSyncState)(transaction, repoId, syncState);
  if (floor === null) return;
  if (replaces) await transaction.run(deleteOthers, { repo_id: repoId, keys: items.map(factKeys[kind]), floor });
  for (let start = 0; start < items.length; start += chunkSize)
    await transaction.run(upsert, {
      repo_id: repoId,
      facts: toRows(kind, items.slice(start, start + chunkSize), toAccountKey),
    });
  if (!(kind === 'pull_requests' && (await isBeingRead(transaction, repoId))))
    await transaction.run(deleteBefore, { repo_id: repoId, floor, batch: null });
}

/** A synchronization reads pull requests for days where there are many: until its end they reach below the floor. */
async function isBeingRead({ db }: Queries, repoId: number): Promise<boolean> {
  const reading = await db
    .selectFrom('sync_cursors')
    .select('kind')
    .where('repoId', '=', repoId)
    .where('kind', '=', 'prs')
    .where('resume', 'is not', null)
    .executeTakeFirst();
  return reading !== undefined;
}
