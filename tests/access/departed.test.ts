import { expect, test } from 'vitest';
import { shareCheck } from '../../jobs/share-check.ts';
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
  });
  const badge = { badge: { kind: 'lead-time', owner: 'octo', repo: 'web' }, expires_in_days: 30 };
  /** What the nightly check does. */
  const check = async () => {
    const { services } = visit.service.app;
    const signal = new AbortController().signal;
    const until = services.clock.now() + 60_000;
    const { summary } = await shareCheck.run({ services, signal, mayContinue: () => true, until, since: null });
    return [summary.shares_ended, summary.tokens_ended];
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
    expect(await check()).toEqual([0, 0]);

    accountOf('person-3').memberOf = [];
    accountOf('ann').memberOf = [];
    expect(await check()).toEqual([0, 0]);
    accountOf('ann').memberOf = ['octo'];
    service.clock.advance(600_000);
    service.double.fault({ path: /\/orgs\/octo\/members/ }, { kind: 'status', status: 404 });
    expect(await check()).toEqual([0, 0]);
    service.clock.advance(600_000);
    expect(await check()).toEqual([1, 1]);
    expect(await check()).toEqual([0, 0]);
    expect((await me(service, ended.headers)).body.details?.reason).toBe('token_not_valid');
    expect((await me(service, kept.headers)).status).toBe(200);
    const { entries } = (await service.ask('GET', '/api/admin/audit', { as: tokens['in admin'] })).body;
    const notes = entries.map(({ action, note }: { action: string; note: string }) => `${action} ${note}`);
    expect(notes).toEqual(expect.arrayContaining(['token.all_revoked org_not_allowed', 'badge.revoked maker_left']));
  });
});
