import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aCommit, anActor } from '../codehost-double/delivery-builders.ts';
import { type Double, startDouble } from '../codehost-double/double.ts';
import { repositoryOf } from '../codehost-double/world.ts';
import { aDatabaseByChance } from '../support/a-database.ts';
import { beginChild } from '../support/child.ts';
import { openTestStore } from '../support/database.ts';
import { rounds } from '../support/rounds.ts';
import { commitsSince, storedCommits } from './pull-request-stage.ts';
import { day, hour, minute, repoIdOf } from './stage.ts';

const kills = rounds('FACT_KILLS', 2, 10);
const name = 'octo/killed-pulls';
const floorToSecond = (instant: number) => Math.floor(instant / 1000) * 1000;

/** 260 merged pull requests of 80 days, some of several commits, one of more than a page of them. */
function fill(double: Double) {
  const now = Date.now();
  double.addRepository({ name, facts: { id: 90_101 } });
  double.addPullRequests(name, 260, { from: now - 80 * day, to: now - hour, first: 1 });
  const { pullRequests } = repositoryOf(double.world, name);
  for (const one of pullRequests.filter(({ number }) => number % 7 === 0))
    for (let part = 0; part < (one.number === 140 ? 130 : 4); part++)
      one.commits.push(aCommit(one.createdAt + part * 1000, anActor('bo'), `part ${part} of ${one.number}`));
}

/** More to do for a repository that was read to its end. */
function goOn(double: Double, round: number) {
  const now = floorToSecond(Date.now());
  double.addPullRequests(name, 60, { from: now - minute, to: now, first: 1000 * round });
  const [one] = repositoryOf(double.world, name).pullRequests;
  if (one) double.addReview(name, one.number, { reviewer: anActor('bo'), state: 'commented', submittedAt: now });
}

/** A process that reads. */
const begin = (url: string, double: Double) =>
  beginChild(join(import.meta.dirname, 'pull-request-child.ts'), url, double.url, ...name.split('/'));

aDatabaseByChance((given) => {
  let double: Double;
  beforeAll(async () => {
    double = await startDouble();
    fill(double);
  });
  afterAll(() => double?.close());

  test(
    `a process killed ${kills} times while it reads leaves no commit out, and has none twice`,
    async () => {
      const url = await given.address();
      let rounds = 0;
      for (let killed = 0; killed < kills; ) {
        const process = begin(url, double);
        await process.until(() => process.said.includes('begun'));
        const requests = double.requests.length;
        const after = Math.floor(Math.random() * 6);
        await process.until(() => double.requests.length >= requests + after || process.said.includes('done'));
        await sleep(Math.random() * 20);
        process.child.kill('SIGKILL');
        const [code] = await process.exit;
        if (process.said.includes('done')) {
          goOn(double, ++rounds);
          // What was read lately is not read again: as if the hours had passed.
          await forgetReading(url);
        } else killed++;
        // null is the kill: whatever else ends it but being done is a defect.
        expect(process.said.includes('done') ? [null, 0] : [null], process.said).toContain(code);
      }
      await forgetReading(url);
      const last = begin(url, double);
      expect(await last.exit).toEqual([0, null]);

      const store = await openTestStore(url, { migrate: false });
      const repoId = await repoIdOf(store, name);
      const world = repositoryOf(double.world, name);
      expect(await storedCommits(store, repoId, 0)).toEqual(commitsSince(world, 0));
      const facts = await store.facts.facts(world.facts, 'pull_requests', 0);
      const known = new Map(world.pullRequests.map(({ number, updatedAt }) => [number, updatedAt]));
      expect(new Map(facts.map(({ number, updatedAt }) => [number, updatedAt]))).toEqual(known);
      await store.close();
      expect(double.violations).toEqual([]);
    },
    120_000 + kills * 20_000,
  );

  async function forgetReading(url: string) {
    const store = await openTestStore(url, { migrate: false });
    const repoId = await repoIdOf(store, name);
    const cursor = await store.cursors.pullRequests.get(repoId);
    const { facts } = repositoryOf(double.world, name);
    const syncState = (await store.facts.syncStates(facts)).find(({ kind }) => kind === 'pull_requests');
    if (cursor && syncState && !cursor.resume) {
      const pass = {
        startedAt: 0,
        until: syncState.through - hour,
        floor: syncState.floor,
        after: null,
        beside: syncState.floor,
      };
      await store.cursors.pullRequests.put(repoId, { ...cursor, resume: pass });
    }
    await store.close();
  }
});
