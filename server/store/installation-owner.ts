import type { Instant } from '../metrics/kernel/facts.ts';
import type { Database } from './database.ts';

/** The account that a standalone installation belongs to; `id` is the platform's and survives a new login. */
export interface Owner {
  id: number;
  login: string;
}

const key = 'standalone_owner';

export const installationOwner = (database: Database) => ({
  /** null while nobody has signed in. */
  async find(): Promise<Owner | null> {
    const row = await database.db.selectFrom('settings').select('value').where('key', '=', key).executeTakeFirst();
    return (row?.value as Owner | undefined) ?? null;
  },
  canClaim: async (): Promise<boolean> => true,
  /** Makes this account the owner where there is none. Of several at the same time one wins. */
  async claim({ id, login }: Owner, now: Instant): Promise<void> {
    await database.db
      .insertInto('settings')
      .values({ key, value: { id, login }, updatedBy: login, updatedAt: now, version: 1 })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  },
});
