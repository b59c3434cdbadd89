import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { operations } from '../../server/api/registry.ts';
import { administered, guarded, named, open, visitService, withQuery } from './endpoints.ts';

const visit = visitService({ MODE: 'organization', RATE_LIMIT_SESSION_PER_MINUTE: '0' });

interface Write {
  method: string;
  path: string;
  /** Where the path names somebody: the address itself. */
  address?: string;
  body?: unknown;
}

/** Every write of people there is. A token is set up where one person uses the service alone, and stands elsewhere. */
const writes: readonly Write[] = [...guarded, ...administered, ...open].filter(
  ({ method, path }) => method !== 'GET' && path !== '/api/auth/setup',
);

interface JsonField {
  type?: string | string[];
  anyOf?: { type?: string }[];
}

/** The fields that an operation takes in its body, as JSON has them. */
function fieldsOf(write: Write): { fields: Record<string, JsonField>; required: readonly string[] } {
  const { input } = operations.find((one) => named(one) === named(write)) ?? {};
  if (!input) throw new Error(`There is no ${named(write)}.`);
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  const inPath = [...write.path.matchAll(/\[(\w+)\]/g)].map(([, name]) => name);
  const isInBody = (name: string) => !inPath.includes(name);
  return {
    fields: Object.fromEntries(Object.entries(properties as object).filter(([name]) => isInBody(name))),
    required: required.filter(isInBody),
  };
}

const typeOf = ({ type, anyOf = [] }: JsonField) =>
  [type, ...anyOf.map((one) => one.type)].flat().find((one) => one !== undefined && one !== 'null') ?? 'string';

/** What is of another type, and looks like a value of this one. */
const lookalikes: Readonly<Record<string, readonly unknown[]>> = {
  integer: ['8', 8.5, true, [8]],
  number: ['5', '', true, [5]],
  boolean: ['true', 'false', 1, 0],
  string: [8, true, ['text'], {}],
  array: ['dev', { 0: 'dev' }],
  object: ['{}', 8, true, [8]],
};

const inBody = writes.filter(({ method }) => method !== 'DELETE');
const everyField = inBody.flatMap((write) =>
  Object.entries(fieldsOf(write).fields).map(([field, schema]) => ({ write, name: named(write), field, schema })),
);

/** A minute later each time, so that nothing is counted against it. */
async function send({ method, path, address = path }: Write, body: unknown, query = '') {
  visit.service.clock.advance(60_000);
  return visit.service.ask(method, withQuery(address, query), { as: 'token-ann', body });
}

describe('a JSON body', () => {
  test.each(everyField)('of $name keeps the type of $field', async ({ write, field, schema }) => {
    for (const value of lookalikes[typeOf(schema)] ?? []) {
      const answer = await send(write, { ...(write.body as object), [field]: value });
      expect({ value, status: answer.status, code: answer.body.code }).toEqual({
        value,
        status: 400,
        code: 'invalid_request',
      });
      const wrong = answer.body.details.fields.filter((one: { field: string }) => one.field === field);
      expect(wrong).toMatchObject([{ field, reason: 'invalid' }]);
      // A sentence about the field, without the words of a schema library.
      expect(wrong[0].message).toMatch(new RegExp(`^${field} (must|is|are|has|have) .+\\.$`));
      expect(wrong[0].message).not.toMatch(/[<>]|expected|received|[Ii]nvalid (input|string)|Too (big|small)/);
    }
  });

  test.each(everyField.filter(({ schema }) => typeOf(schema) === 'string'))(
    'of $name has no character in $field that is no text',
    async ({ write, field }) => {
      for (const text of ['a\u0000b', 'a\ud800b']) {
        const answer = await send(write, { ...(write.body as object), [field]: text });
        expect([field, answer.status < 500 || answer.body.code !== 'internal']).toEqual([field, true]);
      }
    },
  );

  test('has numbers and truth values that were tried', () => {
    const types = new Set(everyField.map(({ schema }) => typeOf(schema)));
    expect([...types].sort()).toEqual(['array', 'boolean', 'integer', 'number', 'object', 'string']);
  });
});

describe('the query of a write', () => {
  const demanding = inBody
    .map((write) => ({ write, name: named(write), ...fieldsOf(write) }))
    .filter(({ required }) => required.length > 0);

  test.each(demanding)('of $name says nothing of what belongs into the body', async ({ write, required }) => {
    const query = new URLSearchParams(
      Object.entries(write.body as object).map(([name, value]) => [name, String(value)]),
    );
    const answer = await send(write, {}, query.toString());
    expect(answer.status).toBe(400);
    const missing = answer.body.details.fields.map((one: { field: string; reason: string }) => one);
    for (const field of required) expect(missing).toContainEqual(expect.objectContaining({ field, reason: 'missing' }));
  });

  test.each(writes.filter(({ method }) => method === 'DELETE'))('$method $path takes no body', async (write) => {
    const answer = await send(write, { id: 1 }, 'id=4711&alias=nobody&a=x&b=y');
    expect(answer.body.details.fields).toContainEqual(expect.objectContaining({ field: 'id', reason: 'unknown' }));
  });

  test('may name what is synchronized, and the body does not name it again', async () => {
    const sync = { method: 'POST', path: '/api/db/sync' };
    expect((await send(sync, undefined, 'org=octo')).status).toBe(200);
    const twice = await send(sync, { owner: 'octo', repo: 'web' }, 'owner=octo&repo=api');
    expect(twice.body.details.fields.map(({ field, reason }: Record<string, string>) => [field, reason])).toEqual([
      ['owner', 'duplicate'],
      ['repo', 'duplicate'],
    ]);
  });
});
