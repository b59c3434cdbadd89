import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, inject, onTestFinished, TestRunner } from 'vitest';
import { openFolder } from '../../server/embedded/database.ts';
import { createLog } from '../../server/platform/log.ts';
import { connect } from '../../server/store/connection.ts';
import { type Database, toDatabase } from '../../server/store/database.ts';
import { createStore, openStore, type Store, type StoreOptions } from '../../server/store/orm.ts';
import { createDatabase, createMigrated } from './created-databases.ts';
import { migratedAny, migratedFolder, migratedMemory } from './migrated.ts';
import { createPartitioned } from './partitioned.ts';
import { reusedMemory } from './reused-memory.ts';

export interface TestDatabase {
  name: 'embedded' | 'postgresql';
  /** A store on a database of its own, closed after the test that opens it, or after the suite. */
  open(options?: Partial<StoreOptions>): Promise<Store>;
  /** The same, closed after the suite whoever opens it. */
  openForAll(): Promise<Store>;
  /** The same, with the SQL beneath it. */
  openRaw(): Promise<{ store: Store; database: Database }>;
  /** The address of a new database of this version's shape; the embedded one is in memory. */
  migrated(): Promise<string>;
  /** The same, but it outlives the stores opened on it: the embedded one is in a folder. */
  address(): Promise<string>;
  /** The address of a new, empty database that outlives the stores opened on it. */
  empty(): Promise<string>;
}

/** Runs the same suite on the embedded database and, where there is one, on a real PostgreSQL server. */
export function eachDatabase(suite: (database: TestDatabase) => void): void {
  embeddedDatabase(suite);
  postgresDatabase(suite);
}

/** Runs a suite on the embedded database. */
export function embeddedDatabase(suite: (database: TestDatabase) => void): void {
  describe('on the embedded database', () => suite(embedded()));
}

/** Runs a suite on a real PostgreSQL server, where there is one. */
export function postgresDatabase(suite: (database: TestDatabase) => void): void {
  const socket = inject('postgres');
  describe.skipIf(socket === null)('on PostgreSQL', () => suite(onServer(socket as string)));
}

/** Runs a suite on PostgreSQL where there is one, which takes half the time of the embedded database. */
export function cheapestDatabase(suite: (database: TestDatabase) => void): void {
  if (inject('postgres') === null) embeddedDatabase(suite);
  else postgresDatabase(suite);
}

function embedded(): TestDatabase {
  const { folder, copyOf } = temporaryFolders();
  const address = async () => copyOf(await migratedFolder());
  let prepared: Promise<string> | undefined;
  const prepare = async () => {
    const made = folder();
    await (await openFolder(made, settings.log)).close();
    return made;
  };
  // Making one takes seconds, copying it does not.
  const empty = async () => {
    prepared ??= prepare();
    return copyOf(await prepared);
  };
  return withCleaning({ name: 'embedded', migrated: migratedMemory, address, empty });
}

function onServer(socket: string): TestDatabase {
  // PARTITIONED=1 shows the same of tables in months.
  const isPartitioned = process.env.PARTITIONED === '1';
  const address = () => (isPartitioned ? createPartitioned : createMigrated)(socket);
  const empty = () => (isPartitioned ? createPartitioned : createDatabase)(socket);
  return withCleaning({ name: 'postgresql', migrated: address, address, empty });
}

/** Opens a store the way the service does, without its log. */
export const openTestStore = (url: string, options: Partial<StoreOptions> = {}): Promise<Store> =>
  openStore({ ...settings, url, ...options });

const settings = {
  log: createLog('silent'),
  poolMax: 10,
  statementTimeoutMs: 60_000,
  migrate: true,
  openMemory: reusedMemory,
};

/** A store of its own, for suites about other rooms. */
export const aStore = async (): Promise<Store> => openTestStore(await migratedAny());

function withCleaning(addresses: Omit<TestDatabase, 'open' | 'openForAll' | 'openRaw'>): TestDatabase {
  const stores: Store[] = [];
  afterAll(async () => {
    for (const store of stores) await store.close();
  });
  const closeLater = (store: Store) => {
    if (TestRunner.getCurrentTest()) onTestFinished(() => store.close());
    else stores.push(store);
  };
  return {
    ...addresses,
    async open(options = {}) {
      const store = await openTestStore(await addresses.migrated(), options);
      closeLater(store);
      return store;
    },
    async openForAll() {
      const store = await openTestStore(await addresses.migrated());
      stores.push(store);
      return store;
    },
    async openRaw() {
      const connection = await connect({ ...settings, url: await addresses.migrated() });
      const database = toDatabase(connection.orm);
      const store = createStore(database, settings.log, connection.close);
      closeLater(store);
      return { store, database };
    },
  };
}

/** Temporary folders, removed after the suite. */
function temporaryFolders() {
  const made: string[] = [];
  afterAll(() => {
    for (const one of made) rmSync(one, { recursive: true, force: true });
  });
  const folder = () => {
    const one = mkdtempSync(join(tmpdir(), 'embedded-'));
    made.push(one);
    return one;
  };
  /** The address of the database in a copy of a folder. */
  const copyOf = (original: string) => {
    const copy = folder();
    cpSync(original, copy, { recursive: true });
    return `pglite://${copy}`;
  };
  return { folder, copyOf };
}
