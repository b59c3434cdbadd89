import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { bearerOf } from '../codehost-double/platform-token.ts';
import { migratedMemory } from '../support/migrated.ts';
import {
  expectTruth,
  lists,
  long,
  patience,
  progress,
  queryOf,
  reaches,
  roundMs,
  serviceOf,
  start,
} from './continued.ts';

describe('a continuation', () => {
  const visit = serviceOf(migratedMemory);

  test('does not keep the token of a script, which calls again by itself', async () => {
    const { service } = visit;
    const name = long(service);
    const request = { headers: bearerOf('token-ann') };
    const answer = await service.ask('POST', `/api/db/sync?${queryOf(name)}`, request);
    expect(answer.body.partial).toBe(true);
    await sleep(roundMs);
    expect(lists(service, name)).toHaveLength(1);
    expect(await progress(service, name)).toMatchObject({ state: 'waiting', code: 'not_continued', resume_at: null });
  });

  // The last two: the token is gone, and so is the process.
  test('ends when the platform rejects the token', async () => {
    const { service } = visit;
    const name = long(service);
    await start(service, name);
    const { world } = service.double;
    world.tokens = world.tokens.filter(({ token }) => token !== 'token-ann');
    expect(await reaches(service, name, 'failed', 'token-bo')).toMatchObject({
      code: 'session_ended',
      runs_stored: 100,
      resume_at: null,
    });
    const rejected = () => service.double.requests.filter(({ status }) => status === 401).length;
    const before = rejected();
    await sleep(roundMs);
    expect(rejected()).toBe(before);
  });

  test('ends with the process, in the middle of a pass', async () => {
    const { service } = visit;
    service.double.reset();
    const name = long(service, 350);
    const from = '10.9.0.1';
    const signedIn = await service.ask('POST', '/api/auth/setup', { body: { pat: 'token-ann' }, from });
    const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    service.double.fault({ path: `/repos/${name}/actions/runs`, after: 1 }, { kind: 'latency', ms: 300 });
    await service.ask('POST', `/api/db/sync?${queryOf(name)}`, { headers: { cookie } });
    await expect.poll(() => lists(service, name).length, patience).toBe(2);
    await service.app.close();
    expect(lists(service, name), 'the pages that were left are not read').toHaveLength(2);
  });
});

describe('with SCHEDULER=off', () => {
  const visit = serviceOf(migratedMemory, { SCHEDULER: 'off' });

  test('the rest is left to the person, and the progress says so', async () => {
    const { service } = visit;
    const name = long(service);
    await start(service, name);
    await sleep(roundMs);
    expect(lists(service, name)).toHaveLength(1);
    expect(await progress(service, name)).toMatchObject({ state: 'waiting', code: 'not_continued', runs_stored: 100 });
  });
});

describe('where the service has a token', () => {
  const visit = serviceOf(migratedMemory, { CODEHOST_TOKEN: 'token-bo' });

  test('it reads on after the person has signed out', async () => {
    const { service } = visit;
    const name = long(service);
    await start(service, name);
    await service.ask('DELETE', '/api/auth/setup', { as: 'token-ann' });
    const own = () => lists(service, name).filter(({ token }) => token === 'token-ann').length;
    const before = own();
    await reaches(service, name, 'done', 'token-bo');
    await expectTruth(service, name);
    expect([own(), lists(service, name).at(-1)?.token]).toEqual([before, 'token-bo']);
  });
});

describe('in an organization', () => {
  const visit = serviceOf(migratedMemory, { MODE: 'organization' });

  test('it ends when the grant is taken away', async () => {
    const { service } = visit;
    for (const as of ['token-ann', 'token-bo']) await service.signIn(as);
    const groups = (all: string[]) =>
      service.ask('PUT', '/api/admin/users/102/groups', { as: 'token-ann', body: { groups: all } });
    await groups(['devops']);
    const name = long(service, 350);
    const begun = await service.ask('POST', `/api/db/sync?${queryOf(name)}`, { as: 'token-bo' });
    expect(begun.body.partial).toBe(true);
    await groups(['dev']);
    expect(await reaches(service, name, 'failed')).toMatchObject({ code: 'session_ended' });
    const before = lists(service, name).length;
    await sleep(roundMs);
    expect(lists(service, name)).toHaveLength(before);
  });
});
