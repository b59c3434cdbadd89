import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bearerOf } from '../codehost-double/platform-token.ts';
import { additions } from '../contract.ts';
import { anyDatabase, type Service, startService } from '../support/service.ts';
import { address, concrete, type Door, doors, expected, ofAdditions, outcome } from './doors.ts';
import { cookieOf, cookieOfStranger, groupsOf, type Member, settle } from './personas.ts';

/** These end the session they are asked with. */
const ending = ['DELETE /api/auth/setup', 'POST /api/auth/logout', 'DELETE /api/auth/sessions'];
const nameOf = ({ method, path }: Door) => `${method} ${path}`;
const isMachine = ({ access }: Door) => ['signature', 'bearer', 'accessToken', 'feed'].includes(access);
const machines = doors.filter(isMachine);
/** How whoever sends no secret of theirs is rejected. */
const rejections: Record<string, string> = {
  signature: 'webhook_not_configured',
  bearer: 'cron_unauthorized',
  accessToken: 'unauthenticated',
  feed: 'unauthenticated',
};
const isOpen = ({ access }: Door) => access === 'anyone' || access === 'share';
const guarded = doors.filter((door) => !isOpen(door) && !isMachine(door));
const lasting = guarded.filter((door) => !ending.includes(nameOf(door)));
const onlyOrganization = (path: string) => path.startsWith('/api/admin/');

/** Every write but those of machines and of signing in, with a platform token as bearer. */
async function expectTokenReadsOnly(service: Service, token: string): Promise<void> {
  for (const { method, path } of guarded.filter((door) => door.method !== 'GET')) {
    const { body } = await service.ask(method, concrete(path), { headers: bearerOf(token), body: {} });
    const isOpen = ['/api/db/sync', '/api/codehost/create-issue'].includes(path);
    expect([method, path, body.code === 'session_required']).toEqual([method, path, !isOpen]);
  }
}

test('every operation has an access that the law or this list names', () => {
  expect(doors.filter(({ access }) => access === 'unknown').map(nameOf)).toEqual([]);
  expect(additions.filter((one) => !(one in ofAdditions))).toEqual([]);
});

describe.each([
  ['on', true],
  ['off', false],
] as const)('in organization mode, enforcement %s', (ACCESS_ENFORCEMENT, enforced) => {
  let service: Service;
  let tokens: Record<Member, string>;
  beforeAll(async () => {
    const env = { MODE: 'organization', SERVICE_ALLOWED_ORGS: 'octo', RATE_LIMIT_SESSION_PER_MINUTE: '0' };
    service = await startService({ ...env, ACCESS_ENFORCEMENT });
    tokens = await settle(service);
  });
  afterAll(() => service.close());

  test.each(Object.keys(groupsOf) as Member[])('somebody %s', async (kind) => {
    const found: Record<string, string> = {};
    const wanted: Record<string, string> = {};
    for (const door of lasting) {
      const { method } = door;
      const body = method === 'GET' ? {} : { body: {} };
      found[nameOf(door)] = outcome(await service.ask(method, address(door), { as: tokens[kind], ...body }));
      wanted[nameOf(door)] = expected(door.access, kind, enforced);
    }
    expect(found).toEqual(wanted);
  });

  test('an administrator’s platform token as bearer writes nothing but a synchronization and an issue', async () => {
    await expectTokenReadsOnly(service, tokens['in admin']);
  });

  test('nobody is asked to sign in first, everywhere', async () => {
    for (const { method, path } of guarded)
      expect(outcome(await service.ask(method, concrete(path), { body: method === 'GET' ? undefined : {} }))).toBe(
        '401 unauthenticated',
      );
  });

  test('what machines ask for is opened by no session', async () => {
    for (const door of machines) {
      const { method, path, access } = door;
      const wanted = rejections[access];
      for (const as of [undefined, tokens['in admin'], tokens['in no group']]) {
        const answer = await service.ask(method, path, { as, body: method === 'GET' ? undefined : {} });
        expect([nameOf(door), answer.body.code]).toEqual([nameOf(door), wanted]);
      }
    }
  });

  test('what is shared is opened by its token alone, whoever asks', async () => {
    for (const { method, path } of doors.filter(({ access }) => access === 'share'))
      for (const as of [undefined, tokens['in admin'], tokens['in no group']]) {
        const { status, headers } = await service.ask(
          method,
          path.replace('[badge]', 'lead-time.svg?owner=octo&repo=web'),
          { as },
        );
        expect([path, status, headers.get('set-cookie')]).toEqual([path, 404, null]);
      }
  });

  test('a session that was ended opens nothing', async () => {
    const cookie = await cookieOf(service, tokens['in admin']);
    const { sessions } = service.app.services;
    const session = sessions.unseal(new Headers({ cookie }))?.session;
    if (session) await sessions.end(session, 'signed_out');
    for (const { method, path } of guarded) {
      const request = { headers: { cookie }, body: method === 'GET' ? undefined : {} };
      expect(outcome(await service.ask(method, concrete(path), request))).toBe('401 unauthenticated');
    }
  });

  test('somebody of another organization is rejected, loses the session, and is then unknown', async () => {
    for (const { method, path } of guarded) {
      const cookie = await cookieOfStranger(service);
      const request = { headers: { cookie }, body: method === 'GET' ? undefined : {} };
      const first = await service.ask(method, concrete(path), request);
      expect([path, outcome(first)]).toEqual([path, '403 org_not_allowed']);
      expect(first.headers.getSetCookie()[0]).toMatch(/^das_session=; Max-Age=0/);
      expect(outcome(await service.ask(method, concrete(path), request))).toBe('401 unauthenticated');
    }
  });

  test('an address that is not there is no secret to members alone', async () => {
    const unknown = '/api/nothing-of-the-kind';
    expect(outcome(await service.ask('GET', unknown))).toBe('401 unauthenticated');
    for (const kind of ['in no group', 'in dev', 'in admin'] as const)
      expect(outcome(await service.ask('GET', unknown, { as: tokens[kind] }))).toBe('403 unregistered');
  });

  test('a wrong method is reported with the right ones', async () => {
    for (const { path } of lasting) {
      const allowed = doors.filter((one) => one.path === path).map(({ method }) => method);
      const wrong = ['PATCH', 'PUT', 'DELETE', 'POST'].find((method) => !allowed.includes(method)) ?? 'PATCH';
      const answer = await service.ask(wrong, concrete(path), { as: tokens['in admin'], body: {} });
      expect([path, answer.status, answer.body.code]).toEqual([path, 405, 'method_not_allowed']);
      for (const method of allowed) expect(answer.headers.get('allow')).toContain(method);
    }
  });

  test('a forged form is rejected before anything else is looked up', async () => {
    for (const door of lasting.filter(({ method }) => method !== 'GET')) {
      const request = { as: tokens['in admin'], body: {}, headers: { origin: 'https://evil.example' } };
      expect((await service.ask(door.method, concrete(door.path), request)).body.code).toBe('csrf_rejected');
    }
  });
});

describe('in standalone mode', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ DATABASE_URL: anyDatabase, RATE_LIMIT_SESSION_PER_MINUTE: '0' });
  });
  afterAll(() => service.close());

  test('whoever is signed in may do everything but administer an organization', async () => {
    const found: Record<string, string> = {};
    const wanted: Record<string, string> = {};
    for (const door of lasting) {
      const { method, path } = door;
      const body = method === 'GET' ? {} : { body: {} };
      found[nameOf(door)] = outcome(await service.ask(method, address(door), { as: 'token-ann', ...body }));
      const isSaving = method === 'PUT' && /^\/api\/settings\/(team|working-habits|ai)$/.test(path);
      wanted[nameOf(door)] = onlyOrganization(path) || isSaving ? '403 org_mode_only' : 'allowed';
    }
    expect(found).toEqual(wanted);
  });

  test('a platform token as bearer writes nothing but a synchronization and an issue', async () => {
    await expectTokenReadsOnly(service, 'token-ann');
  });

  test('nobody is asked to sign in first, everywhere', async () => {
    for (const { method, path } of guarded)
      expect(outcome(await service.ask(method, concrete(path), { body: method === 'GET' ? undefined : {} }))).toBe(
        '401 unauthenticated',
      );
  });

  test('an unknown address is not found, once signed in', async () => {
    expect((await service.ask('GET', '/api/nothing-of-the-kind')).status).toBe(401);
    expect((await service.ask('GET', '/api/nothing-of-the-kind', { as: 'token-ann' })).body.code).toBe('not_found');
  });
});
