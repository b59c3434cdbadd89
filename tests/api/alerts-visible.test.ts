import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cookieOf, settle } from '../access/personas.ts';
import { servicesOf } from '../alerts/stage.ts';
import { track } from '../store/world.ts';
import { type Service, startService } from '../support/service.ts';
import { expectRefusal } from './endpoints.ts';

const path = '/api/alerts';
const web = { scope: 'repo:octo/web', metric: 'failure_rate', threshold: 20 };

describe('alerts in an organization', () => {
  let service: Service;
  let tokens: Awaited<ReturnType<typeof settle>>;
  beforeAll(async () => {
    service = await startService({ MODE: 'organization', DATABASE_URL: 'pglite://memory' });
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

  test('members read how a rule went lately', async () => {
    const { store } = servicesOf(service.app);
    const [rule] = await store.alertRules.list('octo');
    if (!rule) throw new Error('The rule is not there.');
    const judged = { value: 12.345, sample: 9, breaching: false, isBelow: true, incomplete: null, details: {} };
    const at = { repoId: await track(store), source: 'sync' as const, now: service.clock.now() };
    await store.alertEvents.record({ rule, ...at, ...judged }, () => Promise.resolve());
    const { rules } = (await askAs('in dev', 'GET')).body;
    const days = rules.map(({ highest_by_day: highest }: { highest_by_day: (number | null)[] }) => highest);
    const none = Array.from({ length: 30 }, () => null);
    expect(days).toEqual([none, [...none.slice(1), 12.345], none]);
  });

  test('what a member cannot see is not among them', async () => {
    const { world } = service.double;
    const stranger = { id: 9900, login: 'outsider', name: null, email: null, memberOf: [] };
    world.accounts.push(stranger);
    world.tokens.push({
      ...{ token: 'token-outsider', login: 'outsider', scopes: ['repo'], authorizedFor: [], only: ['octo/open'] },
    });
    await service.signIn('token-outsider');
    const by = { actor: { id: null, login: 'system' }, requestId: null, now: service.clock.now() };
    await service.app.services.store?.users.replaceGroups('9900', ['dev'], by);
    const cookie = await cookieOf(service, 'token-outsider');
    expect((await service.ask('GET', path, { headers: { cookie } })).body).toEqual({ rules: [], events: [] });
  });

  test('nobody but administrators changes rules', async () => {
    const answer = await askAs('in devops', 'POST', { ...web, threshold: 50 });
    expectRefusal(answer, 403, 'forbidden');
    expect(answer.body.flag).toBe('admin');
  });

  test('when the platform cannot be asked, nothing is shown', async () => {
    service.clock.advance(10 * 60_000);
    service.double.fault(
      { path: /^\/(user\/repos|repos|user\/memberships)/, times: 99 },
      { kind: 'status', status: 502 },
    );
    expectRefusal(await askAs('in pm', 'GET'), 503, 'authz_unavailable');
  });
});
