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
});

aDatabase((database) => {
  const visit = storedService(database, { MODE: 'organization', DEFAULT_GROUP: 'dev', SERVICE_ALLOWED_ORGS: 'octo' });

  test('badges end as soon as it shows that their maker left the organization', async () => {
    const { service } = visit;
    await visit.sync('owner=octo&repo=web');
    await service.ask('PUT', '/api/settings/sharing', { as: 'token-ann', body: forMembers });
    const id = await makeBadge(service, 'token-ann', 30);
    const ann = service.double.world.accounts.find(({ login }) => login === 'ann');
    if (!ann) throw new Error('the world has no ann');
    ann.memberOf = [];
    service.clock.advance(60 * 60_000);
    expect((await service.ask('GET', '/api/auth/me', { as: 'token-ann' })).status).toBe(403);
    const { store } = service.app.services;
    const listed = await store?.shares.list(null, { limit: 100, offset: 0 });
    expect(listed?.shares).toMatchObject([{ id, revokedAt: service.clock.now() }]);
  });
});
