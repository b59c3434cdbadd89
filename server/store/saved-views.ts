import type { Instant } from '../metrics/kernel/facts.ts';
import type { Database, Queries } from './database.ts';
import { lock } from './locks.ts';

export interface View {
  id: number;
  name: string;
  /** Path and query of a page of this service. */
  address: string;
}

/** What came of a change: done, or why not. */
export type ViewChange = 'done' | 'full' | 'same_name' | 'unknown';

/** Named addresses of people, each seen by its owner alone. */
export const savedViews = (database: Database) => ({
  list: (codehostId: number): Promise<View[]> => listViews(database, codehostId),
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

const listViews = ({ db }: Queries, codehostId: number): Promise<View[]> =>
  db
    .selectFrom('saved_views')
    .select(['id', 'name', 'address'])
    .where('codehostId', '=', codehostId)
    .orderBy('name')
    .execute();
