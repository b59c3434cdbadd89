import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, inject } from 'vitest';
import { openFolder } from '../../server/embedded/database.ts';
import { createLog } from '../../server/platform/log.ts';
import { connect } from '../../server/store/connection.ts';
import { type Database, databaseOf } from '../../server/store/database.ts';
import { openStore, type Store, type StoreOptions, storeOf } from '../../server/store/orm.ts';
import { migratedMemory } from './migrated.ts';
import { createPartitioned } from './partitioned.ts';
import { createDatabase, createMigrated } from './postgres.ts';

export interface TestDatabase {
  name: 'embedded' | 'postgresql';
  /** A store on a database of its own, closed after the suite. */
  open(options?: Partial<StoreOptions>): Promise<Store>;
  /** The same, with the SQL beneath it. */
  openRaw(): Promise<{ store: Store; database: Database }>;
  /** The address of a new, empty database that outlives the stores opened on it. */
  address(): Promise<string>;
}

/** Runs the same suite on the embedded database and, where there is one, on a real PostgreSQL server. */
export function eachDatabase(suite: (database: TestDatabase) => void): void {
  const socket = inject('postgres');
  describe('on the embedded database', () => suite(withCleaning('embedded', temporaryFolders(), migratedMemory)));
  // PARTITIONED=1 tells the same of tables in months.
  const isPartitioned = process.env.PARTITIONED === '1';
  const create = isPartitioned ? createPartitioned : createDatabase;
  const whole = isPartitioned ? createPartitioned : createMigrated;
  describe.skipIf(socket === null)('on PostgreSQL', () =>
    suite(
      withCleaning(
        'postgresql',
        () => create(socket as string),
        () => whole(socket as string),
      ),
    ),
  );
}

/** Opens a store the way the service does, without its log. */
export const openTestStore = (url: string, options: Partial<StoreOptions> = {}): Promise<Store> =>
  openStore({ ...settings, url, ...options });

const settings = { log: createLog('silent'), poolMax: 10, statementTimeoutMs: 30_000, migrate: true };

/** A store in memory, for suites about other rooms. */
export const memoryStore = async (): Promise<Store> => openTestStore(await migratedMemory());

/** `migrated` answers the address of a new database that has this version's shape. */
function withCleaning(
  name: TestDatabase['name'],
  address: TestDatabase['address'],
  migrated: TestDatabase['address'],
): TestDatabase {
  const stores: Store[] = [];
  afterAll(async () => {
    for (const store of stores) await store.close();
  });
  return {
    name,
    address,
    async open(options = {}) {
      const store = await openTestStore(await migrated(), options);
      stores.push(store);
      return store;
    },
    async openRaw() {
      const connection = await connect({ ...settings, url: await migrated() });
      const database = databaseOf(connection.orm);
      const store = storeOf(database, settings.log, connection.close);
      stores.push(store);
      return { store, database };
    },
  };
}

/** Folders with an empty database each. Making one takes seconds, copying it does not. */
function temporaryFolders(): () => Promise<string> {
  const folders: string[] = [];
  const folder = () => {
    const made = mkdtempSync(join(tmpdir(), 'embedded-'));
    folders.push(made);
    return made;
  };
  let prepared: Promise<string> | undefined;
  const prepare = async () => {
    const made = folder();
    await (await openFolder(made, settings.log)).close();
    return made;
  };
  afterAll(() => {
    for (const one of folders) rmSync(one, { recursive: true, force: true });
  });
  return async () => {
    prepared ??= prepare();
    const copy = folder();
    cpSync(await prepared, copy, { recursive: true });
    return `pglite://${copy}`;
  };
}
