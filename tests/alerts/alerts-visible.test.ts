import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Evaluated } from '../../server/store/alert-events.ts';
import { cookieOf, settle } from '../access/personas.ts';
import { expectProblem } from '../api/endpoints.ts';
import { repositoryOf } from '../codehost-double/world.ts';
import { trackAll } from '../jobs/night.ts';
import { anyDatabase, type Service, startService } from '../support/service.ts';
import { servicesOf } from './stage.ts';

const path = '/api/alerts';
const web = { scope: 'repo:octo/web', metric: 'failure_rate', threshold: 20 };

/** In octo, and for none of the personas but the administrator to see. */
const hidden = 'octo/secret';
const [webRule, orgRule] = [1, 2];

describe('alerts in an organization', () => {
  let service: Service;
  let tokens: Awaited<ReturnType<typeof settle>>;
  beforeAll(async () => {
    service = await startService({ MODE: 'organization', DATABASE_URL: anyDatabase });
    tokens = await settle(service);
    const admin = await cookieOf(service, tokens['in admin']);
    const rules = [
      web,
      { ...web, scope: 'org:octo', channel: 'email', destination: 'lead@codehost.example' },
      { ...web, channel: 'slack', destination: 'https://hooks.slack.com/services/T0/B0/secret' },
    ];
    for (const body of rules)
      expect((await service.ask('POST', path, { headers: { cookie: admin }, body })).status).toBe(201);
  });
  afterAll(() => service?.close());
  const askAs = async (who: keyof typeof tokens, method: string, body?: object) =>
    service.ask(method, `${path}${method === 'GET' ? '?events=1' : ''}`, {
      headers: { cookie: await cookieOf(service, tokens[who]) },
      ...(body && { body }),
    });

  test('members read what their own token sees, without where it is sent', async () => {
    const { body, text } = await askAs('in dev', 'GET');
    expect(body.rules).toMatchObject([
      { destination: null, destination_hidden: false, created_by: null },
      { scope: 'org:octo', destination: null, destination_hidden: true },
      { channel: 'slack', destination: null, destination_hidden: true },
    ]);
    expect(text).not.toMatch(/lead@|secret/);
    expect((await askAs('in admin', 'GET')).body.rules[2].destination).toContain('secret');
  });

  /** Tracks repositories of the world, and answers how a rule comes out over the last of them. */
  async function over(...names: string[]) {
    const { store } = servicesOf(service.app);
    await trackAll(service.double, store, names, service.clock.now());
    const known = (await store.repositories.tracked()).find(({ owner, repo }) => `${owner}/${repo}` === names.at(-1));
    if (!known) throw new Error('It is not tracked.');
    const repoId = known.id;
    return async (ruleId: number, value: number) => {
      // Of an hour, so that it may fire again soon.
      const by = { actor: { id: 101, login: 'ann' }, requestId: null, now: service.clock.now() };
      const rule = await store.alertRules.change(ruleId, { windowHours: 1 }, by);
      if (rule === null || rule === 'same') throw new Error('Rule not found.');
      const judged = { value, sample: 9, breaching: value >= 20, isBelow: value < 20, incomplete: null, details: {} };
      const about = {
        rule,
        repoId,
        quietHours: rule.windowHours,
        source: 'sync' as const,
        now: service.clock.now(),
        ...judged,
      };
      return store.alertEvents.record(about satisfies Evaluated, () => Promise.resolve());
    };
  }

  test('of an organization members read how their own repositories fare, and of no other', async () => {
    const [seen, unseen] = [await over('octo/web'), await over(hidden)];
    await unseen(orgRule, 19.75);
    const figures = async (who: keyof typeof tokens) => {
      const { rules } = (await askAs(who, 'GET')).body;
      const of = rules.find(({ id }: { id: number }) => id === orgRule);
      return [of.last_value, of.highest_by_day.at(-1), of.last_evaluated_at !== null];
    };
    expect(await figures('in dev')).toEqual([null, null, false]);
    expect(await figures('in admin')).toEqual([19.75, 19.75, true]);
    await seen(orgRule, 12.345);
    expect(await figures('in dev')).toEqual([12.35, 12.345, true]);
    expect(await figures('in admin')).toEqual([19.75, 19.75, true]);
  });

  test('however many events of others are newer, members find their own, and the count of what is open', async () => {
    const [seen, unseen] = [await over('octo/web'), await over(hidden)];
    expect(await seen(webRule, 50)).not.toBeNull();
    for (let hour = 1; hour <= 55; hour++) {
      service.clock.advance(3_600_000);
      await unseen(orgRule, 80);
    }
    const mine = (await askAs('in dev', 'GET')).body;
    expect([mine.open_count, mine.events.length]).toEqual([1, 1]);
    expect(mine.events[0]).toMatchObject({ repo: 'octo/web', is_open: true });
    const all = (await askAs('in admin', 'GET')).body;
    expect([all.open_count, all.events.length]).toEqual([56, 50]);
  });

  test('looking again within five minutes costs the platform nothing', async () => {
    await askAs('in dev', 'GET');
    service.clock.advance(60_000);
    service.double.requests.length = 0;
    await askAs('in dev', 'GET');
    expect(service.double.requests.filter(({ status }) => status !== 304)).toEqual([]);
  });

  test('what was stored of a repository is not shown of another one that has its name by now', async () => {
    const { facts } = repositoryOf(service.double.world, 'octo/web');
    const { id } = facts;
    expect((await askAs('in dev', 'GET')).body.events).not.toEqual([]);
    facts.id = 424_242;
    service.clock.advance(3_600_000);
    const { events, open_count } = (await askAs('in dev', 'GET')).body;
    facts.id = id;
    service.clock.advance(3_600_000);
    expect({ events, open_count }).toEqual({ events: [], open_count: 0 });
    expect((await askAs('in dev', 'GET')).body.events).not.toEqual([]);
  });

  test('beside charts are alerts about repositories that somebody sees, of rules of an organization for administrators', async () => {
    service.clock.advance(2 * 3_600_000);
    const [seen, unseen] = [await over('octo/web'), await over(hidden)];
    for (const fire of [() => seen(webRule, 51), () => seen(orgRule, 52), () => unseen(orgRule, 53)])
      expect(await fire()).not.toBeNull();
    const read = async (who: keyof typeof tokens, scope: string) => {
      const headers = { cookie: await cookieOf(service, tokens[who]) };
      const { body } = await service.ask('GET', `/api/db/marks?${scope}&range=30`, { headers });
      return body.alerts.map(({ repo, value }: { repo: string; value: number }) => `${repo} ${value}`).toSorted();
    };
    expect(await read('in dev', 'org=octo')).toEqual(['octo/web 50', 'octo/web 51']);
    expect(await read('in admin', 'org=octo')).toEqual(['octo/web 50', 'octo/web 51', 'octo/web 52']);
    expect(await read('in admin', 'repo=octo%2Fweb')).toEqual(['octo/web 50', 'octo/web 51', 'octo/web 52']);
  });

  test('what a member cannot see is not among them', async () => {
    const { world } = service.double;
    const stranger = { id: 9900, login: 'outsider', name: null, email: null, memberOf: [] };
    world.accounts.push(stranger);
    world.tokens.push({
      token: 'token-outsider',
      login: 'outsider',
      scopes: ['repo'],
      authorizedFor: [],
      only: ['octo/open'],
    });
    await service.signIn('token-outsider');
    const by = { actor: { id: null, login: 'system' }, requestId: null, now: service.clock.now() };
    await service.app.services.store?.users.replaceGroups(9900, ['dev'], by);
    const cookie = await cookieOf(service, 'token-outsider');
    expect((await service.ask('GET', path, { headers: { cookie } })).body).toEqual({
      rules: [],
      events: [],
      table: 'rules',
      next_cursor: null,
      open_count: null,
    });
  });

  test('nobody but administrators changes rules', async () => {
    const answer = await askAs('in devops', 'POST', { ...web, threshold: 50 });
    expectProblem(answer, 403, 'forbidden');
    expect(answer.body.flag).toBe('admin');
  });

  test('when the platform cannot be queried, nothing is shown', async () => {
    service.clock.advance(10 * 60_000);
    service.double.fault(
      { path: /^\/(user\/repos|repos|user\/memberships)/, times: 99 },
      { kind: 'status', status: 502 },
    );
    expectProblem(await askAs('in pm', 'GET'), 503, 'authz_unavailable');
  });
});
