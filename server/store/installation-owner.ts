import type { Instant } from '../metrics/facts.ts';
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
    const [row] = await database.query<{ value: Owner }>('select value from settings where key = $1', [key]);
    return row?.value ?? null;
  },
  /** Makes this account the owner where there is none. Of several at the same time one wins. */
  async claim({ id, login }: Owner, now: Instant): Promise<void> {
    await database.query(insert, [key, JSON.stringify({ id, login }), login, now]);
  },
});

const insert = `
  insert into settings (key, value, updated_by, updated_at, version)
  values ($1, $2::jsonb, $3, to_timestamp($4::float8 / 1000), 1) on conflict (key) do nothing`;
