import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import type { Context } from '../../server/access/context.ts';
import { type Measurement, unexplained, valueAt } from '../../server/mcp/measurement.ts';
import type { Part, Reader } from '../../server/mcp/reader.ts';
import { tools } from '../../server/mcp/tools/all.ts';
import { anyDatabase, type Service, startService } from '../support/service.ts';
import { calls } from './calls.ts';

let service: Service;

beforeAll(async () => {
  service = await startService({ DATABASE_URL: anyDatabase, RATE_LIMIT_SESSION_PER_MINUTE: '0' });
  await service.ask('POST', '/api/db/sync?owner=octo&repo=web', { as: 'token-ann' });
});
afterAll(() => service.close());

/** Of these the answer itself says why a number is missing, which the tool repeats. */
const saidByAnswer = new Set(['compare_periods', 'explain_number', 'expected']);

interface Read {
  path: string;
  output: z.ZodType;
}

/** Reads the API, and hands on its answers as `change` makes them. */
function readerOf(reads: Read[], change: (path: string, answer: unknown) => unknown): Reader {
  const read: Reader['read'] = async (operation, params = {}) => {
    const given = Object.entries(params).flatMap(([name, value]) => (value === undefined ? [] : [[name, `${value}`]]));
    const path = `${operation.path}?${new URLSearchParams(given)}`;
    const { status, body, headers } = await service.ask('GET', path, { as: 'token-ann' });
    expect([path, status]).toEqual([path, 200]);
    reads.push({ path, output: operation.output });
    const answer = change(path, body) as Part<never>['answer'];
    return { path, answer, headers, readAt: new Date(service.clock.now()).toISOString() };
  };
  const actor = async () => ({ login: 'ann' });
  const context = { services: service.app.services, actor } as unknown as Context;
  return { context, notes: [], read, readPart: (_part, operation, params) => read(operation, params) };
}

/** The schema inside, and whether null may stand in its place. */
function unwrap(schema: z.ZodType): { schema: z.ZodType; isNullable: boolean } {
  const { def } = schema as unknown as { def: { type: string; innerType?: z.ZodType; in?: z.ZodType } };
  const inner = def.innerType ?? (def.type === 'pipe' ? def.in : undefined);
  if (!inner) return { schema, isNullable: false };
  const found = unwrap(inner);
  return { schema: found.schema, isNullable: found.isNullable || def.type === 'nullable' };
}

/** The place from which on a number at a pointer may be null; null where it never is. */
function nullableFrom(output: z.ZodType, pointer: string): string | null {
  let { schema, isNullable } = unwrap(output);
  let [way, from]: [string, string | null] = ['', null];
  for (const token of pointer.split('/').slice(1)) {
    const { def } = schema as unknown as {
      def: { type: string; shape?: Record<string, z.ZodType>; element?: z.ZodType };
    };
    const next = def.type === 'array' ? def.element : def.shape?.[token];
    if (!next) throw new Error(`${pointer}: nothing is declared at ${token} of ${def.type}`);
    way += `/${token}`;
    ({ schema, isNullable } = unwrap(next));
    if (isNullable) from ??= way;
  }
  return from;
}

function withNull(answer: unknown, pointers: readonly string[]): unknown {
  const copy = structuredClone(answer);
  for (const pointer of pointers) {
    const end = pointer.lastIndexOf('/');
    const parent = valueAt(copy, pointer.slice(0, end));
    if (typeof parent === 'object' && parent !== null) Object.assign(parent, { [pointer.slice(end + 1)]: null });
  }
  return copy;
}

test('a number that the API may answer as null has a reason of its own in every tool', async () => {
  let [withReason, withValue] = [0, 0];
  for (const [name, given] of calls) {
    const tool = tools.find((one) => one.name === name);
    if (!tool) throw new Error(name);
    const input = tool.input.parse(given);
    const reads: Read[] = [];
    const { measurements } = await tool.run(
      input,
      readerOf(reads, (_, answer) => answer),
    );
    const nullable = measurements.flatMap(({ rest }) => {
      const output = reads.find(({ path }) => path === rest.path)?.output;
      if (!output) throw new Error(`${name} never read ${rest.path}`);
      const from = nullableFrom(output, rest.pointer);
      return from === null ? [] : [{ ...rest, from }];
    });
    const isNullable = ({ rest }: Measurement) =>
      nullable.some(({ path, pointer }) => path === rest.path && pointer === rest.pointer);
    const emptied = readerOf([], (path, answer) =>
      withNull(
        answer,
        nullable.filter((one) => one.path === path).map(({ from }) => from),
      ),
    );
    for (const one of (await tool.run(input, emptied)).measurements) {
      if (saidByAnswer.has(name) || saidByAnswer.has(one.key)) continue;
      if (!isNullable(one)) {
        expect([name, one.key, one.missing]).toEqual([name, one.key, null]);
        withValue++;
        continue;
      }
      expect([name, one.key, one.value]).toEqual([name, one.key, null]);
      expect([name, one.key, one.missing], 'a reason').not.toEqual([name, one.key, unexplained]);
      withReason++;
    }
  }
  expect(withReason).toBeGreaterThan(50);
  expect(withValue).toBeGreaterThan(10);
});
