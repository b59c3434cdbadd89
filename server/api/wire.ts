import { z } from 'zod';
import { type CamelCase, camelCase } from '../domain/wire.ts';

/** What a schema takes, with the fields in camelCase: an answer as reports and operations return it. */
export type Domain<Schema extends z.ZodType> = CamelCase<z.input<Schema>>;

/** An answer as it leaves: with the fields of its schema, which is applied. */
export const toAnswer = <Schema extends z.ZodType>(schema: Schema, answer: Domain<Schema>): z.output<Schema> =>
  schema.parse(toWire(schema, answer));

/** An answer of the program with its fields as the schema names them. What is not declared is left out. */
export function toWire(schema: z.ZodType, answer: unknown): unknown {
  const known = writers.get(schema) ?? compile(describe(schema)) ?? asItIs;
  writers.set(schema, known);
  return known(answer);
}

type Write = (value: unknown) => unknown;

const asItIs: Write = (value) => value;
const writers = new WeakMap<z.ZodType, Write>();

/** What there may be at one place of an answer. */
interface Place {
  /** The fields of an object, by their names in the answer. */
  fields: ReadonlyMap<string, Place> | null;
  /** The values of an object whose keys are names of things, which stay as they are. */
  values: Place | null;
  /** The items of a list. */
  items: Place | null;
}

const plain: Place = { fields: null, values: null, items: null };

function describe(schema: unknown): Place {
  if (schema instanceof z.ZodObject) return describeObject(schema);
  if (schema instanceof z.ZodRecord) {
    const values = describe(schema.valueType);
    if (!(schema.keyType instanceof z.ZodEnum)) return { ...plain, values };
    return { ...plain, fields: new Map(schema.keyType.options.map((key) => [String(key), values])) };
  }
  if (schema instanceof z.ZodArray) return { ...plain, items: describe(schema.element) };
  if (schema instanceof z.ZodUnion) return schema.options.map(describe).reduce(merge);
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return describe(schema.unwrap());
  if (schema instanceof z.ZodPipe) return describe(schema.in);
  if (schema instanceof z.ZodType && plainTypes.has(schema.type)) return plain;
  throw new Error('toWire() does not know how to write this part of an answer.');
}

/** One that is open for any other field is free JSON. */
const describeObject = ({ shape, def }: z.ZodObject): Place =>
  def.catchall
    ? plain
    : { ...plain, fields: new Map(Object.entries(shape).map(([field, part]) => [field, describe(part)])) };

const plainTypes: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'null', 'literal', 'enum', 'unknown']);

function merge(a: Place, b: Place): Place {
  if ((a.fields && b.values) || (a.values && b.fields)) throw new Error('Keys are either fields or names of things.');
  return {
    fields: a.fields && b.fields ? mergeFields(a.fields, b.fields) : (a.fields ?? b.fields),
    values: a.values && b.values ? merge(a.values, b.values) : (a.values ?? b.values),
    items: a.items && b.items ? merge(a.items, b.items) : (a.items ?? b.items),
  };
}

function mergeFields(a: ReadonlyMap<string, Place>, b: ReadonlyMap<string, Place>) {
  const merged = new Map(a);
  for (const [field, place] of b) merged.set(field, merge(merged.get(field) ?? plain, place));
  return merged;
}

/** null where nothing has another name in the program. */
function compile({ fields, values, items }: Place): Write | null {
  const writeItem = items && compile(items);
  const writeObject = fields ? compileFields(fields) : compileValues(values);
  if (!writeItem && !writeObject) return null;
  return (value) => {
    if (value === null || typeof value !== 'object') return value;
    if (Array.isArray(value)) return writeItem ? value.map(writeItem) : value;
    return writeObject ? writeObject(value as Record<string, unknown>) : value;
  };
}

function compileFields(fields: ReadonlyMap<string, Place>) {
  const named = [...fields].map(([field, place]) => ({ field, name: camelCase(field), write: compile(place) }));
  if (named.every(({ field, name, write }) => field === name && write === null)) return null;
  return (value: Readonly<Record<string, unknown>>) => {
    const wire: Record<string, unknown> = {};
    for (const { field, name, write } of named) {
      const part = value[name];
      if (part !== undefined) wire[field] = write ? write(part) : part;
    }
    return wire;
  };
}

function compileValues(values: Place | null) {
  const write = values && compile(values);
  if (!write) return null;
  return (value: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(value).map(([key, part]) => [key, write(part)]));
}
