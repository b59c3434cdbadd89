import { expect, test } from 'vitest';
import { findDeparted } from '../../server/access/departed.ts';
import { endOutdatedShares } from '../../server/sharing/outdated.ts';
import type { Store } from '../../server/store/orm.ts';
import { storedService } from '../api/stored.ts';
import { aDatabase } from '../support/a-database.ts';
import type { Service } from '../support/service.ts';

const forMembers = { sharing: 'members', public_badges: false };

async function makeBadge(service: Service, as: string, expires_in_days?: number) {
  const badge = { kind: 'lead-time', owner: 'octo', repo: 'web' };
  const { status, body } = await service.ask('POST', '/api/shares', { as, body: { badge, expires_in_days } });
  expect(status).toBe(201);
  return body.share.id as number;
}

async function statesOf(service: Service) {
  const { shares } = (await service.ask('GET', '/api/shares', { as: 'token-ann' })).body;
  return Object.fromEntries(shares.map(({ id, state }: { id: number; state: string }) => [id, state]));
}

aDatabase((database) => {
  const visit = storedService(database, { MODE: 'organization', DEFAULT_GROUP: 'dev' });
  const make = (as: string, days?: number) => makeBadge(visit.service, as, days);
  const states = () => statesOf(visit.service);
  const store = () => visit.service.app.services.store as Store;
  const end = async () => {
    const { services } = visit.service.app;
    return endOutdatedShares({ ...services, store: store() }, await findDeparted(services), () => true);
  };

  test('badges end with the group of their maker, and endless ones with their repository being public', async () => {
    await visit.sync('owner=octo&repo=web');
    await visit.service.ask('PUT', '/api/settings/sharing', { as: 'token-ann', body: forMembers });
    await store().queue.executeSql('update repos set private = false');
    const [ofAnn, ofBo] = [await make('token-ann', 30), await make('token-bo', 30)];
    const by = { actor: { id: 1, login: 'ann' }, requestId: null, now: visit.service.clock.now() };
    expect(await end()).toBe(0);
    const made = (await store().shares.list(null, { limit: 100, offset: 0 })).shares.find(
      ({ id }) => Number(id) === ofAnn,
    );
    if (!made) throw new Error('no badge was made');
    const { id: _id, revokedAt: _revoked, opensByDay: _opens, ...share } = made;
    const endless = { ...share, tokenHash: Buffer.alloc(32, 7), expiresAt: null, snapshot: null, passHash: null };
    const ofEver = await store().shares.create(endless, 9, by);
    await store().queue.executeSql('update repos set private = true');
    expect(await end()).toBe(1);
    await store().queue.executeSql(
      "delete from user_groups where codehost_id in (select codehost_id from users where login = 'bo')",
    );
    expect(await end()).toBe(1);
    expect(await end()).toBe(0);
    expect(await states()).toEqual({ [ofAnn]: 'live', [ofBo]: 'revoked', [String(ofEver)]: 'revoked' });
    const { entries } = (await visit.service.ask('GET', '/api/admin/audit', { as: 'token-ann' })).body;
    const notes = entries
      .filter(({ action }: { action: string }) => action === 'badge.revoked')
      .map(({ note, actor }: { note: string; actor: string | { login: string } }) => [note, actor]);
    expect(JSON.stringify(notes)).toMatch(/maker_left.*system.*repository_private.*system/);
  });

  test('a badge ends with the feature of its maker, unless they are an administrator', async () => {
    await visit.anew();
    const { service } = visit;
    await visit.sync('owner=octo&repo=web');
    await service.ask('PUT', '/api/settings/sharing', { as: 'token-ann', body: forMembers });
    const [ofAnn, ofBo] = [await make('token-ann', 30), await make('token-bo', 30)];
    expect(await end()).toBe(0);
    const cell = { group: 'dev', flag: 'dora', granted: false };
    await service.ask('PUT', '/api/admin/permissions', { as: 'token-ann', body: cell });
    expect([await end(), await states()]).toEqual([1, { [ofAnn]: 'live', [ofBo]: 'revoked' }]);
    const { entries } = (await service.ask('GET', '/api/admin/audit', { as: 'token-ann' })).body;
    expect(entries[0]).toMatchObject({ action: 'badge.revoked', note: 'feature_revoked' });
  });
});

aDatabase((database) => {
  const visit = storedService(database, {
    MODE: 'organization',
    DEFAULT_GROUP: 'dev',
    SERVICE_ALLOWED_ORGS: 'octo',
    CODEHOST_TOKEN: 'token-bo',
  });
  const setMemberships = (memberOf: Record<string, string[]>) => {
    for (const account of visit.service.double.world.accounts) account.memberOf = memberOf[account.login] ?? [];
  };
  const setScopes = (login: string, scopes: string[]) => {
    for (const token of visit.service.double.world.tokens) if (token.login === login) token.scopes = scopes;
  };

  test.each([
    ['their token alone may not show it', { ann: ['octo'], bo: ['octo'] }, ['repo'], false],
    ['the account of the service is no member either', { ann: [], bo: [] }, ['repo', 'read:org'], false],
    ['the service confirms it', { ann: [], bo: ['octo'] }, ['repo', 'read:org'], true],
  ])('of a maker without a membership badges end only where they left: %s', async (_, after, scopes, isRevoked) => {
    await visit.anew();
    const { service } = visit;
    setMemberships({ ann: ['octo'], bo: ['octo'] });
    setScopes('bo', ['repo', 'read:org']);
    await visit.sync('owner=octo&repo=web');
    await service.ask('PUT', '/api/settings/sharing', { as: 'token-ann', body: forMembers });
    await makeBadge(service, 'token-ann', 30);

    setMemberships(after);
    setScopes('ann', scopes);
    service.clock.advance(60 * 60_000);
    expect((await service.ask('GET', '/api/auth/me', { as: 'token-ann' })).body.code).toBe('org_not_allowed');
    const { store, background } = service.app.services;
    await background.ended();
    const listed = await store?.shares.list(null, { limit: 100, offset: 0 });
    expect(listed?.shares).toMatchObject([{ revokedAt: isRevoked ? service.clock.now() : null }]);
  });
});
