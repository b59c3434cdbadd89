import type { Instant } from '../metrics/facts.ts';
import type { Database } from './database.ts';
import { SettingRow } from './entities/setting.ts';

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
      const row = await database.entities().findOne(SettingRow, { key });
      if (!row) return null;
      const { value, secretSealed, secretHint, updatedBy, updatedAt, version } = row;
      return {
        value,
        secretSealed: secretSealed ?? null,
        secretHint: secretHint ?? null,
        updatedBy,
        updatedAt: updatedAt.getTime(),
        version,
      };
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

const upsert = `
  insert into settings as saved (key, value, secret_sealed, secret_hint, updated_by, updated_at, version)
  values ($1, $2::jsonb, $6, $7, $3, to_timestamp($4::float8 / 1000), 1)
  on conflict (key) do update set
    value = excluded.value,
    secret_sealed = case when $5::boolean then saved.secret_sealed else excluded.secret_sealed end,
    secret_hint = case when $5::boolean then saved.secret_hint else excluded.secret_hint end,
    updated_by = excluded.updated_by, updated_at = excluded.updated_at, version = saved.version + 1
  returning version`;
