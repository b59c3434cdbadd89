import { describe, expect, test } from 'vitest';
import { operations } from '../../server/api/registry.ts';
import { expectFields, guarded, named, open, visitService, withQuery } from './endpoints.ts';

const visit = visitService({
  DATABASE_URL: 'pglite://memory',
  RATE_LIMIT_DEMO_PER_MINUTE: '0',
  RATE_LIMIT_SESSION_PER_MINUTE: '0',
});

/** Fields of an operation's input and a good value for each that must be given. */
const asked = [...guarded, ...open]
  .filter(({ method }) => method === 'GET')
  .map((one) => ({ ...one, given: new URLSearchParams(one.query) }));
const inputOf = (path: string) => operations.find((one) => named(one) === `GET ${path}`)?.input.shape ?? {};

const long = (length: number) => 'a'.repeat(length);
const accounts = {
  good: ['octo-org', 'a', 'emu_corp', long(39), 'A1-_'],
  bad: ['-a', '_a', 'a b', ' octo', 'octo ', 'a/b', long(40), 'ü', 'dependabot[bot]', 'a.b', '..', 'a%00', "a'"],
};
const names = {
  good: ['.github', 'a.b_c-d', long(100), '-', '_', 'git', 'x.gitignore', '...'],
  bad: ['.', '..', 'x.git', '.git', long(101), 'a/b', 'a%00', 'a b', ' web', 'web\n', 'ü'],
};
const identifiers = {
  good: ['1', '9007199254740991'],
  bad: ['0', '-1', '1.5', '12abc', '9007199254740992', '+1', ' 1', '1e3', '0x10', 'NaN', '99999999999999999999'],
};
/** Whole numbers of an option: below the least is refused, above the most clamped, which a header or the body tells. */
const ranges: Record<string, { least: number; most: number; clamps: boolean | 'as the body says' }> = {
  '/api/codehost/runs per_page': { least: 1, most: 100, clamps: true },
  '/api/codehost/workflow-health per_page': { least: 1, most: 100, clamps: true },
  '/api/codehost/workflow-reliability per_page': { least: 1, most: 100, clamps: true },
  '/api/codehost/job-stats per_page': { least: 1, most: 100, clamps: true },
  '/api/codehost/runner-stats per_page': { least: 1, most: 50, clamps: true },
  '/api/codehost/workflow-cost per_page': { least: 1, most: 50, clamps: true },
  '/api/codehost/team-stats per_page': { least: 1, most: 100, clamps: true },
  '/api/codehost/audit-log limit': { least: 1, most: 100, clamps: true },
  '/api/codehost/workflow-change-outcomes limit': { least: 1, most: 100, clamps: true },
  '/api/codehost/org-overview limit': { least: 1, most: 50, clamps: true },
  '/api/codehost/org-health-scorecard limit': { least: 1, most: 20, clamps: true },
  '/api/explain per_page': { least: 1, most: 100, clamps: true },
  '/api/db/runs limit': { least: 1, most: 500, clamps: true },
  '/api/db/runs offset': { least: 0, most: 100_000, clamps: false },
  '/api/codehost/issues days': { least: 1, most: 90, clamps: 'as the body says' },
  '/api/db/collection limit': { least: 1, most: 200, clamps: true },
  '/api/db/collection offset': { least: 0, most: 100_000, clamps: false },
  '/api/db/trends days': { least: 1, most: 365, clamps: false },
  '/api/db/trends quarters': { least: 1, most: 12, clamps: false },
  '/api/jobs limit': { least: 1, most: 50, clamps: true },
  '/api/demo count': { least: 1, most: 200, clamps: true },
  '/api/codehost/repo-attention page': { least: 1, most: 1000, clamps: false },
};
const words: Record<string, { good: string[]; bad: string[] }> = {
  conclusion: {
    good: [
      ...['success', 'failure', 'cancelled', 'skipped', 'timed_out'],
      ...['action_required', 'neutral', 'stale', 'startup_failure'],
    ],
    bad: ['bogus', 'SUCCESS', ' success'],
  },
  type: { good: ['daily', 'quarterly', 'org'], bad: ['weekly', 'Daily'] },
  resource: { good: ['repos', 'runs'], bad: ['org', 'REPOS', 'index'] },
  visibility: { good: ['all', 'public', 'private'], bad: ['internal', 'none'] },
  table: { good: ['anomalies', 'flaky_commits', 'actors'], bad: ['bogus', 'Anomalies', ' tips'] },
  source: { good: ['dependabot', 'code_scanning', 'secret_scanning'], bad: ['all', 'Dependabot'] },
  severity: { good: ['critical', 'high', 'medium', 'low'], bad: ['info', 'HIGH'] },
  metric: { good: ['lead_time', 'bus_factor', 'abandon_rate'], bad: ['bogus', 'LEAD_TIME', ' lead_time'] },
};
const workdays: Record<string, { good: string[]; bad: string[] }> = {
  '/api/settings/team/preview timezone': {
    good: ['UTC', 'Asia/Saigon', 'Asia/Ho_Chi_Minh'],
    bad: ['Mars/Base', '+07:00', 'UTC ', '7'],
  },
  '/api/settings/team/preview start': { good: ['0', '18'], bad: ['24', '-1', '8.5', ' 8', 'x'] },
  '/api/settings/team/preview end': { good: ['9', '24'], bad: ['0', '25', '9.5', '1e1', 'x'] },
};
const people = { good: ['30', '90'], bad: ['60', '0', '-30', '30.0', '030', ' 30', 'x', '1e2'] };
const grammar: Record<string, { good: string[]; bad: string[] }> = {
  owner: accounts,
  org: accounts,
  login: { good: [...accounts.good, 'dependabot[bot]'], bad: accounts.bad.filter((one) => !one.endsWith('[bot]')) },
  repo: names,
  workflow_id: identifiers,
  run_id: identifiers,
  attempt: identifiers,
  year: { good: ['2019', '2025', '2026'], bad: ['2018', '10000', '0', 'x', '1.5', '-1', '1e3', ' 2025'] },
  month: { good: ['1', '10', '11'], bad: ['0', '13', 'x', '1.5', '-1', '1e0', ' 1'] },
  ...words,
  ...workdays,
  '/api/codehost/job-stats table': { good: ['jobs', 'steps', 'critical_path'], bad: ['runs', 'Jobs'] },
  '/api/codehost/workflow-cost table': { good: ['runs', 'waste', 'pull_requests'], bad: ['jobs', ' runs'] },
  '/api/codehost/billing/cost-analysis table': {
    good: ['skus', 'products', 'by_repository', 'by_day'],
    bad: ['plans', 'SKUS'],
  },
  '/api/codehost/repo-contributors days': people,
  '/api/codehost/org-contributors days': people,
  '/api/codehost/team-workload-risk days': people,
  '/api/db/working-habits days': people,
  // Metrics of issues take any number from 7 to 90, this one does not.
  '/api/explain days': { ...people, bad: people.bad.filter((one) => one !== '030') },
};
const grammarOf = (path: string, field: string) => grammar[`${path} ${field}`] ?? grammar[field];

const cases = asked.flatMap(({ path, given }) =>
  Object.keys(inputOf(path)).map((field) => ({
    ...{ path, given, field },
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
const ask = (path: string, query: string) => visit.service.ask('GET', withQuery(path, query), { as: 'token-ann' });
/** What is refused by the grammar; anything else that happens to the question is another matter. */
const isRefused = async (path: string, query: string) => (await ask(path, query)).status === 400;

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
      expect({ value, refused: await isRefused(path, having(given, field, value)) }).toEqual({ value, refused: false });
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

  test.each(cases.filter(({ given, field }) => given.has(field) && field !== 'org'))(
    '$path says that $field is missing, also when it is empty',
    async ({ path, given, field }) => {
      for (const values of [[], ['']]) {
        const answer = await ask(path, having(given, field, ...values));
        expectFields(answer, [field, 'missing']);
      }
    },
  );

  test.each(asked)('$path ignores a key that it does not know', async ({ path, given }) => {
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

  test('the demo needs resource, says what it may be, and repo for a summary', async () => {
    const without = await ask('/api/demo', '');
    expectFields(without, ['resource', 'missing']);
    expect(without.body.details.allowed).toEqual(['repos', 'runs', 'summary']);
    const wrong = await ask('/api/demo', 'resource=org');
    expectFields(wrong, ['resource', 'invalid']);
    expect(wrong.body.details.allowed).toEqual(['repos', 'runs', 'summary']);
    expectFields(await ask('/api/demo', 'resource=summary'), ['repo', 'missing']);
  });

  test('a value never comes back in a refusal', async () => {
    const answer = await ask('/api/codehost/runs', 'owner=o%20SECRET&repo=web&workflow_id=SECRET');
    expect(answer.status).toBe(400);
    expect(answer.text).not.toContain('SECRET');
  });

  test('a caller who is not signed in learns that first', async () => {
    const answer = await visit.service.ask('GET', '/api/codehost/workflows?owner=-a');
    expect([answer.status, answer.body.code]).toEqual([401, 'unauthenticated']);
  });
});
