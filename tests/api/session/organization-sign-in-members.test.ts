import { beforeEach, describe, expect, test } from 'vitest';
import type { Consent } from '../../codehost-double/oauth.ts';
import { bearerOf } from '../../codehost-double/platform-token.ts';
import type { DoubleAccount } from '../../codehost-double/world.ts';
import { expectProblem, visitService } from '../endpoints.ts';
import {
  agree,
  begin,
  comeBack,
  expectTurnedAway,
  holds,
  me,
  sent,
  sessionOf,
  signedIn,
  signIn,
  written,
} from './signing-in.ts';

const visit = visitService({ MODE: 'organization', SERVICE_ALLOWED_ORGS: 'Octo,many' });
const minute = 60_000;
const octo = '/user/memberships/orgs/Octo';
const many = '/user/memberships/orgs/many';

let people = 0;
let cy: DoubleAccount;

/** Somebody new for each test, so that nothing is remembered of them. */
beforeEach(() => {
  people += 1;
  cy = { id: 500 + people, login: `cy-${people}`, name: null, email: null, memberOf: [], invitedTo: [] };
  visit.service.double.world.accounts.push(cy);
});

const enters = (consent: Partial<Consent> = {}) => signIn(visit.service, { login: cy.login, ...consent });

describe('who may sign in', () => {
  test('an active member of any of the organizations', async () => {
    cy.memberOf = ['many'];
    expect((await me(visit.service, sessionOf(await enters()) ?? '')).body.login).toBe(cy.login);
    cy.memberOf = ['octo'];
    expect(sessionOf(await enters())).toBeTruthy();
  });

  test('nobody else; their token is given back, nothing is stored, and no organization is named', async () => {
    const answer = await enters({ token: 'of-a-stranger' });
    expectTurnedAway(answer, 'org_not_allowed');
    expect(holds(visit.service, 'of-a-stranger')).toBe(false);
    expect(await visit.service.app.services.store?.users.find(cy.id)).toBeNull();
  });

  test('nobody who was only invited; once they accept, at once', async () => {
    cy.invitedTo = ['octo'];
    expectTurnedAway(await enters(), 'org_not_allowed');
    cy.memberOf = ['octo'];
    expect(sessionOf(await enters())).toBeTruthy();
  });

  test('nobody whose sign-in may not read memberships', async () => {
    cy.memberOf = ['octo'];
    for (const scopes of [['repo'], ['read:user', 'repo'], []]) {
      expectTurnedAway(await enters({ scopes, token: `without-${scopes.length}` }), 'missing_scope');
      expect(holds(visit.service, `without-${scopes.length}`)).toBe(false);
    }
    for (const scope of ['write:org', 'admin:org']) expect(sessionOf(await enters({ scopes: [scope] }))).toBeTruthy();
  });

  test('a member through an app with permissions of its own, of which no scopes are requested or reported', async () => {
    cy.memberOf = ['octo'];
    const { env } = visit.service.app.services;
    const { OAUTH_SCOPES } = env;
    env.OAUTH_SCOPES = 'none';
    const token = `app-${cy.login}`;
    visit.service.double.world.tokens.push({ token, login: cy.login, scopes: null, authorizedFor: [], only: null });
    const begun = await begin(visit.service);
    const { path } = await agree(visit.service, begun, { login: cy.login, token });
    const answer = await comeBack(visit.service, path, begun.flow);
    env.OAUTH_SCOPES = OAUTH_SCOPES;
    expect(begun.location.searchParams.has('scope')).toBe(false);
    expect(sessionOf(answer)).toBeTruthy();
  });
});

describe('a platform that does not say', () => {
  test.each([
    ['403 without a word of limits', { kind: 'status', status: 403 }, 'org_not_allowed'],
    ['403 for single sign-on', sso(), 'org_not_allowed'],
    ['404', { kind: 'status', status: 404 }, 'org_not_allowed'],
    ['403 with a used-up budget', { kind: 'primary_limit' }, 'authz_unavailable'],
    ['403 of the limit against bursts', { kind: 'secondary_limit' }, 'authz_unavailable'],
    ['429', { kind: 'primary_limit', status: 429 }, 'authz_unavailable'],
    ['500', { kind: 'status', status: 500 }, 'authz_unavailable'],
    ['451', { kind: 'status', status: 451 }, 'authz_unavailable'],
    ['no JSON', { kind: 'malformed_json' }, 'authz_unavailable'],
    ['JSON of another kind', { kind: 'status', status: 200 }, 'authz_unavailable'],
  ] as const)('%s: %j is %s', async (_, fault, code) => {
    cy.memberOf = ['octo'];
    visit.service.double.fault({ path: octo, times: 9 }, fault);
    expectTurnedAway(await enters(), code);
  });

  test('is requested no further when another organization is sure', async () => {
    cy.memberOf = ['many'];
    visit.service.double.fault({ path: octo, times: 9 }, { kind: 'status', status: 502 });
    expect(sessionOf(await enters())).toBeTruthy();
  });

  test('lets nobody in on what it said at an earlier sign-in', async () => {
    cy.memberOf = ['octo'];
    await signedIn(visit.service, { login: cy.login });
    visit.service.double.fault({ path: /memberships/, times: 99 }, { kind: 'status', status: 500 });
    expectTurnedAway(await enters(), 'authz_unavailable');
  });
});

function sso() {
  const headers = { 'x-github-sso': 'required; url=https://codehost.example/orgs/octo/sso' };
  return { kind: 'status', status: 403, headers } as const;
}

describe('who has left', () => {
  const leaves = async (token?: string) => {
    cy.memberOf = ['octo'];
    const cookie = await signedIn(visit.service, { login: cy.login, ...(token && { token }) });
    cy.memberOf = [];
    return cookie;
  };

  test('is out within five minutes: said once, then a visitor', async () => {
    const cookie = await leaves('of-one-who-left');
    visit.service.clock.advance(5 * minute);
    expect((await me(visit.service, cookie)).status).toBe(200);
    visit.service.clock.advance(1);
    const answer = await me(visit.service, cookie);
    expectProblem(answer, 403, 'org_not_allowed');
    expect(answer.body.error).not.toMatch(/octo|many/i);
    expect(answer.headers.get('set-cookie')).toMatch(/^das_session=; Max-Age=0;/);
    expectProblem(await me(visit.service, cookie), 401, 'unauthenticated');
    expect(holds(visit.service, 'of-one-who-left')).toBe(false);
    const user = await visit.service.app.services.store?.users.find(cy.id);
    expect(user?.lastDeniedCode).toBe('org_not_allowed');
    expect((await written(visit.service))[0]).toMatchObject({
      action: 'session.revoked',
      target: cy.login,
      note: 'org_not_allowed',
      actor: { id: null, login: 'system' },
    });
  });

  test('is out with the next request where the end could not be written down', async () => {
    const cookie = await leaves();
    visit.service.clock.advance(5 * minute + 1);
    const run = (text: string) => visit.service.app.services.store?.queue.executeSql(text);
    await run(`create function refuse_entry() returns trigger language plpgsql as
      $$ begin raise exception 'full'; end $$`);
    await run('create trigger refuse_entry before insert on audit_log execute function refuse_entry()');
    expect((await me(visit.service, cookie)).status).toBeGreaterThanOrEqual(400);
    await run('drop trigger refuse_entry on audit_log');
    expectProblem(await me(visit.service, cookie), 403, 'org_not_allowed');
    expectProblem(await me(visit.service, cookie), 401, 'unauthenticated');
    expect((await written(visit.service))[0]).toMatchObject({ action: 'session.revoked', target: cy.login });
  });

  test('is out as an open page too', async () => {
    const cookie = await leaves();
    visit.service.clock.advance(5 * minute + 1);
    const answers = await Promise.all(Array.from({ length: 5 }, () => me(visit.service, cookie)));
    for (const { status } of answers) expect([401, 403]).toContain(status);
  });

  test('a script of theirs is out as well, and keeps its own token', async () => {
    cy.memberOf = ['octo'];
    const { tokens } = visit.service.double.world;
    const token = `own-of-${cy.login}`;
    tokens.push({ token, login: cy.login, scopes: ['read:org'], authorizedFor: [], only: null });
    await signedIn(visit.service, { login: cy.login });
    const headers = bearerOf(token);
    const ask = () => visit.service.ask('GET', '/api/auth/me', { headers });
    expect((await ask()).body.login).toBe(cy.login);
    cy.memberOf = [];
    visit.service.clock.advance(5 * minute + 1);
    for (let count = 0; count < 2; count++) expectProblem(await ask(), 403, 'org_not_allowed');
    expect(holds(visit.service, token)).toBe(true);
  });

  test('a token that died meanwhile is reported as such, and the session ends', async () => {
    const cookie = await leaves('dies');
    visit.service.double.revokeToken('dies');
    visit.service.clock.advance(5 * minute + 1);
    const answer = await me(visit.service, cookie);
    expectProblem(answer, 401, 'unauthenticated');
    expect(answer.headers.get('set-cookie')).toMatch(/^das_session=; Max-Age=0;/);
    expect((await written(visit.service))[0]).toMatchObject({
      note: 'token_rejected',
      target: cy.login,
      requestId: answer.headers.get('x-request-id'),
    });
  });
});

describe('while the platform is away', () => {
  test('who was a member four minutes ago works on; six minutes ago waits, and is still signed in after', async () => {
    cy.memberOf = ['octo'];
    const cookie = await signedIn(visit.service, { login: cy.login });
    visit.service.double.fault({ path: /memberships/, times: 99 }, { kind: 'status', status: 503 });
    visit.service.clock.advance(4 * minute);
    expect((await me(visit.service, cookie)).status).toBe(200);
    visit.service.clock.advance(2 * minute);
    const answer = await me(visit.service, cookie);
    expectProblem(answer, 503, 'authz_unavailable');
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(answer.headers.getSetCookie()).toEqual([]);
    expectProblem(await me(visit.service, ''), 401, 'unauthenticated');
    expect((await visit.service.ask('GET', '/api/health')).status).toBe(200);
    visit.service.double.reset();
    visit.service.double.world.accounts.push(cy);
    const { token } = visit.service.app.services.sessions.unseal(new Headers({ cookie }))?.session ?? { token: '' };
    visit.service.double.world.tokens.push({
      token,
      login: cy.login,
      scopes: ['read:org'],
      authorizedFor: [],
      only: null,
    });
    visit.service.clock.advance(minute);
    expect((await me(visit.service, cookie)).status).toBe(200);
  });

  test('the requests of one page ask once', async () => {
    cy.memberOf = ['octo'];
    const cookie = await signedIn(visit.service, { login: cy.login });
    visit.service.clock.advance(6 * minute);
    visit.service.double.requests.length = 0;
    const answers = await Promise.all(Array.from({ length: 8 }, () => me(visit.service, cookie)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect(sent(visit.service).sort()).toEqual([`GET ${octo}`, `GET ${many}`]);
  });
});
