import type { Selectable } from 'kysely';
import type { Instant } from '../metrics/kernel/facts.ts';
import type { ChangedBy } from './audit.ts';
import { auditReceiver } from './audited-receiver.ts';
import type { Database, Queries, Tables } from './database.ts';
import type { OtlpOptions } from './entities/otlp.ts';
import { lock } from './locks.ts';
import { outcomeStatements } from './statements.ts';

/** Where traces of runs are sent, with what became of it; instants are epoch milliseconds. */
export type StoredDestination = Selectable<Tables['otlp_destinations']>;

/** What an administrator saves. */
export interface DestinationChange {
  name: string;
  endpoint: string;
  enabled: boolean;
  options: OtlpOptions;
  /** undefined keeps the stored ones. */
  headers?: { sealed: string | null; names: string[] };
}

/** The number of the destination that the environment names. */
export const environmentId = 0;

export const otlpDestinations = (database: Database) => ({
  ...destinationStates(database),
  list: (): Promise<StoredDestination[]> =>
    database.db.selectFrom('otlp_destinations').selectAll().orderBy('id').execute(),
  find: async (id: number): Promise<StoredDestination | null> => (await findOne(database, id)) ?? null,
  /** Adds one with its entry of the audit log; null where there are `max` already. */
  create: (change: DestinationChange, max: number, by: ChangedBy): Promise<number | null> =>
    database.transaction(async (queries) => {
      await lock(queries, 'settings');
      const { count } = await queries.db
        .selectFrom('otlp_destinations')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .where('id', '!=', environmentId)
        .executeTakeFirstOrThrow();
      if (Number(count) >= max) return null;
      const { id } = await queries.db
        .insertInto('otlp_destinations')
        .values({ ...toRow(change), headersSealed: null, headerNames: [], ...toHeaders(change), ...unused })
        .returning('id')
        .executeTakeFirstOrThrow();
      await audit(queries, 'settings.otlp_saved', change, by);
      return id;
    }),
  /** Saves one, which then is tried again at once. Answers false where it is gone. */
  update: (id: number, change: DestinationChange, by: ChangedBy): Promise<boolean> =>
    database.transaction(async (queries) => {
      await lock(queries, 'settings');
      const saved = await queries.db
        .updateTable('otlp_destinations')
        .set((eb) => ({
          ...toRow(change),
          ...toHeaders(change),
          state: 'active',
          nextTryAt: null,
          failures: 0,
          lastError: null,
          version: eb('version', '+', 1),
        }))
        .where('id', '=', id)
        .returning('id')
        .executeTakeFirst();
      if (saved) await audit(queries, 'settings.otlp_saved', change, by);
      return saved !== undefined;
    }),
  /** Deletes one; what waited for it is deleted later (`otlpOutbox.deleteLeftovers`). Answers false where it is gone. */
  delete: (id: number, by: ChangedBy): Promise<boolean> =>
    database.transaction(async (queries) => {
      await lock(queries, 'settings');
      const deleted = await queries.db
        .deleteFrom('otlp_destinations')
        .where('id', '=', id)
        .returning(['name', 'endpoint'])
        .executeTakeFirst();
      if (deleted) await audit(queries, 'settings.otlp_deleted', deleted, by);
      return deleted !== undefined;
    }),
});

/** What becomes of destinations while they are used. */
const destinationStates = (database: Database) => ({
  /** Those that may be sent something, unless they are to be left alone for a moment. */
  active: (): Promise<StoredDestination[]> =>
    database.db
      .selectFrom('otlp_destinations')
      .selectAll()
      .where('enabled', '=', true)
      .where('state', '=', 'active')
      .orderBy('id')
      .execute(),
  /** Enabled ones that are sent nothing until somebody says so. */
  async refusedNames(): Promise<string[]> {
    const refused = database.db
      .selectFrom('otlp_destinations')
      .where('enabled', '=', true)
      .where('state', '=', 'refused');
    return (await refused.select('name').orderBy('id').execute()).map(({ name }) => name);
  },
  /** The destination that the environment names; null switches it off. */
  async putEnvironment(change: DestinationChange | null): Promise<void> {
    if (change === null) {
      await database.db.deleteFrom('otlp_destinations').where('id', '=', environmentId).execute();
      return;
    }
    const row = { ...toRow(change), headersSealed: null, headerNames: [], ...toHeaders(change) };
    await database.db
      .insertInto('otlp_destinations')
      .values({ id: environmentId, ...row, ...unused })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ ...row, state: 'active', nextTryAt: null }))
      .execute();
  },
  /** Leaves one alone for as long as its receiver says, else longer and longer. */
  async pause(
    id: number,
    { message, retryAfterMs }: { message: string; retryAfterMs: number | null },
    now: Instant,
  ): Promise<void> {
    await database.run(outcomeStatements.otlp_pause, {
      destination_id: id,
      error: message,
      retry_after_ms: retryAfterMs,
      jitter: 0.8 + 0.4 * Math.random(),
      now,
    });
  },
  /** Nothing is sent until it is saved anew, unless that happened meanwhile. */
  async refuse(id: number, version: number, error: string): Promise<void> {
    await database.db
      .updateTable('otlp_destinations')
      .set({ state: 'refused', lastError: error })
      .where('id', '=', id)
      .where('version', '=', version)
      .execute();
  },
  /** Puts another host of the platform into the options of all, by which samples are chosen. */
  async changeHost(host: string): Promise<void> {
    for (const { id, options } of await database.db.selectFrom('otlp_destinations').select(['id', 'options']).execute())
      if (options.host !== host)
        await database.db
          .updateTable('otlp_destinations')
          .set({ options: { ...options, host } })
          .where('id', '=', id)
          .execute();
  },
  /** Stores headers that were sealed anew, unless others were saved meanwhile. */
  async replaceHeaders(id: number, before: string, sealed: string): Promise<void> {
    await database.db
      .updateTable('otlp_destinations')
      .set({ headersSealed: sealed })
      .where('id', '=', id)
      .where('headersSealed', '=', before)
      .execute();
  },
});

const findOne = ({ db }: Queries, id: number) =>
  db.selectFrom('otlp_destinations').selectAll().where('id', '=', id).executeTakeFirst();

const unused = {
  state: 'active',
  nextTryAt: null,
  failures: 0,
  lastError: null,
  lastSuccessAt: null,
  accepted: 0,
  rejected: 0,
  dropped: 0,
  carriedOver: 0,
  withoutJobs: 0,
  version: 1,
} as const;

const toRow = ({ name, endpoint, enabled, options }: DestinationChange) => ({
  name,
  endpoint,
  enabled,
  options,
});

const toHeaders = ({ headers }: DestinationChange) =>
  headers === undefined ? {} : { headersSealed: headers.sealed, headerNames: headers.names };

const audit = (
  queries: Queries,
  action: string,
  { name, endpoint: address }: Pick<DestinationChange, 'name' | 'endpoint'>,
  by: ChangedBy,
) => auditReceiver(queries, action, { type: 'otlp_destination', name, address }, by);

/** Adds an entry about something that was done with a destination. */
export async function auditDestination(queries: Queries, action: string, id: number, by: ChangedBy): Promise<void> {
  const destination = await findOne(queries, id);
  if (destination) await audit(queries, action, destination, by);
}
