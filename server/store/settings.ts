import type { Instant } from '../metrics/facts.ts';
import type { Database } from './database.ts';

export interface SavedSetting {
  value: unknown;
  /** A key sealed before it came here, and the few characters that may be shown of it. */
  secretSealed: string | null;
  secretHint: string | null;
  updatedBy: string;
  updatedAt: Instant;
  /** Grows by one with every change. */
  version: number;
}

export interface SettingChange {
  value: unknown;
  /** Left out: what is stored stays. null: it is removed. */
  secret?: { sealed: string; hint: string } | null;
  updatedBy: string;
  now: Instant;
}

export function settings(database: Database) {
  return {
    async get(key: string): Promise<SavedSetting | null> {
      // Every page asks for some: plain SQL costs a third of a fresh unit of work.
      const [row] = await database.query<SavedSetting>(select, [key]);
      return row ?? null;
    },
    /** Saves a setting; the last of two writers wins. Answers the new version. */
    async put(key: string, { value, secret, updatedBy, now }: SettingChange): Promise<number> {
      const parameters = [
        key,
        JSON.stringify(value),
        updatedBy,
        now,
        secret === undefined,
        secret?.sealed,
        secret?.hint,
      ];
      const [row] = await database.query<{ version: number }>(
        upsert,
        parameters.map((one) => one ?? null),
      );
      return row?.version ?? 1;
    },
  };
}

const select = `
  select value, secret_sealed as "secretSealed", secret_hint as "secretHint", updated_by as "updatedBy",
    (extract(epoch from updated_at) * 1000)::float8 as "updatedAt", version
  from settings where key = $1`;

const upsert = `
  insert into settings as saved (key, value, secret_sealed, secret_hint, updated_by, updated_at, version)
  values ($1, $2::jsonb, $6, $7, $3, to_timestamp($4::float8 / 1000), 1)
  on conflict (key) do update set
    value = excluded.value,
    secret_sealed = case when $5::boolean then saved.secret_sealed else excluded.secret_sealed end,
    secret_hint = case when $5::boolean then saved.secret_hint else excluded.secret_hint end,
    updated_by = excluded.updated_by, updated_at = excluded.updated_at, version = saved.version + 1
  returning version`;
