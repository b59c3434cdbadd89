import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '../../server/platform/log.ts';
import { connect } from '../../server/store/connection.ts';
import { type Database, toDatabase } from '../../server/store/database.ts';
import { type Double, startDouble } from '../codehost-double/double.ts';
import { repositoryOf } from '../codehost-double/world.ts';
import { aDatabaseByChance } from '../support/a-database.ts';
import { beginChild } from '../support/child.ts';
import { openTestStore } from '../support/database.ts';
import { rounds } from '../support/rounds.ts';
import { day, hour, minute, platformRuns, repoIdOf, rollupsAndRecount, storedRuns } from './stage.ts';

const kills = rounds('KILLS', 2, 50);
const name = 'octo/killed';

/** 1,500 runs of 80 days: every 50th was re-run, and a few are running. */
function fill(double: Double) {
  const now = Date.now();
  double.addRepository({ name, facts: { id: 90_001 } });
  double.addRuns(name, 1500, { from: now - 80 * day, to: now - hour, firstId: 1 });
  for (let id = 1450; id <= 1500; id += 10) double.rerun(name, id, now - minute, ended);
  for (let id = 2001; id <= 2012; id++)
    double.putRun(name, { id, createdAt: floorToSecond(now - id * minute), status: 'in_progress' });
}

/** More to do for a repository that was read to its end: new runs, endings, and re-runs. */
function goOn(double: Double, round: number) {
  const now = floorToSecond(Date.now());
  double.addRuns(name, 150, { from: now - 2 * hour, to: now, firstId: 10_000 * round });
  double.putRun(name, { id: 10_000 * round + 900, createdAt: now - minute, status: 'queued' });
  const running = [...repositoryOf(double.world, name).runs.values()].map((attempts) => attempts.at(-1));
  for (const run of running.filter((one) => one?.status === 'in_progress').slice(0, 3))
    if (run) double.completeRun(name, run.id, 'failure', now);
  for (let id = 1; id <= 12; id++) double.rerun(name, 10_000 * round + id, now, ended);
}

const ended = { status: 'completed', conclusion: 'success' } as const;
const floorToSecond = (instant: number) => Math.floor(instant / 1000) * 1000;

/** A process that synchronizes. */
const begin = (url: string, double: Double) =>
  beginChild(join(import.meta.dirname, 'kill-child.ts'), url, double.url, ...name.split('/'));

aDatabaseByChance((given) => {
  describe('a process killed in the middle of a synchronization', () => {
    let double: Double;
    beforeAll(async () => {
      double = await startDouble();
      fill(double);
    });
    afterAll(() => double?.close());

    const onServer = given.name === 'postgresql';

    /** The lease of the dead ends within 30 seconds; here it is ended at once, as the embedded database does itself. */
    const endLeases = (url: string) =>
      withDatabase(url, async (database) => {
        expect(await secondsLeft(database)).toBeLessThanOrEqual(30);
        await database.query('delete from job_leases');
      });

    test(
      `${kills} times, leaves nothing out, nothing twice and nothing wrong`,
      async () => {
        const url = await given.address();
        let rounds = 0;
        let locked = 0;
        for (let killed = 0; killed < kills; ) {
          const process = begin(url, double);
          await process.until(() => process.said.includes('begun'));
          const requests = double.requests.length;
          const after = Math.floor(Math.random() * 6);
          await process.until(() => double.requests.length >= requests + after || process.said.includes('done'));
          await sleep(Math.random() * 40);
          process.child.kill('SIGKILL');
          const [code] = await process.exit;
          if (process.said.includes('locked')) locked++;
          if (process.said.includes('done')) goOn(double, ++rounds);
          else killed++;
          // null is the kill: whatever else ends it but being done is a defect.
          expect(process.said.includes('done') ? [null, 0] : [null], process.said).toContain(code);
          if (onServer) await endLeases(url);
        }
        const last = begin(url, double);
        expect(await last.exit).toEqual([0, null]);
        expect(locked).toBe(0);

        const store = await openTestStore(url, { migrate: false });
        const repoId = await repoIdOf(store, name);
        expect(await storedRuns(store, repoId)).toEqual(platformRuns(repositoryOf(double.world, name)));
        await store.rollups.rebuild('UTC');
        await store.runs.recomputeDirty();
        const { daily, recounted } = await rollupsAndRecount(store, repoId);
        expect(daily).toEqual(recounted);
        await store.close();
        expect(double.violations).toEqual([]);
      },
      60_000 + kills * 10_000,
    );

    // Half a minute of waiting: only where the many kills are requested.
    if (onServer && kills >= 50)
      test('blocks the next one until its lease has ended', async () => {
        const url = await given.address();
        const first = begin(url, double);
        await first.until(() => first.said.includes('begun'));
        // Runs are requested under the lease only, and the first answer is far from the last.
        const requests = double.requests.length;
        await first.until(() => double.requests.length > requests);
        expect(first.said).not.toContain('done');
        first.child.kill('SIGKILL');
        await first.exit;
        // By the clock of the database.
        const left = await withDatabase(url, secondsLeft);
        expect(left).toBeGreaterThan(0);
        expect(left).toBeLessThanOrEqual(30);
        const second = begin(url, double);
        await second.until(() => second.said.includes('done'));
        expect(second.said).toContain('locked');
        await second.exit;
      });
  });
});

async function withDatabase<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  const connection = await connect({ url, log: createLog('silent'), poolMax: 1, statementTimeoutMs: 60_000 });
  try {
    return await work(toDatabase(connection.orm));
  } finally {
    await connection.close();
  }
}

/** How long the lease of whoever synchronizes is still valid; 0 without one. */
async function secondsLeft(database: Database): Promise<number> {
  const [lease] = await database.query<{ left: number | null }>(
    `select date_part('epoch', max(expires_at) - clock_timestamp()) as left from job_leases`,
  );
  return lease?.left ?? 0;
}
