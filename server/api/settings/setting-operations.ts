import { z } from 'zod';
import { type Context, changedBy } from '../../access/context.ts';
import type { Access } from '../../access/rules.ts';
import { fromWire } from '../../domain/wire.ts';
import { instant } from '../../reports/kernel/instants.ts';
import { readSetting, type Setting, type SettingInEffect, saveSetting } from '../../settings/setting.ts';
import { adminWrites, operation } from '../operation.ts';
import type { Domain } from '../wire.ts';
import { changedVersion, shownVersion } from './version.ts';

/** The operation that shows what of a setting is in effect, as far as the caller may see it. */
export function readOperation<Shape extends z.ZodObject>(
  path: `/api/${string}`,
  setting: Setting<Shape>,
  access: Access,
  show: (value: z.output<Shape>, context: Context) => Promise<z.output<Shape>> = async (value) => value,
) {
  return operation({
    method: 'GET',
    path,
    summary: `${setting.title}: what is in effect`,
    access,
    input: z.object({}),
    output: createAnswerSchema(setting),
    async run(_input, context) {
      const stored = await readSetting(setting, context.services.store);
      return toAnswer(setting, { ...stored, value: await show(stored.value, context) });
    },
  });
}

/** The operation that saves it; it answers like the other. */
export function saveOperation<Shape extends z.ZodObject>(
  path: `/api/${string}`,
  setting: Setting<Shape>,
  access: Access,
) {
  return operation({
    method: 'PUT',
    path,
    summary: `${setting.title}: save what holds from now on`,
    access,
    limit: adminWrites,
    failures: ['edit_conflict'],
    input: createInputSchema(setting),
    output: createAnswerSchema(setting),
    async run(given, context) {
      const { store } = context;
      const { version, ...value } = given as unknown as { version?: number };
      const by = { ...(await changedBy(context)), version };
      await saveSetting(setting, value as unknown as z.output<Shape>, { store, by });
      return toAnswer(setting, await readSetting(setting, store));
    },
  });
}

/** What can be saved, and optionally which version it is a change of. */
function createInputSchema<Shape extends z.ZodObject>({ input, shape }: Setting<Shape>): Shape {
  const savable: z.ZodObject = input ?? shape;
  return savable.extend({ version: changedVersion }) as unknown as Shape;
}

function createAnswerSchema<Shape extends z.ZodObject>({ shape }: Setting<Shape>) {
  const fields: Shape['shape'] = shape.shape;
  return z.object({
    ...fields,
    defaults: z.object(fields),
    source: z.enum(['default', 'saved']),
    updated_by: z.string().nullable(),
    updated_at: instant.nullable(),
    version: shownVersion,
    db_available: z.boolean(),
  });
}

/** A value as the program names its fields, those of listed objects too. */
const inProgram = (value: object): object =>
  Object.fromEntries(
    Object.entries(fromWire(value)).map(([key, field]) => [
      key,
      Array.isArray(field) ? field.map(listedInProgram) : field,
    ]),
  );

const listedInProgram = (item: unknown): unknown => (typeof item === 'object' && item !== null ? fromWire(item) : item);

function toAnswer<Shape extends z.ZodObject>(
  setting: Setting<Shape>,
  { value, source, updatedBy, updatedAt, version, databaseAvailable }: SettingInEffect<z.output<Shape>>,
) {
  return {
    ...inProgram(value),
    defaults: inProgram(setting.fallback),
    source,
    updatedBy,
    updatedAt,
    version,
    dbAvailable: databaseAvailable,
  } as unknown as Domain<ReturnType<typeof createAnswerSchema<Shape>>>;
}
