import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type MadeToken, makeToken } from '../access/made-token.ts';
import { cookieOf, settle } from '../access/personas.ts';
import { expectProblem } from '../api/endpoints.ts';
import { trackAll } from '../jobs/night.ts';
import { expectAtom } from '../support/atom-reader.ts';
import { anyDatabase, type Service, startService } from '../support/service.ts';
import { servicesOf } from './stage.ts';

const hidden = 'octo/secret';

describe('the feed of alerts', () => {
  let service: Service;
  let tokens: Awaited<ReturnType<typeof settle>>;
  let feed: MadeToken;
  beforeAll(async () => {
    service = await startService({ MODE: 'organization', SERVICE_ALLOWED_ORGS: 'octo', DATABASE_URL: anyDatabase });
    tokens = await settle(service);
    feed = await makeToken(service, tokens['in dev'], ['alerts'], { kind: 'feed' });
    for (const scope of ['repo:octo/web', 'org:octo']) {
      const body = { scope, metric: 'failure_rate', threshold: 20 };
      expect((await service.ask('POST', '/api/alerts', { as: tokens['in admin'], body })).status).toBe(201);
    }
    await fire('octo/web', 1, 45.678);
    await fire(hidden, 2, 80);
  });
  afterAll(() => service?.close());

  /** Lets a rule come out over a repository of the world. */
  async function fire(name: string, ruleId: number, value: number) {
    const { store } = servicesOf(service.app);
    await trackAll(service.double, store, [name], service.clock.now());
    const known = (await store.repositories.tracked()).find(({ owner, repo }) => `${owner}/${repo}` === name);
    const rule = await store.alertRules.find(ruleId);
    if (!known || !rule) throw new Error('There is no such rule or repository.');
    const now = service.clock.now();
    const measured = {
      rule,
      repoId: known.id,
      quietHours: rule.windowHours,
      value,
      sample: 12,
      incomplete: null,
      details: {},
      source: 'sync',
      now,
    };
    const judged = { breaching: value >= 20, isBelow: value < 20 } as const;
    await store.alertEvents.record({ ...measured, ...judged, source: 'sync' }, async () => undefined);
  }
  const read = (token: string, headers: Record<string, string> = {}) =>
    service.ask('GET', `/api/feeds/alerts.atom?t=${token}`, { headers });

  test('has the newest alerts that its owner sees, with figures as the API has them', async () => {
    expect(feed.token).toMatch(/^dasf_[0-9A-Za-z]{49}$/);
    const answer = await read(feed.token);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    const entries = expectAtom(answer.text);
    expect(entries).toEqual([
      {
        id: expect.stringMatching(/^tag:[\w.]+,2026:alert-event:\d+$/),
        title: 'Failure rate in octo/web',
        updated: new Date(service.clock.now()).toISOString(),
        page: expect.stringMatching(/\/repos\/octo\/web$/),
        content: expect.stringMatching(
          /^Value: 45\.\d+\s%\nThreshold: 20\s%\nWindow: last .+\nSample: n = 12\nAs of: 2026-/,
        ),
      },
    ]);
    expect(answer.text).not.toContain(hidden);
    expect(answer.text).not.toContain(feed.token);
  });

  test('shows each event once to a reader with a tag, and updates it when it is resolved', async () => {
    const first = await read(feed.token);
    const known = { 'if-none-match': first.headers.get('etag') ?? '' };
    expect((await read(feed.token, known)).status).toBe(304);
    service.clock.advance(3_600_000);
    await fire('octo/web', 1, 5);
    const [entry] = expectAtom((await read(feed.token, known)).text);
    expect(entry).toMatchObject({
      id: expectAtom(first.text)[0]?.id,
      title: 'Failure rate in octo/web (resolved)',
      updated: new Date(service.clock.now()).toISOString(),
    });
  });

  test('is opened by a token for feeds with the feature alone, wherever it is sent', async () => {
    const personal = await makeToken(service, tokens['in dev'], ['alerts']);
    const without = await makeToken(service, tokens['in dev'], ['dora'], { kind: 'feed' });
    const reasonOf = async (token: string) => (await read(token)).body.details?.reason;
    expect(await reasonOf(personal.token)).toBe('token_not_valid');
    expect(await reasonOf('')).toBe('token_malformed');
    expect(await reasonOf(`${feed.token.slice(0, -1)}_`)).toBe('token_malformed');
    expectProblem(await read(without.token), 403, 'insufficient_scope');
    const cookie = await cookieOf(service, tokens['in dev']);
    const withCookie = await service.ask('GET', '/api/feeds/alerts.atom', { headers: { cookie } });
    expectProblem(withCookie, 401, 'unauthenticated');
    expect(withCookie.headers.get('set-cookie')).toBeNull();
    for (const path of ['/api/alerts', '/api/auth/me', '/api/alerts?t=x']) {
      const answer = await service.ask('GET', path, { headers: feed.headers });
      expect(answer.body.details?.reason).toBe('token_not_valid');
    }
  });

  test('loses what its owner no longer sees, and ends with its token', async () => {
    const { world } = service.double;
    const only = world.tokens.find(({ token }) => token === tokens['in dev']);
    if (!only) throw new Error('The token is not there.');
    service.clock.advance(3_600_000);
    only.only = ['octo/open'];
    expect(expectAtom((await read(feed.token)).text)).toEqual([]);
    only.only = null;
    service.clock.advance(3_600_000);
    expect(expectAtom((await read(feed.token)).text)).toHaveLength(1);
    await service.ask('DELETE', `/api/tokens?id=${feed.id}`, { as: tokens['in dev'] });
    expectProblem(await read(feed.token), 401, 'unauthenticated');
  });

  test('takes no cookie away, also where there is no such feed', async () => {
    const cookie = await cookieOf(service, tokens['in admin']);
    for (const [method, path] of [
      ['GET', '/api/feeds/alerts.atom/?t=wrong'],
      ['POST', '/api/feeds/alerts.atom?t=wrong'],
    ] as const) {
      const answer = await service.ask(method, path, { headers: { cookie } });
      expectProblem(answer, 401, 'unauthenticated');
      expect(answer.headers.get('set-cookie')).toBeNull();
    }
  });

  test('ends no session of somebody else where its owner left the organization', async () => {
    const cookie = await cookieOf(service, tokens['in admin']);
    const left = await makeToken(service, tokens['in pm'], ['alerts'], { kind: 'feed' });
    const { world } = service.double;
    const owner = world.tokens.find(({ token }) => token === tokens['in pm']);
    const account = world.accounts.find(({ login }) => login === owner?.login);
    if (!account) throw new Error('The account is not there.');
    const { memberOf } = account;
    account.memberOf = [];
    service.clock.advance(3_600_000);
    expectProblem(await read(left.token, { cookie }), 403, 'org_not_allowed');
    account.memberOf = memberOf;
    service.clock.advance(3_600_000);
    expect((await service.ask('GET', '/api/auth/me', { headers: { cookie } })).status).toBe(200);
  });

  test('is read sixty times an hour', async () => {
    const one = await makeToken(service, tokens['in pm'], ['alerts'], { kind: 'feed' });
    const other = await makeToken(service, tokens['in pm'], ['alerts'], { kind: 'feed' });
    for (let count = 0; count < 60; count++) expect((await read(one.token)).status).toBe(200);
    expectProblem(await read(one.token), 429, 'rate_limited');
    expect((await read(other.token)).status).toBe(200);
    service.clock.advance(3_600_000);
    expect((await read(one.token)).status).toBe(200);
  });
});
