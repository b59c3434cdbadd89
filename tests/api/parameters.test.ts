import { describe, expect, test } from 'vitest';
import { operations } from '../../server/api/registry.ts';
import { anyDatabase } from '../support/service.ts';
import { expectFields, guarded, named, open, visitService, withQuery } from './endpoints.ts';
import { grammarOf, ranges } from './parameter-grammar.ts';

const visit = visitService({
  DATABASE_URL: anyDatabase,
  RATE_LIMIT_DEMO_PER_MINUTE: '0',
  RATE_LIMIT_SESSION_PER_MINUTE: '0',
});

/** Fields of an operation's input and a good value for each that must be given. */
const request = [...guarded, ...open]
  .filter(({ method }) => method === 'GET')
  .map((one) => ({ ...one, given: new URLSearchParams(one.query) }));
const inputOf = (path: string) => operations.find((one) => named(one) === `GET ${path}`)?.input.shape ?? {};

const cases = request.flatMap(({ path, given }) =>
  Object.keys(inputOf(path)).map((field) => ({
    path,
    given,
    field,
    range: ranges[`${path} ${field}`],
    texts: grammarOf(path, field),
  })),
);
const having = (given: URLSearchParams, field: string, ...values: string[]) => {
  const query = new URLSearchParams(given);
  query.delete(field);
  for (const value of values) query.append(field, value);
  return query.toString();
};
/** What is given beside a field: an organization is named in the place of a repository. */
function alternativeTo(given: URLSearchParams, path: string, field: string): URLSearchParams {
  const isOfEither = path === '/api/advisor/plan' || path === '/api/advisor/results';
  return isOfEither && field === 'org' ? new URLSearchParams() : given;
}
const ask = (path: string, query: string) => visit.service.ask('GET', withQuery(path, query), { as: 'token-ann' });
/** What is rejected by the grammar; anything else that happens to the question is another matter. */
const isRejected = async (path: string, query: string) => (await ask(path, query)).status === 400;

describe('the grammar of every parameter', () => {
  test('every parameter of every operation is in a table, or is free text', () => {
    const free = ['q', 'language', 'environment', 'job', 'return_to', 'code', 'state', 'error'];
    const missing = cases.filter(({ field, range, texts }) => !range && !texts && !free.includes(field));
    expect(missing.map(({ path, field }) => `${path} ${field}`)).toEqual([]);
    expect(cases.length).toBeGreaterThan(20);
  });

  test.each(cases.filter(({ texts }) => texts))('$path takes good values of $field', async (one) => {
    const { path, field, given, texts } = one;
    for (const value of texts?.good ?? [])
      expect({
        value,
        refused: await isRejected(path, having(alternativeTo(given, path, field), field, value)),
      }).toEqual({
        value,
        refused: false,
      });
  });

  test.each(cases.filter(({ texts }) => texts))('$path refuses bad values of $field', async (one) => {
    const { path, field, given, texts } = one;
    for (const value of texts?.bad ?? [])
      expectFields(await ask(path, having(given, field, value)), [field, 'invalid']);
  });

  test.each(cases.filter(({ range }) => range))('$path keeps the range of $field', async (one) => {
    const { path, field, given, range } = one as typeof one & {
      range: NonNullable<typeof one.range>;
    };
    const { least, most, clamps } = range;
    for (const value of [String(least - 1), 'x', '1.5', '1e2', ' 5', '5 ', '+5', '0x5'])
      expectFields(await ask(path, having(given, field, value)), [field, 'invalid']);
    for (const value of [String(least), String(most)]) {
      const answer = await ask(path, having(given, field, value));
      expect(answer.status).not.toBe(400);
      expect(answer.headers.get('x-effective-limit')).toBeNull();
    }
    const beyond = await ask(path, having(given, field, String(most * 2)));
    if (clamps === 'as the body says') expect(beyond.body.period_days).toBe(most);
    else if (clamps) expect(beyond.headers.get('x-effective-limit')).toBe(String(most));
    else expectFields(beyond, [field, 'invalid']);
  });

  test.each(cases)('$path refuses $field twice', async ({ path, given, field }) => {
    const value = given.get(field) ?? '1';
    const answer = await ask(path, having(given, field, value, value));
    expect(answer.status).toBe(400);
    expect(answer.body.details.fields).toContainEqual({
      field,
      reason: 'duplicate',
      message: `${field} is given more than once.`,
    });
  });

  // Without it they are about everything that the caller can see, or find nothing.
  const isOptional = ({ path, field }: (typeof cases)[number]) =>
    field === 'org' || path === '/api/db/sync' || path === '/api/search';
  test.each(cases.filter((one) => one.given.has(one.field) && !isOptional(one)))(
    '$path says that $field is missing, also when it is empty',
    async ({ path, given, field }) => {
      for (const values of [[], ['']]) {
        const answer = await ask(path, having(given, field, ...values));
        expectFields(answer, [field, 'missing']);
      }
    },
  );

  test.each(request)('$path ignores a key that it does not know', async ({ path, given }) => {
    expect((await ask(path, having(given, 'bogus', '1'))).status).not.toBe(400);
  });
});

describe('rules between parameters', () => {
  test('org-repos needs org', async () => {
    expectFields(await ask('/api/codehost/org-repos', ''), ['org', 'missing']);
  });

  test('every field at fault is named, in one answer', async () => {
    expectFields(
      await ask('/api/codehost/runs', 'owner=-a&repo=..&workflow_id=0'),
      ['owner', 'invalid'],
      ['repo', 'invalid'],
      ['workflow_id', 'invalid'],
    );
  });

  test('trends need repo unless they are about an organization', async () => {
    expectFields(await ask('/api/db/trends', 'owner=octo'), ['repo', 'missing']);
    expectFields(await ask('/api/db/trends', 'owner=octo&type=quarterly'), ['repo', 'missing']);
    expect((await ask('/api/db/trends', 'owner=octo&type=org')).status).toBe(200);
  });

  test('the demo needs resource and says what it may be', async () => {
    const without = await ask('/api/demo', '');
    expectFields(without, ['resource', 'missing']);
    expect(without.body.details.allowed).toEqual(['repos', 'runs', 'summary']);
    const wrong = await ask('/api/demo', 'resource=org');
    expectFields(wrong, ['resource', 'invalid']);
    expect(wrong.body.details.allowed).toEqual(['repos', 'runs', 'summary']);
  });

  test('a value never comes back in an error', async () => {
    const answer = await ask('/api/codehost/runs', 'owner=o%20SECRET&repo=web&workflow_id=SECRET');
    expect(answer.status).toBe(400);
    expect(answer.text).not.toContain('SECRET');
  });

  test('a caller who is not signed in learns that first', async () => {
    const answer = await visit.service.ask('GET', '/api/codehost/workflows?owner=-a');
    expect([answer.status, answer.body.code]).toEqual([401, 'unauthenticated']);
  });
});
