import type { Brought, FactKind, FactOf, FactShelf } from '../../facts/shelf.ts';
import type { Repository } from '../../metrics/facts.ts';
import { accountDictionary } from '../accounts.ts';
import type { Database, Queries } from '../database.ts';
import type { repositories } from '../repositories.ts';
import { accountReader } from './account-reader.ts';
import { factSql } from './fact-sql.ts';
import { ledgersOf, moveLedger, putLedger } from './ledgers.ts';
import { accountsIn, type FactRow, factsFrom, keysIn, rowsOf } from './rows.ts';
import { factTables } from './tables.ts';

const chunkSize = 1000;

/**
 * The shelf of facts in the database. A reading that does not replace is kept only where its kind is kept already:
 * alone it would claim facts that are not there. Facts that matter before the ledger's floor are not kept.
 */
export function factShelf(database: Database, known: ReturnType<typeof repositories>['known']): FactShelf {
  const accounts = accountDictionary(database);
  const readAccounts = accountReader(database);
  return {
    isDatabase: true,
    ledgers: (repository) => ledgersOf(database, repository.id),
    async keep(repository: Repository, brought) {
      if (brought.length === 0) return;
      const repoId = await known(repository);
      const keyOf = await accounts.keep(brought.flatMap(({ ledger, items }) => accountsIn(ledger.kind, items)));
      await database.transaction(async (transaction) => {
        await transaction.query(lockRepository, [repoId]);
        for (const one of brought) await keepKind(transaction, repoId, one, keyOf);
      });
    },
    async facts(repository, kind, since) {
      const rows = await database.query<FactRow>(factSql[kind].since, [repository.id, since]);
      return factsFrom(kind, rows, await readAccounts(keysIn(kind, rows)));
    },
  };
}

/** One writer of facts per repository, so that neither they nor the purge wait for each other in a circle. */
export const lockRepository = 'select from repos where id = $1::int for no key update';

async function keepKind<Kind extends FactKind>(
  transaction: Queries,
  repoId: number,
  { ledger, items, replaces }: Brought<Kind>,
  keyOf: Parameters<typeof rowsOf>[2],
): Promise<void> {
  const { kind } = ledger;
  const { put, keepOnly, forgetBefore } = factSql[kind];
  const floor = await (replaces ? putLedger : moveLedger)(transaction, repoId, ledger);
  if (floor === null) return;
  const key = factTables[kind].key as keyof FactOf[Kind];
  if (replaces) await transaction.query(keepOnly, [repoId, items.map((fact) => fact[key]), floor]);
  for (let start = 0; start < items.length; start += chunkSize)
    await transaction.query(put, [repoId, rowsOf(kind, items.slice(start, start + chunkSize), keyOf)]);
  if (!(kind === 'pull_requests' && (await isBeingRead(transaction, repoId))))
    await transaction.query(forgetBefore, [repoId, floor]);
}

/** A synchronization reads pull requests for days where there are many: until its end they reach below the floor. */
const isBeingRead = async (transaction: Queries, repoId: number): Promise<boolean> =>
  (await transaction.query(reading, [repoId])).length > 0;

const reading = `
  select kind from sync_cursors where repo_id = $1::int and kind = 'prs' and resume is not null`;
