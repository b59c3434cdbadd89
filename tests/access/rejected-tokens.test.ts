import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { expectProblem } from '../api/endpoints.ts';
import { bearerOf } from '../codehost-double/platform-token.ts';
import { createMigrated } from '../support/created-databases.ts';
import { anyDatabase, type Service, startService } from '../support/service.ts';

const socket = inject('postgres');
let platform: Service;
let addresses = 0;
let tokens = 0;
beforeAll(async () => {
  platform = await startService();
});
afterAll(() => platform.close());

/** A new token of ann’s, which the platform can take back. */
function newToken(): { token: string; revoke(): void } {
  const { world } = platform.double;
  const token = `rejected-${++tokens}`;
  world.tokens.push({ token, login: 'ann', scopes: ['repo', 'read:org'], authorizedFor: [], only: null });
  const revoke = () => {
    platform.double.world.tokens = platform.double.world.tokens.filter((one) => one.token !== token);
  };
  return { token, revoke };
}

/** A session of its own with each call. */
async function sessionOf(service: Service, token: string): Promise<{ cookie: string }> {
  const { env, sessions } = service.app.services;
  if (env.MODE === 'organization') await service.signIn('token-ann');
  const user = { id: 101, login: 'ann', name: null, avatarUrl: '' };
  if (env.MODE === 'organization') return { cookie: (await sessions.begin(user, token, '')).split(';')[0] ?? '' };
  const from = `10.6.0.${++addresses}`;
  const answer = await service.ask('POST', '/api/auth/setup', { body: { pat: token }, from });
  return { cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
}

const me = (service: Service, headers: Record<string, string>) => service.ask('GET', '/api/auth/me', { headers });
const repositories = (service: Service, headers: Record<string, string>) =>
  service.ask('GET', '/api/codehost/repos', { headers });

describe.each(['standalone', 'organization'])('in %s mode', (MODE) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ MODE, DATABASE_URL: anyDatabase }, platform);
  });
  afterAll(() => service.close());

  test('a rejected token ends all its sessions and what is known of it as a bearer, at once', async () => {
    const { token, revoke } = newToken();
    const [first, second] = [await sessionOf(service, token), await sessionOf(service, token)];
    const other = await sessionOf(service, newToken().token);
    for (const one of [first, second, other, bearerOf(token)]) expect((await me(service, one)).status).toBe(200);
    revoke();
    expectProblem(await repositories(service, first), 401, 'unauthenticated');
    // As a bearer it has a shape of its own in these tests.
    expectProblem(await repositories(service, bearerOf(token)), 401, 'unauthenticated');
    for (const one of [first, second, bearerOf(token)]) expectProblem(await me(service, one), 401, 'unauthenticated');
    expect((await me(service, other)).status).toBe(200);
  });
});

test('without a database as well; the same token opens a new session when the platform takes it again', async () => {
  const { token, revoke } = newToken();
  const [first, second] = [await sessionOf(platform, token), await sessionOf(platform, token)];
  const [{ login, scopes } = {} as never] = platform.double.world.tokens.filter((one) => one.token === token);
  revoke();
  expectProblem(await repositories(platform, first), 401, 'unauthenticated');
  for (const one of [first, second]) expectProblem(await me(platform, one), 401, 'unauthenticated');
  platform.double.world.tokens.push({ token, login, scopes, authorizedFor: [], only: null });
  expect((await me(platform, await sessionOf(platform, token))).status).toBe(200);
});

describe.skipIf(socket === null)('served by two processes', () => {
  let here: Service;
  let there: Service;
  beforeAll(async () => {
    const url = await createMigrated(socket as string);
    here = await startService({ DATABASE_URL: url }, platform);
    there = await startService({ DATABASE_URL: url }, platform);
  });
  afterAll(async () => {
    await there?.close();
    await here?.close();
  });

  test('what the platform rejects in one is over in the other at once', async () => {
    const { token, revoke } = newToken();
    const session = await sessionOf(here, token);
    const bearer = bearerOf(token);
    for (const service of [here, there])
      for (const one of [session, bearer]) expect((await me(service, one)).status).toBe(200);
    revoke();
    for (const one of [session, bearer]) expect((await repositories(here, one)).status).toBe(401);
    // The clock stands still, so that the other does not read the session again by itself.
    const within = { timeout: 60_000, interval: 20 };
    for (const one of [session, bearer])
      await vi.waitFor(async () => expect((await me(there, one)).status).toBe(401), within);
  });
});
