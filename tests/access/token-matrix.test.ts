import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tokenFeatures } from '../../server/api/tokens/fields.ts';
import { bearerOf } from '../codehost-double/platform-token.ts';
import { anyDatabase, type Service, startService } from '../support/service.ts';
import { address, concrete, type Door, doors, expected, outcome } from './doors.ts';
import { type MadeToken, makeToken } from './made-token.ts';
import { groupsOf, type Member, settle } from './personas.ts';

/** What no access token reads, though a group or a feature is all that it requires. */
const withheld = ['GET /api/shares', 'GET /api/settings/setup', 'GET /api/settings/ai-authorship'];
/** What every access token reads, though it requires no group. */
const opened = ['GET /api/auth/me'];

const nameOf = ({ method, path }: Door) => `${method} ${path}`;
const isMachine = ({ access }: Door) => ['signature', 'bearer', 'accessToken', 'feed'].includes(access);
const isOpen = ({ access }: Door) => access === 'anyone' || access === 'share';
const guarded = doors.filter((door) => !isOpen(door) && !isMachine(door));

/** What an access token with these features gets where it is sent, by the contract: the account's own rules first. */
function wanted(door: Door, kind: Member, features: readonly string[], enforced: boolean): string {
  const isReadable =
    opened.includes(nameOf(door)) ||
    (door.method === 'GET' && /^(member|feature:)/.test(door.access) && !withheld.includes(nameOf(door)));
  if (!isReadable) return '403 token_read_only';
  const own = expected(door.access, kind, enforced);
  if (own !== 'allowed') return own;
  const flags = [...door.access.matchAll(/feature:(\w+)/g)].map(([, flag]) => flag ?? '');
  const isWithin = flags.length === 0 || flags.some((flag) => features.includes(flag));
  return isWithin ? 'allowed' : `403 insufficient_scope ${flags[0]}`;
}

async function ask(service: Service, door: Door, headers: Record<string, string>, from = '127.0.0.1'): Promise<string> {
  const body = door.method === 'GET' ? undefined : {};
  return outcome(await service.ask(door.method, address(door), { headers, body, from }));
}

describe.each([
  ['on', true],
  ['off', false],
] as const)('in organization mode, enforcement %s', (ACCESS_ENFORCEMENT, enforced) => {
  let service: Service;
  let tokens: Record<Member, string>;
  let admins: MadeToken;
  beforeAll(async () => {
    const env = { MODE: 'organization', SERVICE_ALLOWED_ORGS: 'octo', RATE_LIMIT_SESSION_PER_MINUTE: '0' };
    service = await startService({ ...env, ACCESS_ENFORCEMENT });
    tokens = await settle(service);
    admins = await makeToken(service, tokens['in admin'], []);
  });
  afterAll(() => service.close());

  test.each(Object.keys(groupsOf) as Member[])(
    'a token of somebody %s, with all features, one and none',
    async (kind) => {
      const { body: me } = await service.ask('GET', '/api/auth/me', { as: tokens[kind] });
      const all = tokenFeatures.filter((key) => me.features.includes(key));
      for (const features of [all, all.slice(0, 1), []]) {
        const { headers } = await makeToken(service, tokens[kind], features);
        const found: Record<string, string> = {};
        const expectedOutcomes: Record<string, string> = {};
        for (const door of guarded) {
          found[nameOf(door)] = await ask(service, door, headers);
          expectedOutcomes[nameOf(door)] = wanted(door, kind, features, enforced);
        }
        expect(found).toEqual(expectedOutcomes);
      }
    },
  );

  test('a token that was revoked or has expired opens nothing', async () => {
    const revoked = await makeToken(service, tokens['in admin'], []);
    await service.ask('DELETE', `/api/tokens?id=${revoked.id}`, { as: tokens['in admin'] });
    const dayMs = 86_400_000;
    const end = service.clock.now() + dayMs;
    const expired = await makeToken(service, tokens['in admin'], [], { expires_at: new Date(end).toISOString() });
    service.clock.advance(dayMs);
    for (const [index, door] of guarded.entries())
      for (const [network, { headers }] of [revoked, expired].entries())
        expect(await ask(service, door, headers, `10.${7 + network}.0.${index}`)).toBe('401 unauthenticated');
  });

  test('what machines ask for is opened by no access token', async () => {
    // What is opened by an access token alone, or by that of a feed, has tests of its own.
    for (const door of doors.filter(isMachine).filter(({ access }) => access !== 'accessToken' && access !== 'feed')) {
      const answer = await service.ask(door.method, door.path, {
        headers: admins.headers,
        body: door.method === 'GET' ? undefined : {},
      });
      const code = door.access === 'signature' ? 'webhook_not_configured' : 'cron_unauthorized';
      expect([nameOf(door), answer.body.code]).toEqual([nameOf(door), code]);
    }
  });

  test('an access token, and a platform token, neither makes, lists nor revokes access tokens', async () => {
    for (const door of guarded.filter(({ path }) => path.endsWith('/tokens'))) {
      const body = door.method === 'GET' ? undefined : {};
      const own = await service.ask(door.method, concrete(door.path), { headers: admins.headers, body });
      const platform = await service.ask(door.method, concrete(door.path), {
        headers: bearerOf(tokens['in admin']),
        body,
      });
      expect([nameOf(door), own.body.code, platform.body.code]).toEqual([
        nameOf(door),
        'token_read_only',
        'session_required',
      ]);
    }
  });

  test('somebody who left the organization loses the access token', async () => {
    const { world } = service.double;
    world.accounts.push({ id: 9200, login: 'leaver', name: null, email: null, memberOf: ['octo'] });
    world.tokens.push({
      token: 'token-leaver',
      login: 'leaver',
      scopes: ['repo', 'read:org'],
      authorizedFor: [],
      only: null,
    });
    const { headers, id } = await makeToken(service, 'token-leaver', []);
    const me = () => service.ask('GET', '/api/auth/me', { headers });
    expect((await me()).status).toBe(200);
    const leaver = world.accounts.find(({ login }) => login === 'leaver');
    if (leaver) leaver.memberOf = [];
    service.clock.advance(301_000);
    expect(outcome(await me())).toBe('403 org_not_allowed');
    expect(outcome(await me())).toBe('401 unauthenticated');
    const { body } = await service.ask('GET', '/api/admin/audit', { as: tokens['in admin'] });
    expect(body.entries).toContainEqual(
      expect.objectContaining({ action: 'token.revoked', note: 'org_not_allowed', target: `${id} Made by a test` }),
    );
  });

  test('what a group is no longer granted is gone from its tokens at once', async () => {
    const permission = { group: 'pm', flag: 'issueHealth' };
    const { headers } = await makeToken(service, tokens['in pm'], ['issueHealth']);
    const issues = () => service.ask('GET', '/api/codehost/issues?owner=octo&repo=web', { headers });
    expect((await issues()).status).toBe(200);
    await service.ask('PUT', '/api/admin/permissions', {
      as: tokens['in admin'],
      body: { ...permission, granted: false },
    });
    expect(outcome(await issues())).toBe(enforced ? '403 forbidden issueHealth' : 'allowed');
    await service.ask('PUT', '/api/admin/permissions', {
      as: tokens['in admin'],
      body: { ...permission, granted: true },
    });
  });
});

describe('in standalone mode', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ DATABASE_URL: anyDatabase, RATE_LIMIT_SESSION_PER_MINUTE: '0' });
  });
  afterAll(() => service.close());

  test('what a token was made for decides alone', async () => {
    for (const features of [tokenFeatures, ['dora'] as const, []]) {
      const { headers } = await makeToken(service, 'token-ann', features);
      const found: Record<string, string> = {};
      const expectedOutcomes: Record<string, string> = {};
      for (const door of guarded) {
        found[nameOf(door)] = await ask(service, door, headers);
        expectedOutcomes[nameOf(door)] = wanted(door, 'in admin', features, true);
      }
      expect(found).toEqual(expectedOutcomes);
    }
  });
});
