import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type MadeToken, makeToken } from '../access/made-token.ts';
import { settle } from '../access/personas.ts';
import { expectProblem } from '../api/endpoints.ts';
import { expectAtom } from '../support/atom-reader.ts';
import { anyDatabase, type Service, startService } from '../support/service.ts';

const weekMs = 7 * 86_400_000;

describe('the weekly summary', () => {
  let service: Service;
  let tokens: Awaited<ReturnType<typeof settle>>;
  let feed: MadeToken;
  beforeAll(async () => {
    service = await startService({ MODE: 'organization', DATABASE_URL: anyDatabase });
    tokens = await settle(service);
    feed = await makeToken(service, tokens['in pm'], ['healthScorecard'], { kind: 'feed', expires_in_days: 366 });
  });
  afterAll(() => service?.close());

  const read = (token: string, query = 'org=octo&', headers: Record<string, string> = {}) =>
    service.ask('GET', `/api/feeds/weekly.atom?${query}t=${token}`, { headers });
  const entriesOf = async () => expectAtom((await read(feed.token)).text);
  /** Scores are computed behind the answer. */
  const written = (count: number) =>
    vi.waitFor(
      async () => {
        service.clock.advance(60_000);
        const entries = await entriesOf();
        expect(entries).toHaveLength(count);
        return entries;
      },
      { timeout: 60_000, interval: 200 },
    );

  test('keeps no week in which a score failed', async () => {
    service.double.fault({ path: '/repos/octo/api', times: 9 }, { kind: 'status', status: 502 });
    await entriesOf();
    const scores = () =>
      service.ask('GET', '/api/codehost/org-health-scorecard?org=octo&limit=10', { as: tokens['in pm'] });
    await vi.waitFor(async () => expect((await scores()).body.computing).toBe(false), { timeout: 60_000 });
    expect((await scores()).body.skipped).toContainEqual({ repo: 'api', reason: 'failed' });
    expect(await entriesOf()).toEqual([]);
  });

  test('has a week once its scores are computed, with figures and names of repositories alone', async () => {
    const [entry] = await written(1);
    expect(entry).toMatchObject({
      id: expect.stringMatching(/^tag:[\w.]+,2026:week:octo:\d{4}-W\d\d$/),
      title: expect.stringMatching(/^octo, week \d{4}-W\d\d$/),
      page: expect.stringMatching(/\/org\/octo\/health$/),
      content: expect.stringMatching(/scored repositor(y|ies)/),
    });
    const { accounts } = service.double.world;
    const people = accounts.flatMap(({ login, name, email }) => [login, name, email]).filter((one) => one !== 'octo');
    for (const one of people) if (one) expect(entry?.content.split(/\W+/)).not.toContain(one);
  });

  test('is opened by a token for feeds with the feature alone, for an organization that its owner sees', async () => {
    const alerts = await makeToken(service, tokens['in pm'], ['alerts'], { kind: 'feed' });
    expectProblem(await read(alerts.token), 403, 'insufficient_scope');
    expectProblem(await service.ask('GET', `/api/feeds/alerts.atom?t=${feed.token}`), 403, 'insufficient_scope');
    const personal = await makeToken(service, tokens['in pm'], ['healthScorecard']);
    expectProblem(await read(personal.token), 401, 'unauthenticated');
    expectProblem(await read(feed.token, ''), 400, 'invalid_request');
    expectProblem(await read(feed.token, 'org=nobody-at-all&'), 404, 'not_found');
  });

  test('loses the weeks of repositories that its owner no longer sees', async () => {
    const only = service.double.world.tokens.find(({ token }) => token === tokens['in pm']);
    if (!only) throw new Error('The token is not there.');
    const [before] = await entriesOf();
    expect(before?.content).toContain('web');
    only.only = ['octo/open'];
    service.clock.advance(3_600_000);
    expect((await entriesOf()).map(({ content }) => content)).not.toContain(before?.content);
    only.only = null;
    service.clock.advance(3_600_000);
    expect(await entriesOf()).toContainEqual(before);
    service.clock.advance(600_000);
    service.double.fault({ path: '/orgs/octo/repos', times: 3 }, { kind: 'status', status: 502 });
    expectProblem(await read(feed.token), 503, 'authz_unavailable');
    service.clock.advance(600_000);
    expect(await entriesOf()).toContainEqual(before);
  });

  test('keeps a week as it was written, and adds the next one', async () => {
    const [first] = await entriesOf();
    const { headers } = await read(feed.token);
    const known = { 'if-none-match': headers.get('etag') ?? '' };
    expect((await read(feed.token, 'org=octo&', known)).status).toBe(304);
    service.clock.advance(weekMs);
    const [second, earlier] = await written(2);
    expect(earlier).toEqual(first);
    expect(second?.id).not.toBe(first?.id);
    service.clock.advance(12 * weekMs);
    const [latest] = await written(1);
    expect([first?.id, second?.id]).not.toContain(latest?.id);
  });
});
