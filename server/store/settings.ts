import type { Instant } from '../metrics/facts.ts';
import { appendAudit, type ChangedBy } from './audit.ts';
import type { Database } from './database.ts';
import { saveSettings } from './locks.ts';

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
  /** An object of JSON values. */
  value: object;
  /** Left out: what is stored stays. null: it is removed. */
  secret?: { sealed: string; hint: string } | null;
  /** How a field is told in the audit log, where that is not as it is. */
  audited?: Readonly<Record<string, (value: unknown) => unknown>>;
  by: ChangedBy;
}

export const settings = (database: Database) => ({
  async get(key: string): Promise<SavedSetting | null> {
    // Every page asks for some: plain SQL costs a third of a fresh unit of work.
    const [row] = await database.query<SavedSetting>(select, [key]);
    return row ?? null;
  },
  /** Saves a setting; the last of two writers wins. Saying the same again changes nothing. Answers the version. */
  put: (key: string, { value, secret, audited = {}, by }: SettingChange): Promise<number> =>
    database.transaction(async ({ query }) => {
      await query(`select ${saveSettings}`);
      const [saved] = await query<SavedSetting>(select, [key]);
      const changed = changedIn(saved?.value, value);
      if (saved && secret === undefined && changed === null) return saved.version;
      const sealed = [secret === undefined, secret?.sealed ?? null, secret?.hint ?? null];
      const { actor, requestId, now } = by;
      const [row] = await query<{ version: number }>(upsert, [
        ...[key, JSON.stringify(value), actor.login, now],
        ...sealed,
      ]);
      const keyChanged = secret === undefined ? {} : { key_changed: true };
      const entry = {
        ...{
          category: 'settings' as const,
          action: `settings.${key}_saved`,
          actor,
          targetType: 'setting',
          target: key,
        },
        before: saved ? told(changed?.before ?? {}, audited) : null,
        after: { ...told(changed?.after ?? {}, audited), ...keyChanged },
        ...{ requestId, note: null },
      };
      await appendAudit({ query }, entry, now);
      return row?.version ?? 1;
    }),
});

type Fields = Record<string, unknown>;

/** The fields that differ, as they were and as they are; null when none does. */
function changedIn(before: unknown, after: unknown): { before: Fields; after: Fields } | null {
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  const keys = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  const differing = keys.filter((key) => JSON.stringify(old[key]) !== JSON.stringify(now[key]));
  if (differing.length === 0) return null;
  const only = (fields: Fields) => Object.fromEntries(differing.map((key) => [key, fields[key]]));
  return { before: only(old), after: only(now) };
}

const told = (fields: Fields, audited: NonNullable<SettingChange['audited']>): Fields =>
  Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, audited[key]?.(value) ?? value]));

const fieldsOf = (value: unknown): Fields => (value === null || typeof value !== 'object' ? {} : { ...value });

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
