import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { bearerOf } from '../codehost/platform-token.ts';
import { repositoryOf } from '../codehost/world.ts';
import { eachDatabase } from '../support/database.ts';
import { migratedMemory } from '../support/migrated.ts';
import { createDatabase } from '../support/postgres.ts';
import { type Service, startService } from '../support/service.ts';
import { day, hour, platformRuns, repoIdOf, storedRuns } from '../sync/stage.ts';

/** Nothing but continuations reads the platform by itself, a page in each pass. */
const settings = { SCHEDULER: 'external', SYNC_MAX_PAGES: '1' };
/** Long enough for the next pass to have begun, had there been one. */
const roundMs = 1500;
const patience = { timeout: 20_000, interval: 50 };
let repositories = 0;

interface Progress {
  repo: string;
  state: string;
  runs_stored: number;
  from: string | null;
  read_pct: number | null;
  code: string | null;
  resume_at: string | null;
}

/** A repository of its own, with one page more than the call of a person reads. */
function long({ double, clock }: Service, runs = 150): string {
  const name = `octo/long-${++repositories}`;
  double.addRepository({ name, facts: { id: 70_000 + repositories } });
  const window = { from: clock.now() - 80 * day, to: clock.now() - hour };
  double.addRuns(name, runs, { ...window, firstId: repositories * 1_000_000 + 1 });
  return name;
}

const queryOf = (name: string) => `owner=octo&repo=${name.split('/')[1]}`;

async function start(service: Service, name: string): Promise<void> {
  const answer = await service.ask('POST', `/api/db/sync?${queryOf(name)}`, { as: 'token-ann' });
  expect(answer.body).toMatchObject({ partial: true, results: [{ status: 'partial', total_in_db: 100 }] });
}

async function progress(service: Service, name: string, as = 'token-ann'): Promise<Progress> {
  const answer = await service.ask('GET', `/api/db/sync?${queryOf(name)}`, { as });
  expect(answer.status).toBe(200);
  return answer.body.repositories[0];
}

async function reaches(service: Service, name: string, state: string, as?: string): Promise<Progress> {
  await expect.poll(async () => (await progress(service, name, as))?.state, patience).toBe(state);
  return progress(service, name, as);
}

const lists = ({ double }: Service, name: string) =>
  double.requests.filter(({ path }) => path === `/repos/${name}/actions/runs`);

async function expectTruth(service: Service, name: string): Promise<void> {
  const { store } = service.app.services;
  if (!store) throw new Error('The service has no database.');
  const there = platformRuns(repositoryOf(service.double.world, name));
  expect(await storedRuns(store, await repoIdOf(store, name))).toEqual(there);
}

/** One service for the tests of a suite. */
function serviceOf(address: () => Promise<string>, env: Record<string, string> = {}) {
  const visit = { service: null as unknown as Service };
  beforeAll(async () => {
    visit.service = await startService({ ...settings, DATABASE_URL: await address(), ...env });
  });
  afterAll(() => visit.service.close());
  return visit;
}

eachDatabase((database) => {
  const visit = serviceOf(() => (database.name === 'embedded' ? migratedMemory() : database.address()));

  test('what a person began is read to its end without another call, and told on the way', async () => {
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

  test('of several repositories one waits for the platform’s limit, and one out of reach does not keep it', async () => {
    const { service } = visit;
    const [first, second] = [long(service), long(service)];
    for (const name of [first, second]) await start(service, name);
    service.double.fault({ path: `/repos/${second}/actions/*`, times: 20 }, { kind: 'status', status: 403 });
    service.double.fault({ path: `/repos/${first}/actions/runs` }, { kind: 'primary_limit' });
    expect(await reaches(service, second, 'failed')).toMatchObject({ code: 'access_lost', runs_stored: 100 });
    const { code, resume_at } = await reaches(service, first, 'waiting');
    const resumeAt = Date.parse(resume_at ?? '');
    expect([code, resumeAt > service.clock.now()]).toEqual(['upstream_rate_limited', true]);
    const before = lists(service, first).length;
    await sleep(roundMs);
    expect(lists(service, first)).toHaveLength(before);
    service.clock.advance(resumeAt - service.clock.now());
    await reaches(service, first, 'done');
    await expectTruth(service, first);
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

  test('waits out an outage', async () => {
    const { service } = visit;
    const name = long(service);
    await start(service, name);
    service.double.fault({ path: `/repos/${name}/actions/runs`, times: 3 }, { kind: 'status', status: 502 });
    expect(await reaches(service, name, 'waiting')).toMatchObject({ code: 'upstream_unavailable' });
    service.clock.advance(60_000);
    await reaches(service, name, 'done');
    await expectTruth(service, name);
  });

  test('does not keep the token of a script, which calls again by itself', async () => {
    const { service } = visit;
    const name = long(service);
    const asked = { headers: bearerOf('token-ann') };
    const answer = await service.ask('POST', `/api/db/sync?${queryOf(name)}`, asked);
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
      ...{ code: 'session_ended', runs_stored: 100, resume_at: null },
    });
    const rejected = () => service.double.requests.filter(({ status }) => status === 401).length;
    const before = rejected();
    await sleep(roundMs);
    expect(rejected()).toBe(before);
  });

  test('ends with the process, in the middle of a pass', async () => {
    const { service } = visit;
    service.double.reset();
    const name = long(service);
    const from = '10.9.0.1';
    const signedIn = await service.ask('POST', '/api/auth/setup', { body: { pat: 'token-ann' }, from });
    const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    await service.ask('POST', `/api/db/sync?${queryOf(name)}`, { headers: { cookie } });
    service.double.fault({ path: `/repos/${name}/actions/runs` }, { kind: 'latency', ms: 300 });
    await expect.poll(() => lists(service, name).length, patience).toBe(2);
    const begun = performance.now();
    await service.app.close();
    expect(performance.now() - begun).toBeLessThan(5000);
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

const socket = inject('postgres');

describe.skipIf(socket === null)('two processes of one service', () => {
  const visit = serviceOf(() => createDatabase(socket as string));
  let there: Service;
  beforeAll(async () => {
    const { DATABASE_URL = '' } = visit.service.app.services.env;
    there = await startService({ ...settings, DATABASE_URL }, visit.service);
  });
  afterAll(() => there.close());

  test('together read every page once, and each tells of the other', async () => {
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
