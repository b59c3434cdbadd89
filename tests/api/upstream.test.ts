import { describe, expect, test } from 'vitest';
import type { Fault } from '../codehost-double/faults.ts';
import { type Answered, type Service, startService } from '../support/service.ts';
import { expectProblem, freshService, reads, withQuery } from './endpoints.ts';

const visit = freshService();
const minute = 60_000;
const paths = Object.entries(reads).map(([path, query]) => withQuery(path, query));

/** Every reading operation requested at the same time, by its address. */
async function askAll(service: Service, questions = paths): Promise<[string, Answered][]> {
  await service.signIn('token-ann');
  return Promise.all(
    questions.map(
      async (path): Promise<[string, Answered]> => [path, await service.ask('GET', path, { as: 'token-ann' })],
    ),
  );
}

const always = (service: Service, fault: Fault, path = /^(?!\/user$)/) =>
  service.double.fault({ path, times: 10_000 }, fault);

/** What goes wrong, and what everyone is answered. */
const faults: [string, Fault, number, string][] = [
  ['a server error', { kind: 'status', status: 500 }, 502, 'upstream_unavailable'],
  ['a broken connection', { kind: 'reset' }, 502, 'upstream_unavailable'],
  ['half an answer', { kind: 'cut_body' }, 502, 'upstream_unavailable'],
  ['no JSON', { kind: 'malformed_json' }, 502, 'upstream_unavailable'],
  ['no permission', { kind: 'status', status: 403 }, 403, 'upstream_forbidden'],
  ['nothing there', { kind: 'status', status: 404 }, 404, 'not_found'],
  ['gone', { kind: 'status', status: 410 }, 410, 'gone'],
  ['blocked by law', { kind: 'status', status: 451 }, 451, 'legally_blocked'],
  ['the hour spent, as 403', { kind: 'primary_limit' }, 429, 'upstream_rate_limited'],
  ['the hour spent, as 429', { kind: 'primary_limit', status: 429 }, 429, 'upstream_rate_limited'],
  ['too many at once', { kind: 'secondary_limit', retryAfter: 77 }, 429, 'upstream_rate_limited'],
  ['too many at once, as 429', { kind: 'secondary_limit', status: 429, retryAfter: 77 }, 429, 'upstream_rate_limited'],
];

/** What a service that never read anything answers to everything. */
async function expectEverywhere(service: Service, [, fault, status, code]: (typeof faults)[number]) {
  always(service, fault);
  for (const [path, answer] of await askAll(service)) {
    // A server without limits answers 404 here, which is no error.
    if (path === '/api/codehost/rate-limit' && status === 404) continue;
    expect([path, answer.status, answer.body.code]).toEqual([path, status, code]);
    expectProblem(answer, status, code);
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    expect(answer.text).not.toMatch(/token-ann|127\.0\.0\.1|octokit/i);
    const waits = code === 'upstream_rate_limited';
    expect(answer.headers.has('retry-after')).toBe(waits);
    if (waits) expect(answer.headers.get('retry-after')).toBe(String(answer.body.details.retry_after_s));
  }
  expect((await service.ask('GET', '/api/auth/me', { as: 'token-ann' })).status).toBe(200);
}

describe('everything that was never read', () => {
  const tried = faults.filter(([, , status]) => status === 502);

  test(`is 502 upstream_unavailable at ${tried.map(([name]) => name).join(', ')}`, async () => {
    // Each of them is tried again for a while, so all are waited for at once.
    await Promise.all(
      tried.map(async (fault) => {
        const service = await startService();
        await expectEverywhere(service, fault);
        await service.close();
      }),
    );
  });

  test.each(faults.filter((fault) => !tried.includes(fault)))('at %s', async (...fault) => {
    await expectEverywhere(visit.service, fault);
  });
});

describe('when the platform says how long to wait', () => {
  test('the answer says the same', async () => {
    always(visit.service, { kind: 'secondary_limit', retryAfter: 77 });
    const [[, answer] = []] = await askAll(visit.service, ['/api/codehost/orgs']);
    expect(answer?.headers.get('retry-after')).toBe('77');
    expect(answer?.body.details).toMatchObject({ retry_after_s: 77, upstream_status: 403 });
  });

  test('a spent budget waits for its reset', async () => {
    await visit.service.signIn('token-ann');
    visit.service.double.budgets.setRemaining('ann', 'core', 0);
    const [[, answer] = []] = await askAll(visit.service, ['/api/codehost/orgs']);
    expectProblem(answer as Answered, 429, 'upstream_rate_limited');
    expect(Number(answer?.headers.get('retry-after'))).toBe(3600);
  });
});

describe('when the platform stops answering after it once did', () => {
  /** These are lists with copies of their own; the others first prove that the repository may be seen. */
  const lists = paths.filter((path) => /\/(repos|org-repos|orgs|workflows|run-details)(\?|$)/.test(path));

  test.each([
    ['a server error', { kind: 'status', status: 503 } as const],
    ['a spent hour', { kind: 'primary_limit' } as const],
  ])('%s: the last answer is given, and says that it is old, until the platform is back', async (_, fault) => {
    const before = new Map(await askAll(visit.service, lists));
    visit.service.clock.advance(30 * minute);
    always(visit.service, fault);
    for (const [path, answer] of await askAll(visit.service, lists)) {
      expect([path, answer.status]).toEqual([path, 200]);
      expect(answer.body).toEqual(before.get(path)?.body);
      expect(answer.headers.get('x-stale')).toBe('true');
      expect(answer.headers.get('x-data-source')).toBe('cache');
      expect(answer.headers.get('x-data-as-of')).toBe('2026-11-16T10:00:00.000Z');
    }
    visit.service.double.reset();
    visit.service.clock.advance(2 * 60 * minute);
    for (const [, answer] of await askAll(visit.service, lists)) expect(answer.headers.has('x-stale')).toBe(false);
  });

  test('a day later it is not given any more', async () => {
    await askAll(visit.service, lists);
    visit.service.clock.advance(24 * 60 * minute + 1);
    always(visit.service, { kind: 'status', status: 503 });
    for (const [, answer] of await askAll(visit.service, lists)) expectProblem(answer, 502, 'upstream_unavailable');
  });

  test('what the platform refuses for good is not covered up by an older answer', async () => {
    await askAll(visit.service, lists);
    visit.service.clock.advance(30 * minute);
    always(visit.service, { kind: 'status', status: 404 });
    for (const [, answer] of await askAll(visit.service, lists)) expectProblem(answer, 404, 'not_found');
  });
});

describe('one failure in passing', () => {
  test.each([{ kind: 'status', status: 502 }, { kind: 'reset' }, { kind: 'secondary_limit', retryAfter: 1 }] as const)(
    '$kind is not noticed',
    async (fault) => {
      await visit.service.signIn('token-ann');
      visit.service.double.fault({ path: '/user/orgs' }, fault);
      expect((await visit.service.ask('GET', '/api/codehost/orgs', { as: 'token-ann' })).status).toBe(200);
      expect(visit.service.double.requests.filter(({ path }) => path === '/user/orgs')).toHaveLength(2);
    },
  );
});
