import type { Migrator } from '@mikro-orm/migrations';
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { migrations } from '../../migrations/list.ts';
import { DatabaseUnusable } from '../embedded/lock.ts';
import type { Tables } from './database.ts';
import { lock } from './locks.ts';

const table = 'schema_migrations';

export const migrationSettings = {
  migrationsList: migrations,
  tableName: table,
  snapshot: false,
  // MikroORM would otherwise switch foreign keys off by a statement only a superuser may run.
  disableForeignKeys: false,
};

/**
 * Brings the database to this version's shape: all or nothing, one process at a time.
 * @throws DatabaseUnusable when a newer version of the service has already changed it, or one from before the baseline.
 */
export async function migrate(orm: MikroORM): Promise<void> {
  const migrator = orm.migrator as Migrator;
  // The list of what was applied must exist, made by one process only, before the migrator looks for it.
  await withMigrationLock(orm, async (em) => {
    const storage = migrator.getStorage();
    storage.setMasterMigration(em.getTransactionContext());
    await storage.ensureTable();
    storage.unsetMasterMigration();
  });
  await migrator.getExecuted();
  await withMigrationLock(orm, async (em) => {
    rejectNewer(await readApplied(em));
    await migrator.up({ transaction: em.getTransactionContext() });
  });
}

/** @throws DatabaseUnusable when the database lacks a migration or knows one that this version does not. */
export async function requireMigrated(orm: MikroORM): Promise<void> {
  const applied = await readApplied(orm.em.fork());
  rejectNewer(applied);
  const missing = migrations.find(({ name }) => !applied.some((row) => row.name === name));
  if (missing) throw new DatabaseUnusable(`The database lacks ${missing.name}: run the migrations first.`);
}

const readApplied = (em: EntityManager): Promise<{ name: string }[]> =>
  em.getKysely<{ [table]: { name: string } }>().selectFrom(table).select('name').execute();

/** On a connection that is given back whatever becomes of it: the ORM keeps one that is lost in its own transaction. */
const withMigrationLock = (orm: MikroORM, work: (em: EntityManager) => Promise<unknown>) =>
  orm.em
    .getKysely<Tables>()
    .connection()
    .execute(async (connection) => {
      const transaction = await connection.startTransaction().execute();
      const em = orm.em.fork();
      em.setTransactionContext(transaction);
      try {
        await lock({ db: em.getKysely<Tables>() }, 'migrations');
        await work(em);
        await transaction.commit().execute();
      } catch (error) {
        await transaction
          .rollback()
          .execute()
          .catch(() => undefined);
        throw error;
      }
    });

function rejectNewer(applied: { name: string }[]) {
  const unknown = applied.find((row) => !migrations.some(({ name }) => name === row.name));
  if (!unknown) return;
  if (unknown.name < (migrations[0]?.name ?? ''))
    throw new DatabaseUnusable(
      `The database was begun by a version that can no longer be upgraded (${unknown.name}): begin an empty one and sync again.`,
    );
  throw new DatabaseUnusable(
    `The database was changed by a newer version of the service (${unknown.name}): start that version, or restore a backup.`,
  );
}
