import { describe, expect, inject, test, vi } from 'vitest';
import { createMigrated } from '../../support/created-databases.ts';
import { type Service, startService } from '../../support/service.ts';
import { expectProblem, freshService } from '../endpoints.ts';
import {
  agree,
  begin,
  comeBack,
  expectTurnedAway,
  holds,
  me,
  sessionOf,
  signedIn,
  signIn,
  written,
} from './signing-in.ts';

/** Accounts `p1`, `p2`, …, members of octo; those named own it. */
function populate({ double }: Service, count: number, owners: readonly string[] = []): string[] {
  const logins = Array.from({ length: count }, (_, index) => `p${index + 1}`);
  for (const [index, login] of logins.entries()) {
    const owns = owners.includes(login) ? ['octo'] : [];
    double.world.accounts.push({ id: 700 + index, login, name: null, email: null, memberOf: ['octo'], owns });
  }
  return logins;
}

const groupsOf = async (service: Service, cookie: string) => (await me(service, cookie)).body.groups;

describe('with administrators named', () => {
  const visit = freshService({
    MODE: 'organization',
    DATABASE_URL: 'pglite://memory',
    BOOTSTRAP_ADMINS: 'P2,p3',
    DEFAULT_GROUP: 'dev',
  });

  test('the first of them to sign in is the one; neither who came before nor who comes after', async () => {
    const { service } = visit;
    populate(service, 3);
    const [first, second, third] = [
      await signedIn(service, { login: 'p1' }),
      await signedIn(service, { login: 'p2' }),
      await signedIn(service, { login: 'p3' }),
    ];
    expect(await groupsOf(service, first)).toEqual(['dev']);
    expect(await groupsOf(service, second)).toEqual(['admin']);
    expect(await groupsOf(service, third)).toEqual(['dev']);
    const system = { id: null, login: 'system' };
    expect(await written(service)).toMatchObject([
      { action: 'user.default_group', target: 'p3', actor: system, after: ['dev'] },
      { action: 'user.bootstrap_admin', target: 'p2', actor: system, after: ['admin'] },
      { action: 'user.default_group', target: 'p1', actor: system, after: ['dev'] },
    ]);
    expect(await service.app.services.store?.audit.broken()).toBeNull();
  });

  test('a group that was taken away does not come back with the next sign-in', async () => {
    const { service } = visit;
    populate(service, 1);
    await signedIn(service, { login: 'p1' });
    const by = { actor: { id: null, login: 'system' }, requestId: null, now: service.clock.now() };
    await service.app.services.store?.users.replaceGroups(700, [], by);
    expect(await groupsOf(service, await signedIn(service, { login: 'p1' }))).toEqual([]);
  });

  test('the database gone: a caller cannot be checked, a visitor is one, and nobody signs in', async () => {
    const { service } = visit;
    populate(service, 2);
    const cookie = await signedIn(service, { login: 'p2' });
    const begun = await begin(service);
    const { path } = await agree(service, begun, { login: 'p2', token: 'in-vain' });
    await service.app.services.store?.close();
    const { log } = service.app.services;
    const lines = [vi.spyOn(log, 'error'), vi.spyOn(log, 'warn')];
    const unchecked = await me(service, cookie);
    expectProblem(unchecked, 503, 'authz_unavailable');
    const line = { code: 'authz_unavailable', request_id: unchecked.headers.get('x-request-id') };
    expect(lines.flatMap(({ mock }) => mock.calls)).toEqual([
      [expect.objectContaining(line), 'a request could not be answered'],
    ]);
    expectProblem(await me(service, ''), 401, 'unauthenticated');
    expect((await service.ask('GET', '/api/health')).status).toBe(200);
    const answer = await comeBack(service, path, begun.flow);
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/login?error=server']);
    expect(sessionOf(answer)).toBeUndefined();
  });
});

describe('with organizations that may sign in', () => {
  const visit = freshService({ MODE: 'organization', SERVICE_ALLOWED_ORGS: 'many,octo', BOOTSTRAP_ADMINS: '' });

  test('an owner of one is the first administrator; a member who came first is not', async () => {
    const { service } = visit;
    populate(service, 3, ['p2', 'p3']);
    const [first, second, third] = [
      await signedIn(service, { login: 'p1' }),
      await signedIn(service, { login: 'p2' }),
      await signedIn(service, { login: 'p3' }),
    ];
    expect(await groupsOf(service, first)).toEqual([]);
    expect(await groupsOf(service, second)).toEqual(['admin']);
    expect(await groupsOf(service, third)).toEqual([]);
  });

  test('an owner who is not let in is nothing', async () => {
    const { service } = visit;
    populate(service, 1, ['p1']);
    service.double.fault({ path: /memberships/, times: 99 }, { kind: 'status', status: 500 });
    expectTurnedAway(await signIn(service, { login: 'p1', token: 'in-vain' }), 'authz_unavailable');
    expect([await service.app.services.store?.users.admins(), holds(service, 'in-vain')]).toEqual([[], false]);
  });
});

describe('with nobody named', () => {
  const visit = freshService({ MODE: 'organization', BOOTSTRAP_ADMINS: '' });

  test('nobody is administrator by coming first, and who waits learns what is missing', async () => {
    const { service } = visit;
    populate(service, 1, ['p1']);
    const cookie = await signedIn(service, { login: 'p1' });
    expect(await groupsOf(service, cookie)).toEqual([]);
    const ask = () => service.ask('GET', '/api/auth/administrators', { headers: { cookie } });
    expect((await ask()).body).toEqual({ exists: false, logins: null });
    expectProblem(await service.ask('GET', '/api/codehost/repos', { headers: { cookie } }), 403, 'no_groups');
    const by = { actor: { id: null, login: 'system' }, requestId: null, now: service.clock.now() };
    await service.app.services.store?.users.replaceGroups(700, ['admin'], by);
    expect((await ask()).body).toEqual({ exists: true, logins: ['p1'] });
    const waiting = await signedIn(service, { login: 'bo' });
    const headers = { cookie: waiting };
    expect((await service.ask('GET', '/api/auth/administrators', { headers })).body).toEqual({
      exists: true,
      logins: null,
    });
  });
});

const socket = inject('postgres');

describe.skipIf(socket === null)('two processes with one database', () => {
  const pair = async (work: (one: Service, other: Service) => Promise<void>) => {
    const settings = { MODE: 'organization', DATABASE_URL: await createMigrated(socket as string) };
    const env = { ...settings, BOOTSTRAP_ADMINS: 'p1,p2,p3,p4,p5,p6' };
    const one = await startService(env);
    const other = await startService(env, one);
    try {
      await work(one, other);
    } finally {
      await other.close();
      await one.close();
    }
  };

  test('people who sign in at the same moment are one administrator', async () => {
    await pair(async (one, other) => {
      const logins = populate(one, 6);
      const waiting = [];
      for (const login of logins) {
        const begun = await begin(one);
        waiting.push({ begun, ...(await agree(one, begun, { login })) });
      }
      const answers = await Promise.all(
        waiting.map(({ path, begun }, index) => comeBack(index % 2 ? one : other, path, begun.flow)),
      );
      expect(answers.map((answer) => sessionOf(answer) !== undefined)).toEqual(logins.map(() => true));
      expect(await one.app.services.store?.users.admins()).toHaveLength(1);
      expect((await written(one)).map(({ action }) => action)).toEqual(['user.bootstrap_admin']);
      expect(await one.app.services.store?.audit.broken()).toBeNull();
    });
  });

  test('a state opens in one of them, and a session that ended in one is over in the other at once', async () => {
    await pair(async (one, other) => {
      populate(one, 1);
      const begun = await begin(one);
      const [first, again] = [await agree(one, begun, { login: 'p1' }), await agree(one, begun, { login: 'p1' })];
      const answers = await Promise.all([
        comeBack(one, first.path, begun.flow),
        comeBack(other, again.path, begun.flow),
      ]);
      const [cookie = '', ...rest] = answers.map(sessionOf).filter((one) => one !== undefined);
      expect(rest).toEqual([]);
      expect([(await me(one, cookie)).status, (await me(other, cookie)).status]).toEqual([200, 200]);
      await one.ask('POST', '/api/auth/logout', { headers: { cookie } });
      for (const service of [other, one]) expectProblem(await me(service, cookie), 401, 'unauthenticated');
    });
  });
});
