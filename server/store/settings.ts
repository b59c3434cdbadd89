import type { Selectable } from 'kysely';
import { type AuditEntry, appendAudit, type ChangedBy } from './audit.ts';
import type { Database, Queries, Tables } from './database.ts';
import { lock } from './locks.ts';
import type { versions as readVersions } from './versions.ts';

/** `secretSealed` is a key sealed before it came here, `secretHint` the few characters of it that may be shown. */
export type SavedSetting = Omit<Selectable<Tables['settings']>, 'key'>;

export interface SettingChange {
  /** An object of JSON values. */
  value: object;
  /** undefined keeps the stored secret, null removes it. */
  secret?: { sealed: string; hint: string } | null;
  /** How a field is shown in the audit log, where that is not as it is. */
  audited?: Readonly<Record<string, (value: unknown) => unknown>>;
  by: SettingEdit;
}

/** A change is of what was saved with this version, where it names one, 0 for nothing; none is made of another. */
export interface SettingEdit extends ChangedBy {
  version?: number | undefined;
}

/** Every page reads some: what was read is given again until any of them changes. */
export const settings = (database: Database, versions: Pick<ReturnType<typeof readVersions>, 'read'>) => {
  const known = new Map<string, { version: string; saved: SavedSetting | null }>();
  return {
    async get(key: string): Promise<SavedSetting | null> {
      const version = (await versions.read(['settings'])).get('settings') ?? '';
      const before = known.get(key);
      if (before?.version === version) return before.saved;
      const saved = (await findSetting(database, key).executeTakeFirst()) ?? null;
      known.set(key, { version, saved });
      return saved;
    },
    /** Every stored secret, by the key of its setting. */
    secrets: (): Promise<{ key: string; sealed: string }[]> =>
      database.db
        .selectFrom('settings')
        .select(['key', 'secretSealed as sealed'])
        .where('secretSealed', 'is not', null)
        .$narrowType<{ sealed: string }>()
        .execute(),
    /** Stores a secret that was sealed anew, unless another one was saved meanwhile. */
    async replaceSecret(key: string, before: string, sealed: string): Promise<void> {
      await database.db
        .updateTable('settings')
        .set({ secretSealed: sealed })
        .where('key', '=', key)
        .where('secretSealed', '=', before)
        .execute();
    },
    /**
     * Saves a setting; of two writers that name no version the last one wins. Saving the same again changes nothing.
     * Answers the version.
     */
    put: (key: string, change: SettingChange): Promise<number | 'outdated'> =>
      database.transaction((queries) => putSetting(queries, key, change)),
  };
};

const findSetting = ({ db }: Queries, key: string) =>
  db
    .selectFrom('settings')
    .select(['value', 'secretSealed', 'secretHint', 'updatedBy', 'updatedAt', 'version'])
    .where('key', '=', key);

async function putSetting(
  queries: Queries,
  key: string,
  { value, secret, audited = {}, by }: SettingChange,
): Promise<number | 'outdated'> {
  await lock(queries, 'settings');
  const saved = await findSetting(queries, key).executeTakeFirst();
  const changed = changedIn(saved?.value, value);
  if (saved && secret === undefined && changed === null) return saved.version;
  if (by.version !== undefined && by.version !== (saved?.version ?? 0)) return 'outdated';
  const next = {
    value,
    ...(secret !== undefined && { secretSealed: secret?.sealed ?? null, secretHint: secret?.hint ?? null }),
    updatedBy: by.actor.login,
    updatedAt: by.now,
  };
  const { version } = await queries.db
    .insertInto('settings')
    .values({ key, version: 1, ...next })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((eb) => ({ ...next, version: eb('settings.version', '+', 1) })),
    )
    .returning('version')
    .executeTakeFirstOrThrow();
  const keyChanged = secret === undefined ? {} : { key_changed: true };
  const entry: AuditEntry = {
    category: 'settings',
    action: `settings.${key}_saved`,
    actor: by.actor,
    targetType: 'setting',
    target: key,
    before: saved ? masked(changed?.before ?? {}, audited) : null,
    after: { ...masked(changed?.after ?? {}, audited), ...keyChanged },
    requestId: by.requestId,
    note: null,
  };
  await appendAudit(queries, entry, by.now);
  return version;
}

type Fields = Record<string, unknown>;

/** The fields that differ, as they were and as they are; null when none does. */
function changedIn(before: unknown, after: unknown): { before: Fields; after: Fields } | null {
  const [old, now] = [toFields(before), toFields(after)];
  const keys = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  const differing = keys.filter((key) => JSON.stringify(old[key]) !== JSON.stringify(now[key]));
  if (differing.length === 0) return null;
  const only = (fields: Fields) => Object.fromEntries(differing.map((key) => [key, fields[key]]));
  return { before: only(old), after: only(now) };
}

const masked = (fields: Fields, audited: NonNullable<SettingChange['audited']>): Fields =>
  Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, audited[key]?.(value) ?? value]));

const toFields = (value: unknown): Fields => (value === null || typeof value !== 'object' ? {} : { ...value });
