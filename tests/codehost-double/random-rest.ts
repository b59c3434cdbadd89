import fc from 'fast-check';
import { between, pickOne } from '../../server/demo/random.ts';
import { type RandomStream, randomStream } from '../../server/metrics/kernel/random-stream.ts';
import { type Operation, referred, responseFault, type Schema } from './description.ts';
import {
  chance,
  listOf,
  randomAddress,
  randomDate,
  randomInstant,
  randomInteger,
  randomText,
} from './random-values.ts';

/** A random body that the description allows for the answer of an operation. */
export function randomBody(operation: Operation, seed: string): unknown {
  const schema = operation.responses['200'];
  if (!schema) throw new Error(`${operation.id} describes no answer with status 200`);
  let fault: string | null = null;
  // Of alternatives of which just one may fit, a value can fit several: then another is made.
  for (let attempt = 0; attempt < 50; attempt++) {
    const body = made(randomStream(seed, attempt), schema, '', 0);
    fault = responseFault(operation, 200, body);
    if (fault === null) return body;
  }
  throw new Error(`No random answer fits: ${fault}`);
}

/** Deeper than this only what must be there is. */
const deepest = 6;

function made(random: RandomStream, node: Schema, name: string, depth: number): unknown {
  const schema = referred(node);
  if (schema.nullable === true && chance(random, 0.25)) return null;
  if (Array.isArray(schema.enum)) return pickOne(random, schema.enum);
  const alternatives = (schema.oneOf ?? schema.anyOf) as Schema[] | undefined;
  if (alternatives) {
    const chosen = made(random, pickOne(random, alternatives), name, depth);
    const own = schema.properties ? made(random, { ...schema, oneOf: undefined, anyOf: undefined }, name, depth) : {};
    return isObject(chosen) ? { ...(own as object), ...chosen } : chosen;
  }
  if (Array.isArray(schema.allOf)) {
    const parts = (schema.allOf as Schema[]).map((part) => made(random, part, name, depth));
    return parts.length === 1 ? parts[0] : Object.assign({}, ...parts);
  }
  return plainValue(random, schema, name, depth);
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function plainValue(random: RandomStream, schema: Schema, name: string, depth: number): unknown {
  const type = schema.type ?? (schema.properties ? 'object' : 'any');
  if (type === 'null') return null;
  if (type === 'boolean') return chance(random, 0.5);
  if (type === 'integer' || type === 'number') return numberOf(random, schema, type, name);
  if (type === 'string') return textOf(random, schema, name);
  if (type === 'array') return arrayOf(random, schema, name, depth);
  if (type === 'object') return objectOf(random, schema, depth);
  return pickOne<unknown>(random, [null, 'any', 7, true, {}, []]);
}

function numberOf(random: RandomStream, schema: Schema, type: string, name: string): number {
  const lowest = (schema.minimum as number | undefined) ?? -(2 ** 31);
  const highest = (schema.maximum as number | undefined) ?? Number.MAX_SAFE_INTEGER;
  const complete = randomInteger(random, name, Math.ceil(lowest), Math.floor(highest));
  return type === 'number' && complete < highest && chance(random, 0.5) ? complete + 0.25 : complete;
}

function textOf(random: RandomStream, schema: Schema, name: string): string {
  if (schema.format === 'date-time') return randomInstant(random);
  if (schema.format === 'date') return randomDate(random);
  if (schema.format === 'uri') return randomAddress(random);
  if (schema.format === 'email') return 'somebody@codehost.example';
  if (typeof schema.pattern === 'string') return matching(random, new RegExp(schema.pattern));
  const text = randomText(random, name);
  return text
    .padEnd((schema.minLength as number | undefined) ?? 0, 'x')
    .slice(0, schema.maxLength as number | undefined);
}

const matching = (random: RandomStream, pattern: RegExp): string =>
  fc.sample(fc.stringMatching(pattern), { seed: between(random, 0, 1e9), numRuns: 1 })[0] ?? '';

function arrayOf(random: RandomStream, schema: Schema, name: string, depth: number): unknown[] {
  const least = (schema.minItems as number | undefined) ?? 0;
  const most = Math.max(least, Math.min((schema.maxItems as number | undefined) ?? 4, depth > deepest ? 0 : 4));
  const item = () => made(random, (schema.items ?? {}) as Schema, name, depth + 1);
  const given = listOf(random, most, item);
  while (given.length < least) given.push(item());
  return schema.uniqueItems === true ? [...new Set(given)] : given;
}

function objectOf(random: RandomStream, schema: Schema, depth: number): object {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  const required = new Set((schema.required ?? []) as string[]);
  const present = properties.filter(([key]) => required.has(key) || (depth <= deepest && chance(random, 0.7)));
  const more = schema.additionalProperties;
  const extra = isObject(more) && depth <= deepest ? listOf(random, 2, () => randomText(random, 'name')) : [];
  return Object.fromEntries([
    ...extra.map((key) => [key, made(random, more as Schema, key, depth + 1)]),
    ...present.map(([key, one]) => [key, made(random, one, key, depth + 1)]),
  ]);
}
