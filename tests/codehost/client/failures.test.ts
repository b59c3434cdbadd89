import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { clientOf, errorOf, platformOfEachTest, wireRepository } from '../platform.ts';

const platform = platformOfEachTest((_seen, answer) => answer.json(200, wireRepository()));

const web = { owner: 'octo', repo: 'web' };
const get = (options = {}) => clientOf(platform.url, options).codehost.repositories.get(web);

describe('one answer, one problem', () => {
  const table = [
    { status: 401, code: 'unauthenticated', details: { upstream_status: 401, reason: 'token_rejected' } },
    { status: 403, code: 'upstream_forbidden', details: { upstream_status: 403 } },
    { status: 404, code: 'not_found', details: { upstream_status: 404 } },
    { status: 410, code: 'gone', details: { upstream_status: 410 } },
    { status: 451, code: 'legally_blocked', details: { upstream_status: 451 } },
    { status: 422, code: 'upstream_unavailable', details: { upstream_status: 422 } },
    {
      status: 403,
      headers: { 'x-github-sso': 'required; url=https://example.test/orgs/octo/sso?a=1' },
      code: 'sso_required',
      details: { upstream_status: 403, sso_url: 'https://example.test/orgs/octo/sso?a=1' },
    },
    {
      status: 403,
      headers: { 'x-github-sso': 'required; url=javascript:alert(1)' },
      code: 'sso_required',
      details: { upstream_status: 403 },
    },
  ];
  it.each(table)('$status $headers is $code and is not tried again', async ({ status, headers, code, details }) => {
    platform.handler = (_seen, answer) => answer.json(status, { message: 'secret-words' }, headers);
    const problem = await errorOf(get());
    expect(problem.code).toBe(code);
    expect(problem.details).toEqual(details);
    expect(problem.message).not.toContain('secret-words');
    expect(platform.requests).toHaveLength(1);
  });
});

describe('limits', () => {
  const reset = String(Date.parse('2026-03-10T12:10:00Z') / 1000);
  const used = { 'x-ratelimit-limit': '5000', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset };
  const table = [
    { name: 'used up budget', status: 403, headers: used, message: 'API rate limit exceeded', retryAfter: 600 },
    { name: '429 with a used up budget', status: 429, headers: used, message: 'Too many', retryAfter: 600 },
    { name: 'Retry-After', status: 429, headers: { 'retry-after': '30' }, message: 'Slow down', retryAfter: 30 },
    {
      name: 'Retry-After as a date',
      status: 403,
      headers: { 'retry-after': 'Tue, 10 Mar 2026 12:00:20 GMT' },
      message: 'no',
      retryAfter: 20,
    },
    {
      name: 'secondary limit without a time',
      status: 403,
      headers: {},
      message: 'You have exceeded a secondary rate limit.',
      retryAfter: 60,
    },
    {
      name: 'abuse detection',
      status: 403,
      headers: {},
      message: 'You have triggered an abuse detection mechanism.',
      retryAfter: 60,
    },
  ];
  it.each(table)('$name is upstream_rate_limited at once', async ({ status, headers, message, retryAfter }) => {
    platform.handler = (_seen, answer) => answer.json(status, { message }, headers as Record<string, string>);
    const problem = await errorOf(get());
    expect(problem.code).toBe('upstream_rate_limited');
    expect(problem.details).toEqual({ retry_after_s: retryAfter, upstream_status: status });
    expect(platform.requests).toHaveLength(1);
  });

  it.each([403, 429])('a short Retry-After with %i is waited for once', async (status) => {
    platform.handler = (_seen, answer) =>
      platform.requests.length === 1
        ? answer.json(status, { message: 'wait' }, { 'retry-after': '3' })
        : answer.json(200, wireRepository());
    const startedAt = performance.now();
    expect((await get()).repo).toBe('web');
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(29);
    expect(platform.requests).toHaveLength(2);
  });

  it('during a short Retry-After nothing else is sent with the token', async () => {
    const sentAt: number[] = [];
    platform.handler = (_seen, answer) => {
      sentAt.push(performance.now());
      if (sentAt.length === 1) answer.json(403, { message: 'wait' }, { 'retry-after': '5' });
      else answer.json(200, wireRepository());
    };
    const { codehost } = clientOf(platform.url);
    const first = codehost.repositories.get(web);
    await expect.poll(() => sentAt.length, { interval: 1 }).toBe(1);
    await sleep(15);
    await codehost.repositories.get({ owner: 'octo', repo: 'other' });
    await first;
    expect(sentAt).toHaveLength(3);
    for (const at of sentAt.slice(1)) expect(at - (sentAt[0] as number)).toBeGreaterThanOrEqual(49);
  });

  it('a second short Retry-After is not waited for', async () => {
    platform.handler = (_seen, answer) => answer.json(429, { message: 'wait' }, { 'retry-after': '2' });
    expect((await errorOf(get())).details?.retry_after_s).toBe(2);
    expect(platform.requests).toHaveLength(2);
  });

  it('a long wait holds back every later question of the token until it is over', async () => {
    platform.handler = (_seen, answer) => answer.json(429, { message: 'wait' }, { 'retry-after': '30' });
    const { codehost, clock } = clientOf(platform.url);
    await errorOf(codehost.repositories.get(web));
    clock.advance(10_000);
    const held = await errorOf(codehost.repositories.get({ owner: 'octo', repo: 'other' }));
    expect(held.details).toEqual({ retry_after_s: 20 });
    expect(platform.requests).toHaveLength(1);
    clock.advance(20_000);
    platform.handler = (_seen, answer) => answer.json(200, wireRepository());
    expect((await codehost.repositories.get(web)).repo).toBe('web');
  });

  const left = (remaining: number) => ({ ...used, 'x-ratelimit-remaining': String(remaining) });
  it.each([
    { background: false, remaining: 50, asked: 2 },
    { background: false, remaining: 49, asked: 1 },
    { background: true, remaining: 1000, asked: 2 },
    { background: true, remaining: 999, asked: 1 },
  ])('background $background with $remaining left asks $asked times', async ({ background, remaining, asked }) => {
    platform.handler = (_seen, answer) => answer.json(200, wireRepository(), left(remaining));
    const { codehost, clock } = clientOf(platform.url, { background });
    await codehost.repositories.get(web);
    const second = codehost.repositories.get({ owner: 'octo', repo: 'other' });
    if (asked === 2) await second;
    else expect((await errorOf(second)).details).toEqual({ retry_after_s: 600 });
    expect(platform.requests).toHaveLength(asked);
    clock.advance(600_000);
    await codehost.repositories.get({ owner: 'octo', repo: 'third' });
    expect(platform.requests).toHaveLength(asked + 1);
  });

  it('asks for the rate limits even when the budget is used up', async () => {
    const quota = { limit: 5000, remaining: 0, reset: 5, used: 5000 };
    platform.handler = (seen, answer) =>
      seen.url === '/rate_limit'
        ? answer.json(200, { resources: { core: quota, graphql: quota } }, used)
        : answer.json(200, wireRepository(), used);
    const { codehost } = clientOf(platform.url);
    await codehost.repositories.get(web);
    const limits = await codehost.rateLimits();
    expect(limits.core).toEqual(quota);
    expect(limits.search).toEqual({ limit: 0, remaining: 0, reset: 0, used: 0 });
    expect(limits.disabled).toBe(false);
  });
});

describe('a platform that falters', () => {
  const faults: Record<string, (raw: ServerResponse) => unknown> = {
    '500': (raw) => raw.writeHead(500, { 'content-type': 'application/json' }).end('{"message":"oops"}'),
    '502 in HTML': (raw) => raw.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>'),
    '503 without a body': (raw) => raw.writeHead(503).end(),
    'a reset connection': (raw) => raw.destroy(),
    'a cut body': (raw) => {
      raw.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      raw.write('{"id": 1,');
      setTimeout(() => raw.destroy(), 5);
    },
    'malformed JSON': (raw) => raw.writeHead(200, { 'content-type': 'application/json' }).end('{"id": 1,'),
    'an HTML page with status 200': (raw) => raw.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hi</p>'),
  };

  it.each(Object.keys(faults))('%s is tried three times, then upstream_unavailable', async (name) => {
    platform.handler = (_seen, answer) => faults[name]?.(answer.raw);
    expect((await errorOf(get())).code).toBe('upstream_unavailable');
    expect(platform.requests).toHaveLength(3);
  });

  it.each(Object.keys(faults))('%s twice, then a good answer', async (name) => {
    platform.handler = (_seen, answer) =>
      platform.requests.length <= 2 ? faults[name]?.(answer.raw) : answer.json(200, wireRepository());
    expect((await get()).repo).toBe('web');
  });

  it('answers of another shape are upstream_unavailable without a retry', async () => {
    platform.handler = (_seen, answer) => answer.json(200, { hello: 'world' });
    const problem = await errorOf(get());
    expect(problem.code).toBe('upstream_unavailable');
    expect(platform.requests).toHaveLength(1);
  });

  it('reports the status the platform gave', async () => {
    platform.handler = (_seen, answer) => answer.json(503, {});
    expect((await errorOf(get())).details).toEqual({ upstream_status: 503 });
  });

  it('a silent platform is left after the time limit for all attempts', async () => {
    platform.handler = () => undefined;
    const problem = await errorOf(get({ timing: { restAttemptMs: 60, restTotalMs: 100 } }));
    expect(problem.code).toBe('upstream_unavailable');
    expect(problem.details).toEqual({});
    expect(platform.requests.length).toBeLessThanOrEqual(2);
  });

  it('a body that never ends is left too', async () => {
    platform.handler = (_seen, answer) => {
      answer.raw.writeHead(200, { 'content-type': 'application/json' });
      answer.raw.write('{');
    };
    const problem = await errorOf(get({ timing: { restAttemptMs: 60, restTotalMs: 100 } }));
    expect(problem.code).toBe('upstream_unavailable');
  });

  it('a platform that is not there', async () => {
    const address = platform.url;
    await platform.close();
    const problem = await errorOf(clientOf(address).codehost.viewer());
    expect(problem.code).toBe('upstream_unavailable');
  });
});

describe('GraphQL answers with errors', () => {
  const states = (options = {}) => clientOf(platform.url, options).codehost.repositories.states([web]);
  const failing = (errors: object[], headers?: Record<string, string>) => {
    platform.handler = (_seen, answer) => answer.json(200, { data: null, errors }, headers);
  };

  it.each([
    { error: { type: 'NOT_FOUND', message: 'x' }, code: 'not_found' },
    { error: { type: 'FORBIDDEN', message: 'x' }, code: 'upstream_forbidden' },
    { error: { type: 'FORBIDDEN', message: 'x', extensions: { saml_failure: true } }, code: 'sso_required' },
    { error: { type: 'RESOURCE_LIMITS_EXCEEDED', message: 'x' }, code: 'upstream_unavailable' },
  ])('$error.type without data is $code', async ({ error, code }) => {
    failing([error]);
    const problem = await errorOf(states());
    expect(problem.code).toBe(code);
    expect(problem.details?.upstream_status).toBe(200);
  });

  it('RATE_LIMITED is upstream_rate_limited with the time to the reset', async () => {
    const reset = String(Date.parse('2026-03-10T12:01:00Z') / 1000);
    const headers = { 'x-ratelimit-limit': '5000', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset };
    failing([{ type: 'RATE_LIMITED', message: 'x' }], headers);
    const problem = await errorOf(states());
    expect(problem.code).toBe('upstream_rate_limited');
    expect(problem.details).toEqual({ retry_after_s: 60, upstream_status: 200 });
    expect(platform.requests).toHaveLength(1);
  });

  // https://github.com/yanyongyu/githubkit/issues/271
  const overuse = [
    { type: 'RATE_LIMIT', code: 'graphql_rate_limit', message: 'API rate limit already exceeded for user ID 1.' },
    { message: 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.' },
    { message: 'You have triggered an abuse detection mechanism.' },
  ];
  it.each(overuse)('$type $message with 200 is upstream_rate_limited, and nothing is sent meanwhile', async (error) => {
    for (const body of [
      { data: null, errors: [error] },
      { ...error, documentation_url: 'https://docs.example.test' },
    ]) {
      platform.requests.length = 0;
      platform.handler = (_seen, answer) => answer.json(200, body, { 'x-ratelimit-remaining': '4000' });
      const { codehost } = clientOf(platform.url);
      const problem = await errorOf(codehost.repositories.states([web]));
      expect(problem.code).toBe('upstream_rate_limited');
      expect(problem.details).toEqual({ retry_after_s: 60, upstream_status: 200 });
      expect((await errorOf(codehost.repositories.get(web))).code).toBe('upstream_rate_limited');
      expect(platform.requests).toHaveLength(1);
    }
  });

  it('a name that speaks of a limit is none', async () => {
    failing([
      { type: 'NOT_FOUND', message: "Could not resolve to a Repository with the name 'octo/secondary-rate-limit'." },
    ]);
    expect((await errorOf(states())).code).toBe('not_found');
  });

  it('a rejected token and a reset connection are as on REST', async () => {
    platform.handler = (_seen, answer) => answer.json(401, { message: 'Bad credentials' });
    expect((await errorOf(states())).code).toBe('unauthenticated');
    platform.handler = (_seen, answer) => answer.raw.destroy();
    expect((await errorOf(states())).code).toBe('upstream_unavailable');
  });
});
