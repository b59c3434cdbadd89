import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { repositoryOf } from '../codehost-double/world.ts';
import { aDatabase } from '../support/a-database.ts';
import { createMigrated } from '../support/created-databases.ts';
import { migratedMemory } from '../support/migrated.ts';
import { type Service, startService } from '../support/service.ts';
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
  settings,
  start,
} from './continued.ts';
import { day, hour, platformRuns } from './stage.ts';

aDatabase((database) => {
  const visit = serviceOf(() => database.migrated());

  test('what a person began is read to its end without another call, and reported on the way', async () => {
    const { service } = visit;
    const name = long(service, 250);
    await start(service, name);
    const seen = [await progress(service, name)];
    expect(seen[0]).toMatchObject({ state: 'running', runs_stored: 100, code: null, resume_at: null });
    const cut = Date.parse(seen[0]?.from ?? '');
    const now = service.clock.now();
    const newer = platformRuns(repositoryOf(service.double.world, name)).filter(({ createdAt }) => createdAt >= cut);
    expect(newer).toHaveLength(100);
    expect(seen[0]?.read_pct).toBe(Math.floor((100 * (now - 120_000 - cut)) / (90 * day - 120_000)));
    await expect.poll(async () => seen[seen.push(await progress(service, name)) - 1]?.state, patience).toBe('done');
    const shares = seen.map(({ read_pct }) => read_pct ?? -1);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(new Set(shares).size).toBeGreaterThan(2);
    expect(seen.at(-1)).toMatchObject({ runs_stored: 250, read_pct: 100, code: null, resume_at: null });
    await expectTruth(service, name);
    // One call was made, and counted.
    expect((await service.app.services.limits.look('db-sync:101', 6, 60_000, now)).remaining).toBe(5);
  });

  test('the limit of the platform makes it wait until it is reset', async () => {
    const { service } = visit;
    const name = long(service);
    service.double.fault({ path: `/repos/${name}/actions/runs`, after: 1 }, { kind: 'primary_limit' });
    await start(service, name);
    const { code, resume_at } = await reaches(service, name, 'waiting');
    const resumeAt = Date.parse(resume_at ?? '');
    expect([code, resumeAt > service.clock.now()]).toEqual(['upstream_rate_limited', true]);
    const before = lists(service, name).length;
    await sleep(roundMs);
    expect(lists(service, name)).toHaveLength(before);
    service.clock.advance(resumeAt - service.clock.now());
    await reaches(service, name, 'done');
    await expectTruth(service, name);
  });
});

describe('what a continuation does and does not', () => {
  const visit = serviceOf(migratedMemory);

  test('takes over a whole organization; nobody learns of a repository that their token cannot see', async () => {
    const { service } = visit;
    const names = [long(service), long(service)];
    const { body } = await service.ask('POST', '/api/db/sync?org=octo', { as: 'token-ann' });
    expect(body).toMatchObject({ partial: true, repos_failed: 0 });
    const all = async () => (await service.ask('GET', '/api/db/sync?owner=octo', { as: 'token-ann' })).body;
    expect(await all()).toMatchObject({ running: 2, waiting: 0, failed: 0, done: 8 });
    await expect.poll(async () => (await all()).done, patience).toBe(10);
    for (const name of names) await expectTruth(service, name);
    const shown = (await service.ask('GET', '/api/db/sync', { as: 'token-bo' })).text;
    expect([shown.includes('octo/web'), shown.includes('octo/secret')]).toEqual([true, false]);
  });

  test('requests no unfinished run in each pass, and lists each page once', async () => {
    const { service } = visit;
    const name = long(service, 450);
    const unfinished = [1, 2, 3].map((place) => 99_000_000 + place);
    for (const id of unfinished)
      service.double.putRun(name, { id, createdAt: service.clock.now() - hour - id, status: 'in_progress' });
    await start(service, name);
    const single = () =>
      service.double.requests.filter(
        ({ operation, path }) => operation === 'actions/get-workflow-run' && path.includes(name),
      );
    const state = async () => {
      service.clock.advance(20_000);
      return (await progress(service, name))?.state;
    };
    await expect.poll(state, { interval: 1000, timeout: 40_000 }).toBe('done');
    expect(single()).toEqual([]);
    expect(lists(service, name).length).toBeLessThanOrEqual(6);
    await expectTruth(service, name);
  });

  test('leaves alone what the platform refuses, and reads the others', async () => {
    const { service } = visit;
    const [refused, other] = [long(service), long(service)];
    service.double.fault(
      { path: `/repos/${refused}/actions/runs`, times: 9, after: 1 },
      { kind: 'status', status: 403 },
    );
    for (const name of [refused, other]) await start(service, name);
    expect(await reaches(service, refused, 'failed')).toMatchObject({ code: 'access_lost', runs_stored: 100 });
    await reaches(service, other, 'done');
    await expectTruth(service, other);
  });

  test('waits out an outage', async () => {
    const { service } = visit;
    const name = long(service);
    service.double.fault({ path: `/repos/${name}/actions/runs`, times: 3, after: 1 }, { kind: 'status', status: 502 });
    await start(service, name);
    expect(await reaches(service, name, 'waiting')).toMatchObject({ code: 'upstream_unavailable' });
    service.clock.advance(60_000);
    await reaches(service, name, 'done');
    await expectTruth(service, name);
  });
});

const socket = inject('postgres');

describe.skipIf(socket === null)('two processes of one service', () => {
  const visit = serviceOf(() => createMigrated(socket as string));
  let there: Service;
  beforeAll(async () => {
    const { DATABASE_URL = '' } = visit.service.app.services.env;
    there = await startService({ ...settings, DATABASE_URL }, visit.service);
  });
  afterAll(() => there.close());

  test('together read every page once, and each reports the other', async () => {
    const { service: here } = visit;
    const name = long(here, 350);
    await start(here, name);
    await there.ask('POST', `/api/db/sync?${queryOf(name)}`, { as: 'token-ann' });
    expect(await progress(there, name)).toMatchObject({ state: 'running' });
    // Whoever found the other at it looks again later.
    const passing = setInterval(() => here.clock.advance(1000), 200);
    await reaches(there, name, 'done');
    clearInterval(passing);
    await expectTruth(here, name);
    const windows = lists(here, name).map(({ query }) => `${query.created} ${query.page}`);
    expect(new Set(windows).size).toBe(windows.length);
  });
});
