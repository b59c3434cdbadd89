import { describe, expect, it } from 'vitest';
import { createCodehostShared } from '../../../server/codehost/client/codehost.ts';
import { clientOf, createTestClock, errorOf, platformOfEachTest, wireRepository, wireRun } from '../platform.ts';

const platform = platformOfEachTest((seen, answer) => {
  if (seen.headers['if-none-match'] === '"v1"') return answer.json(304, null);
  const body = seen.url.includes('/runs') ? { total_count: 1, workflow_runs: [wireRun()] } : wireRepository();
  return answer.json(200, body, { etag: '"v1"' });
});

const web = { owner: 'octo', repo: 'web' };
const minute = 60_000;

describe('a stored copy', () => {
  it('is given without a request while it is fresh, then requested conditionally', async () => {
    const { codehost, clock, sent } = clientOf(platform.url);
    const first = await codehost.runs.ofWorkflow(web, 5, 50);
    clock.advance(2 * minute - 1);
    expect(await codehost.runs.ofWorkflow(web, 5, 50)).toEqual(first);
    expect(sent).toHaveLength(1);
    clock.advance(1);
    const later = await codehost.runs.ofWorkflow(web, 5, 50);
    expect(later).toEqual({ ...first, asOf: clock.now() });
    expect(sent.map(({ status, conditional }) => [status, conditional])).toEqual([
      [200, false],
      [304, true],
    ]);
    await codehost.runs.ofWorkflow(web, 5, 50);
    expect(sent).toHaveLength(2);
  });

  it('is the same whatever the case of the name', async () => {
    const { codehost, sent } = clientOf(platform.url);
    await codehost.repositories.get(web);
    await codehost.repositories.get({ owner: 'Octo', repo: 'WEB' });
    expect(sent).toHaveLength(1);
  });

  it('belongs to the token: another token asks for itself, the same token in another client does not', async () => {
    const shared = createCodehostShared();
    const clock = createTestClock();
    const [a, b, again] = ['a', 'b', 'a'].map((token) => clientOf(platform.url, { shared, clock, token }));
    for (const client of [a, b, again]) await client?.codehost.repositories.get(web);
    expect([a, b, again].map((client) => client?.sent.length)).toEqual([1, 1, 0]);
    expect(platform.requests.map(({ headers }) => headers.authorization)).toEqual(['token a', 'token b']);
    expect(platform.requests[1]?.headers['if-none-match']).toBeUndefined();
  });

  it('is requested again after 30 seconds while a run is not completed', async () => {
    platform.handler = (_seen, answer) =>
      answer.json(200, { total_count: 1, workflow_runs: [wireRun({ status: 'in_progress', conclusion: null })] });
    const { codehost, clock, sent } = clientOf(platform.url);
    await codehost.runs.ofWorkflow(web, 5, 50);
    clock.advance(30_000);
    await codehost.runs.ofWorkflow(web, 5, 50);
    expect(sent).toHaveLength(2);
  });

  it('is never used by reads that promise so', async () => {
    const { codehost, sent } = clientOf(platform.url);
    const from = Date.parse('2026-03-01T00:00:00Z');
    for (let i = 0; i < 2; i++) await codehost.runs.window(web, from, from + minute, 1);
    platform.handler = (_seen, answer) => answer.json(200, wireRun());
    for (let i = 0; i < 2; i++) await codehost.runs.get(web, 100);
    expect(sent.map(({ conditional }) => conditional)).toEqual([false, false, false, false]);
  });
});

describe('many at once', () => {
  it('50 equal questions are one request, and all get the error too', async () => {
    const { codehost, sent, clock } = clientOf(platform.url);
    await Promise.all(Array.from({ length: 50 }, () => codehost.repositories.get(web)));
    expect(sent).toHaveLength(1);
    clock.advance(10 * minute);
    platform.handler = (_seen, answer) => answer.json(404, {});
    const response = await Promise.all(Array.from({ length: 50 }, () => errorOf(codehost.repositories.get(web))));
    expect(new Set(response.map(({ code }) => code))).toEqual(new Set(['not_found']));
    expect(sent).toHaveLength(2);
  });

  it('never has more than 8 requests of a token on the way, REST and GraphQL together', async () => {
    platform.handler = async (seen, answer) => {
      await new Promise((resolve) => setTimeout(resolve, 30));
      const unseen = { data: { r0: null }, errors: [{ type: 'NOT_FOUND', path: ['r0'], message: 'no' }] };
      return answer.json(200, seen.url === '/graphql' ? unseen : wireRepository());
    };
    const shared = createCodehostShared();
    const clients = [0, 1, 2].map(() => clientOf(platform.url, { shared }).codehost);
    const names = Array.from({ length: 60 }, (_, i) => ({ owner: 'octo', repo: `r${i}` }));
    await Promise.all(
      names.map((name, i) => {
        const client = clients[i % 3];
        return i % 4 === 0 ? client?.repositories.states([name]) : client?.repositories.get(name);
      }),
    );
    expect(platform.requests).toHaveLength(60);
    expect(platform.mostAtOnce).toBe(8);
  });

  it('the error of background work does not reach a person', async () => {
    const shared = createCodehostShared();
    const clock = createTestClock();
    const left = { 'x-ratelimit-limit': '5000', 'x-ratelimit-remaining': '500', 'x-ratelimit-reset': '9999999999' };
    platform.handler = (_seen, answer) => answer.json(200, wireRepository(), left);
    const person = clientOf(platform.url, { shared, clock }).codehost;
    const background = clientOf(platform.url, { shared, clock, background: true }).codehost;
    await person.repositories.get({ owner: 'octo', repo: 'first' });
    const response = errorOf(background.repositories.get(web));
    expect((await person.repositories.get(web)).repo).toBe('web');
    expect((await response).code).toBe('upstream_rate_limited');
  });
});

describe('when the platform cannot be queried', () => {
  const hour = 60 * minute;
  const failing = (status: number, headers?: Record<string, string>) => {
    platform.handler = (_seen, answer) => answer.json(status, {}, headers);
  };

  it.each([
    { status: 503, headers: {} },
    { status: 429, headers: { 'retry-after': '100' } },
  ])('$status: a copy of at most 24 hours stands in and says so', async ({ status, headers }) => {
    const { codehost, clock, sent } = clientOf(platform.url);
    const first = await codehost.runs.ofWorkflow(web, 5, 50);
    failing(status, headers as Record<string, string>);
    clock.advance(24 * hour);
    expect(await codehost.runs.ofWorkflow(web, 5, 50)).toEqual({ ...first, stale: true });
    const request = sent.length;
    await codehost.runs.ofWorkflow(web, 5, 50);
    expect(sent).toHaveLength(request);
    clock.advance(11_000);
    expect((await errorOf(codehost.runs.ofWorkflow(web, 5, 50))).code).toMatch(/^upstream_(rate_limi|unavaila)/);
  });

  it('the copy is checked again when the platform is back', async () => {
    const { codehost, clock } = clientOf(platform.url);
    const good = platform.handler;
    await codehost.runs.ofWorkflow(web, 5, 50);
    clock.advance(hour);
    failing(502);
    expect((await codehost.runs.ofWorkflow(web, 5, 50)).stale).toBe(true);
    platform.handler = good;
    clock.advance(10_000);
    const back = await codehost.runs.ofWorkflow(web, 5, 50);
    expect([back.stale, back.asOf]).toEqual([false, clock.now()]);
  });

  it.each([401, 403, 404, 410, 451])('%i is never covered by a copy, and ends it', async (status) => {
    const { codehost, clock } = clientOf(platform.url);
    await codehost.runs.ofWorkflow(web, 5, 50);
    clock.advance(hour);
    failing(status);
    await errorOf(codehost.runs.ofWorkflow(web, 5, 50));
    failing(503);
    expect((await errorOf(codehost.runs.ofWorkflow(web, 5, 50))).code).toBe('upstream_unavailable');
  });

  it('a rejected token loses everything that was read with it', async () => {
    const { codehost, clock, sent } = clientOf(platform.url);
    const good = platform.handler;
    await codehost.repositories.get(web);
    failing(401);
    expect((await errorOf(codehost.viewer())).code).toBe('unauthenticated');
    platform.handler = good;
    clock.advance(1);
    await codehost.repositories.get(web);
    expect(sent.map(({ status }) => status)).toEqual([200, 401, 200]);
  });
});

describe('the proof that a token may see a repository', () => {
  it('holds for 5 minutes, and its error for 30 seconds', async () => {
    const { codehost, clock, sent } = clientOf(platform.url);
    await codehost.repositories.get(web);
    clock.advance(5 * minute - 1);
    await codehost.repositories.get(web);
    expect(sent).toHaveLength(1);
    platform.handler = (_seen, answer) => answer.json(404, {});
    clock.advance(1);
    await errorOf(codehost.repositories.get(web));
    clock.advance(29_999);
    expect((await errorOf(codehost.repositories.get(web))).code).toBe('not_found');
    expect(sent).toHaveLength(2);
    clock.advance(1);
    await errorOf(codehost.repositories.get(web));
    expect(sent).toHaveLength(3);
  });

  it('is never given by an old copy', async () => {
    const { codehost, clock } = clientOf(platform.url);
    await codehost.repositories.get(web);
    clock.advance(5 * minute);
    platform.handler = (_seen, answer) => answer.json(500, {});
    expect((await errorOf(codehost.repositories.get(web))).code).toBe('upstream_unavailable');
  });

  it.each(['..', '.', 'a/b', 'a b', '', 'a?b'])('the impossible name %j is not asked for', async (repo) => {
    const { codehost, sent } = clientOf(platform.url);
    expect((await errorOf(codehost.repositories.get({ owner: 'octo', repo }))).code).toBe('not_found');
    expect((await errorOf(codehost.workflows.list({ owner: 'octo', repo }))).code).toBe('not_found');
    expect((await errorOf(codehost.repositories.ofOrganization(`..${repo}`))).code).toBe('not_found');
    expect(await codehost.repositories.states([{ owner: 'octo', repo }])).toEqual([]);
    expect(sent).toHaveLength(0);
  });
});

describe('what is stored', () => {
  it('stays within its bound and never names the token', async () => {
    const shared = createCodehostShared({ maxCharacters: 20_000 });
    const { codehost, sent } = clientOf(platform.url, { shared, token: 'very-secret-token' });
    const names = Array.from({ length: 60 }, (_, i) => ({ owner: 'octo', repo: `r${i}` }));
    for (const name of names) await codehost.repositories.get(name);
    await codehost.repositories.get({ owner: 'octo', repo: 'r59' });
    expect(sent).toHaveLength(60);
    await codehost.repositories.get({ owner: 'octo', repo: 'r0' });
    expect(sent).toHaveLength(61);
    expect(JSON.stringify(sent)).not.toContain('very-secret-token');
  });
});
