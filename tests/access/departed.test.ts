import { expect, test } from 'vitest';
import { shareCheck } from '../../jobs/share-check.ts';
import { findDeparted } from '../../server/access/departed.ts';
import type { Platform } from '../../server/codehost/changes/client.ts';
import { dayMs } from '../../server/metrics/kernel/window.ts';
import type { Env } from '../../server/platform/env.ts';
import { createLog } from '../../server/platform/log.ts';
import { Problem } from '../../server/platform/problem.ts';
import { sealServiceToken } from '../../server/platform/service-token.ts';
import { storedService } from '../api/stored.ts';
import { cheapestDatabase } from '../support/database.ts';
import { me } from './asked-with-token.ts';
import { makeToken } from './made-token.ts';
import { settle } from './personas.ts';

cheapestDatabase((database) => {
  const visit = storedService(database, {
    MODE: 'organization',
    SERVICE_ALLOWED_ORGS: 'octo',
    CODEHOST_TOKEN: 'token-ann',
    BOOTSTRAP_ADMINS: 'bo',
  });
  const badge = { badge: { kind: 'lead-time', owner: 'octo', repo: 'web' }, expires_in_days: 30 };
  /** What the nightly check does. */
  const run = () => {
    const { services } = visit.service.app;
    const signal = new AbortController().signal;
    const until = services.clock.now() + 60_000;
    return shareCheck.run({ services, signal, mayContinue: () => true, until, since: null });
  };
  const check = async () => {
    const { summary } = await run();
    return [summary.shares_ended, summary.tokens_ended, summary.members_ended];
  };
  const accountOf = (login: string) => {
    const account = visit.service.double.world.accounts.find((one) => one.login === login);
    if (!account) throw new Error(`the world has no ${login}`);
    return account;
  };

  test('what an account made ends in the night after it left the organization, and nothing else', async () => {
    const { service } = visit;
    const tokens = await settle(service);
    await visit.sync('owner=octo&repo=web', tokens['in admin']);
    await service.ask('PUT', '/api/settings/sharing', {
      as: tokens['in admin'],
      body: { sharing: 'members', public_badges: false },
    });
    const [leaving, staying] = [tokens['in dev'], tokens['in pm']];
    const ended = await makeToken(service, leaving, []);
    const kept = await makeToken(service, staying, []);
    for (const as of [leaving, staying])
      expect((await service.ask('POST', '/api/shares', { as, body: badge })).status).toBe(201);
    expect(await check()).toEqual([0, 0, 0]);

    accountOf('person-3').memberOf = [];
    accountOf('ann').memberOf = [];
    expect(await check()).toEqual([0, 0, 0]);
    accountOf('ann').memberOf = ['octo'];
    service.clock.advance(600_000);
    service.double.fault({ path: /\/orgs\/octo\/members/ }, { kind: 'status', status: 404 });
    expect(await check()).toEqual([0, 0, 0]);
    service.clock.advance(600_000);
    service.double.fault({ path: '/user/9003' }, { kind: 'status', status: 404 });
    expect(await check()).toEqual([0, 0, 0]);
    service.double.fault({ path: '/orgs/octo/members/person-3' }, { kind: 'status', status: 403 });
    expect(await check()).toEqual([0, 0, 0]);
    // Back again, while the list that is cached still lacks the account.
    accountOf('person-3').memberOf = ['octo'];
    expect(await check()).toEqual([0, 0, 0]);
    accountOf('person-3').memberOf = [];
    expect(await check()).toEqual([1, 1, 1]);
    expect(await check()).toEqual([0, 0, 0]);
    expect((await me(service, ended.headers)).body.details?.reason).toBe('token_not_valid');
    expect((await me(service, kept.headers)).status).toBe(200);
    const { entries } = (await service.ask('GET', '/api/admin/audit', { as: tokens['in admin'] })).body;
    const notes = entries.map(({ action, note }: { action: string; note: string }) => `${action} ${note}`);
    const written = ['token.all_revoked', 'user.groups_replaced'].map((action) => `${action} org_not_allowed`);
    expect(notes).toEqual(expect.arrayContaining([...written, 'badge.revoked maker_left']));
  });

  test('when the only administrator leaves, the next one named becomes it', async () => {
    await visit.anew();
    const { service } = visit;
    await settle(service);
    const { store } = service.app.services;
    accountOf('bo').memberOf = ['octo'];
    for (const token of service.double.world.tokens) if (token.login === 'bo') token.scopes = ['repo', 'read:org'];
    expect(await store?.users.admins()).toEqual(['person-5']);
    accountOf('person-5').memberOf = [];
    service.clock.advance(600_000);
    expect(await check()).toEqual([0, 0, 1]);
    await service.signIn('token-bo');
    expect(await store?.users.admins()).toEqual(['bo']);
    expect((await store?.users.find(9005))?.groups).toEqual([]);
    expect((await store?.users.find(9003))?.groups).toEqual(['dev']);
  });

  test('members of an organization that is no longer allowed have left after seven nights, not sooner', async () => {
    await visit.anew();
    const { service } = visit;
    const tokens = await settle(service);
    const { env, store, background } = service.app.services;
    const as = tokens['in dev'];
    await visit.sync('owner=octo&repo=web', tokens['in admin']);
    const body = { sharing: 'members', public_badges: false };
    await service.ask('PUT', '/api/settings/sharing', { as: tokens['in admin'], body });
    expect((await service.ask('POST', '/api/shares', { as, body: badge })).status).toBe(201);
    const badges = async () => (await store?.shares.live(9003, service.clock.now()))?.length;
    accountOf('person-3').memberOf = ['acme'];
    const under = async (...orgs: string[]) => {
      Object.assign(env, { SERVICE_ALLOWED_ORGS: orgs });
      return (await run()).summary;
    };
    const groups = async () => (await store?.users.find(9003))?.groups;
    expect(await under('octo', 'acme')).toMatchObject({ members_ended: 0, departures_held: 0 });
    service.clock.advance(dayMs);
    expect(await under('octo')).toMatchObject({ members_ended: 0, departures_held: 1 });
    expect((await service.ask('GET', '/api/auth/me', { as })).status).toBe(403);
    await background.ended();
    expect(await badges()).toBe(1);
    service.clock.advance(6 * dayMs);
    expect(await under('Octo')).toMatchObject({ members_ended: 0, departures_held: 1 });
    expect(await groups()).toEqual(['dev']);
    service.clock.advance(dayMs);
    expect(await under('octo')).toMatchObject({ members_ended: 1, departures_held: 0 });
    expect(await groups()).toEqual([]);
  });
});

/** Who of the accounts 1 to 3 has left, as far as an installation with these organizations finds out. */
async function departedAmong(
  organizations: object,
  MODE: 'organization' | 'standalone' = 'organization',
  warned: unknown[] = [],
) {
  const env = { MODE, CODEHOST_TOKEN: sealServiceToken('token-ann'), SERVICE_ALLOWED_ORGS: ['octo'] };
  const active = async () => ({ state: 'active' });
  const connect = () => ({ organizations: { membership: active, ...organizations } }) as unknown as Platform;
  const log = Object.assign(createLog('silent'), { warn: (fields: unknown) => warned.push(fields) });
  const hasLeft = await findDeparted({ env: env as Env, connect, log });
  const left = await Promise.all([1, 2, 3].map((accountId) => hasLeft({ accountId })));
  return [1, 2, 3].filter((_, index) => left[index]);
}

const list =
  (ids: number[], more: object = {}) =>
  async () => ({
    items: ids.map((id) => ({ id })),
    partial: false,
    stale: false,
    ...more,
  });
const nobody = async () => false;

test.each([
  ['lacks a member since another one left in between', list([1, 3]), async () => true],
  ['ends after its first page', list([]), async () => true],
  ['is not whole', list([1], { partial: true }), nobody],
  ['is an old copy', list([1], { stale: true }), nobody],
  ['lacks an account about which nothing is answered', list([1]), () => Promise.reject(new Problem('not_found', ''))],
])('nobody has left where the list of members %s', async (_, members, hasMember) => {
  expect(await departedAmong({ members, hasMember })).toEqual([]);
});

test('only whom the list lacks and the organization denies has left, and in standalone mode nobody', async () => {
  const organizations = { members: list([1]), hasMember: async (_org: string, id: number) => id === 2 };
  expect(await departedAmong(organizations)).toEqual([3]);
  expect(await departedAmong({ ...organizations, membership: async () => null })).toEqual([]);
  expect(await departedAmong(organizations, 'standalone')).toEqual([]);
});

test.each([
  ['list of members not whole', { members: list([1], { partial: true }) }],
  ['list of members is an old copy', { members: list([1], { stale: true }) }],
  ['token of no member', { members: list([1]), membership: async () => null }],
])('the log says why nobody counts as having left: %s', async (reason, organizations) => {
  const warned: unknown[] = [];
  expect(await departedAmong({ ...organizations, hasMember: nobody }, 'organization', warned)).toEqual([]);
  expect(warned).toEqual([{ org: 'octo', reason }]);
});
