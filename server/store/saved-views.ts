import type { Instant } from '../metrics/kernel/facts.ts';
import type { Database, Queries } from './database.ts';
import { lock } from './locks.ts';

export interface View {
  id: number;
  name: string;
  /** Path and query of a page of this service. */
  address: string;
}

/** An address that accounts saved, and when one did first. */
export interface SharedAddress {
  address: string;
  createdAt: Instant;
}

/** What came of a change: done, or why not. */
export type ViewChange = 'done' | 'full' | 'same_name' | 'unknown';

/** Named addresses of people, each seen by its owner alone; rules tell what saved searches for exposure prove. */
export const savedViews = (database: Database) => ({
  list: (codehostId: number): Promise<View[]> => listViews(database, codehostId),
  /** Addresses of a page with a query, saved by accounts whose groups may use a feature, each once, the newest first. */
  ofPage: (page: string, feature: string): Promise<SharedAddress[]> => ofPage(database, page, feature),
  save: (
    codehostId: number,
    { name, address }: Omit<View, 'id'>,
    { max, now }: { max: number; now: Instant },
  ): Promise<ViewChange> =>
    database.transaction(async (queries) => {
      await lock(queries, 'savedViews');
      const own = await listViews(queries, codehostId);
      if (own.some((one) => one.name === name)) return 'same_name';
      if (own.length >= max) return 'full';
      await queries.db.insertInto('saved_views').values({ codehostId, name, address, createdAt: now }).execute();
      return 'done';
    }),
  rename: (codehostId: number, { id, name }: Omit<View, 'address'>): Promise<ViewChange> =>
    database.transaction(async (queries) => {
      await lock(queries, 'savedViews');
      const own = await listViews(queries, codehostId);
      if (!own.some((one) => one.id === id)) return 'unknown';
      if (own.some((one) => one.name === name && one.id !== id)) return 'same_name';
      await queries.db.updateTable('saved_views').set({ name }).where('id', '=', id).execute();
      return 'done';
    }),
  async remove(codehostId: number, id: number): Promise<ViewChange> {
    const { numDeletedRows } = await database.db
      .deleteFrom('saved_views')
      .where('codehostId', '=', codehostId)
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return numDeletedRows > 0n ? 'done' : 'unknown';
  },
});

async function ofPage({ db }: Queries, page: string, feature: string): Promise<SharedAddress[]> {
  const rows = await db
    .selectFrom('saved_views as view')
    .distinctOn('view.address')
    .select(['view.address', 'view.createdAt'])
    .where(({ eb, fn, val }) =>
      eb(fn<boolean>('starts_with', [fn<string>('lower', ['view.address']), val(`${page}?`.toLowerCase())]), '=', true),
    )
    .where(({ exists, not, or, selectFrom }) =>
      or([
        // Without groups there is one owner, who may use everything.
        not(exists(selectFrom('user_groups').select('user_groups.codehostId'))),
        exists(
          selectFrom('user_groups')
            .leftJoin('group_permissions', 'group_permissions.group', 'user_groups.group')
            .select('user_groups.codehostId')
            .whereRef('user_groups.codehostId', '=', 'view.codehostId')
            .where(({ eb, and, or: either }) =>
              either([
                eb('user_groups.group', '=', 'admin'),
                and([eb('group_permissions.flag', '=', feature), eb('group_permissions.granted', '=', true)]),
              ]),
            ),
        ),
      ]),
    )
    .orderBy('view.address')
    .orderBy('view.createdAt')
    .execute();
  return rows.sort((one, other) => other.createdAt - one.createdAt);
}

const listViews = ({ db }: Queries, codehostId: number): Promise<View[]> =>
  db
    .selectFrom('saved_views')
    .select(['id', 'name', 'address'])
    .where('codehostId', '=', codehostId)
    .orderBy('name')
    .execute();
