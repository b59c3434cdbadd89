import { describe, expect, test } from 'vitest';
import { startRandomPlatform } from '../codehost-double/random-platform.ts';
import { rounds } from '../support/rounds.ts';
import { type Answered, anyDatabase, type Service, startService } from '../support/service.ts';
import { administered, guarded, open, withQuery } from './endpoints.ts';

interface Line {
  level: number;
  msg: string;
  operation?: string;
  fields?: string[];
}

/** What the log of a service is distinguished from now on, of warnings and errors. */
function heard({ app: { services } }: Service): Line[] {
  const lines: Line[] = [];
  const { log } = services;
  log.warn = ((reported: object, msg = '') => lines.push({ level: 40, msg, ...reported })) as typeof log.warn;
  log.error = ((reported: object, msg = '') => lines.push({ level: 50, msg, ...reported })) as typeof log.error;
  return lines;
}

/** More of them find more: RANDOM_SEEDS=50 npx vitest run tests/api/random-answers.test.ts */
const seeds = Array.from({ length: rounds('RANDOM_SEEDS', 1, 3) }, (_, index) => index + 1);

const database = { DATABASE_URL: anyDatabase };
const web = 'owner=octo&repo=web';
/** What is stored is read once more after it was filled. */
const questions = [
  ...[...guarded, ...open, ...administered].filter(({ method }) => method === 'GET'),
  { method: 'POST', path: '/api/db/sync', query: web },
  { method: 'GET', path: '/api/db/runs', query: web },
  { method: 'GET', path: '/api/db/trends', query: web },
  { method: 'GET', path: '/api/db/working-habits', query: 'owner=octo&repo=web' },
];

/** An answer, or an error that says which field of which request to the platform could not be read. */
function expectAnswered(path: string, { status, body, text }: Answered): void {
  expect(status, `${path}: ${text}`).not.toBe(500);
  if (status !== 502) return;
  expect(body.details, path).toMatchObject({ upstream_status: 200, upstream_operation: expect.stringMatching(/\w/) });
  expect(body.details.upstream_fields.length, path).toBeGreaterThan(0);
}

describe.each([
  ['as described', false],
  ['that nobody has heard of', true],
])('answers %s', (_, strange) => {
  test.each(seeds)('are answered for: seed %i', async (seed) => {
    const platform = await startRandomPlatform({ seed, strange });
    const urls = { CODEHOST_API_URL: platform.url, CODEHOST_GRAPHQL_URL: platform.graphqlUrl };
    const service = await startService({ ...urls, ...(seed % 2 === 0 ? {} : database) });
    const lines = heard(service);
    try {
      await service.signIn('token-ann');
      for (const { method, path, query } of questions)
        expectAnswered(path, await service.ask(method, withQuery(path, query), { as: 'token-ann' }));
    } finally {
      await service.close();
      await platform.close();
    }
    expect(platform.violations).toEqual([]);
    if (strange) expect(lines.length).toBeGreaterThan(0);
    expect(lines.filter(({ level }) => level >= 50)).toEqual([]);
    for (const { msg, operation, fields = [] } of lines)
      if (/unreadable answer|left out/.test(msg)) expect([operation, fields.length > 0]).toEqual([operation, true]);
  });
});
