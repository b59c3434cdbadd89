import type { z } from 'zod';
import type { Instant } from '../metrics/kernel/facts.ts';
import { Problem } from '../platform/problem.ts';
import type { Store } from '../store/orm.ts';
import type { SettingChange as Change, SettingEdit } from '../store/settings.ts';

/** A value that the people who run the service can change, with what holds until they do. */
export interface Setting<Shape extends z.ZodObject> {
  key: string;
  title: string;
  shape: Shape;
  /** What can be saved, where that is less than what may be stored already. */
  input?: Shape;
  fallback: z.output<Shape>;
  /** How a field is shown in the audit log, which is kept forever, where that is not as it is. */
  audited?: Change['audited'];
  /** What else a new value brings about in the database, in the place of the one before. */
  saved?(value: z.output<Shape>, store: Store, change: SettingChange<z.output<Shape>>): Promise<unknown>;
}

interface SettingChange<Value> {
  before: Value;
  now: Instant;
}

export interface SettingInEffect<Value> {
  value: Value;
  source: 'default' | 'saved';
  updatedBy: string | null;
  updatedAt: number | null;
  /** Moves with every change; 0 while nothing is saved. */
  version: number;
  databaseAvailable: boolean;
}

export const setting = <Shape extends z.ZodObject>(spec: Setting<Shape>) => Object.freeze(spec);

/** What is in effect now. A missing or unreadable database means the fallback, never an error. */
export async function readSetting<Shape extends z.ZodObject>(
  { key, shape, fallback }: Setting<Shape>,
  store: Store | null,
): Promise<SettingInEffect<z.output<Shape>>> {
  const silent = { value: fallback, source: 'default', updatedBy: null, updatedAt: null, version: 0 } as const;
  if (!store) return { ...silent, databaseAvailable: false };
  const row = await store.settings.get(key).catch(() => undefined);
  if (row === undefined) return { ...silent, databaseAvailable: false };
  // What a later version added to the shape is as it was before it could be saved.
  const saved = row && shape.safeParse(withFallback(row.value, fallback));
  if (!row || !saved?.success) return { ...silent, version: row?.version ?? 0, databaseAvailable: true };
  const { updatedBy, updatedAt, version } = row;
  return { value: saved.data, source: 'saved', updatedBy, updatedAt, version, databaseAvailable: true };
}

/**
 * Saves a value that fits the shape. Saving the same again changes nothing.
 * @throws Problem `edit_conflict`
 */
export async function saveSetting<Shape extends z.ZodObject>(
  setting: Setting<Shape>,
  value: z.output<Shape>,
  { store, by }: { store: Store; by: SettingEdit },
): Promise<void> {
  const { value: before } = await readSetting(setting, store);
  await putSetting(store, setting.key, { value, ...(setting.audited && { audited: setting.audited }), by });
  await setting.saved?.(value, store, { before, now: by.now });
}

/**
 * Stores a setting, unless it is no longer what it was changed from.
 * @throws Problem `edit_conflict`
 */
export async function putSetting({ settings }: Pick<Store, 'settings'>, key: string, change: Change): Promise<void> {
  if ((await settings.put(key, change)) === 'outdated')
    throw new Problem('edit_conflict', 'These settings changed since they were read. Check them, and save again.');
}

const withFallback = (value: unknown, fallback: object): unknown =>
  typeof value === 'object' && value !== null ? { ...fallback, ...value } : value;
