import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '../../server/platform/log.ts';
import { connect } from '../../server/store/connection.ts';
import { toDatabase } from '../../server/store/database.ts';
import type { Store } from '../../server/store/orm.ts';
import { type Double, startDouble } from '../codehost-double/double.ts';
import { aDatabaseByChance } from '../support/a-database.ts';
import { beginChild, type Child } from '../support/child.ts';
import { openTestStore } from '../support/database.ts';
import { rounds } from '../support/rounds.ts';
import { day, minute } from '../sync/stage.ts';
import { clockOf, setClock } from './movable-clock.ts';
import { fillPlatform, goOn, storedAndAvailable, trackAll } from './night.ts';

const kills = rounds('NIGHT_KILLS', 1, 3);
const midnight = Math.floor(Date.now() / day) * day;
const nights = [
  { job: 'runs-sync', at: (3 * 60 + 17) * minute },
  { job: 'pr-facts', at: (4 * 60 + 17) * minute },
  { job: 'commit-facts', at: (4 * 60 + 47) * minute },
];

aDatabaseByChance((given) => {
  describe('a process killed in the middle of its nightly work', () => {
    const folder = mkdtempSync(join(tmpdir(), 'night-'));
    const clockFile = join(folder, 'clock');
    const children: Child[] = [];
    let double: Double;
    beforeAll(async () => {
      setClock(clockFile, midnight);
      double = await startDouble({ clock: clockOf(clockFile) });
    });
    afterAll(async () => {
      for (const one of children) await one.kill('SIGKILL');
      await double?.close();
      rmSync(folder, { recursive: true, force: true });
    });

    const begin = (url: string) => {
      const settings = {
        NODE_ENV: 'test',
        LOG_LEVEL: 'silent',
        SESSION_SECRET: 'k3Jd92lsQpeR8vTz0xWn5yBcGhUaFmXo',
        CODEHOST_API_URL: double.url,
        CODEHOST_GRAPHQL_URL: double.graphqlUrl,
        CODEHOST_TOKEN: 'token-ann',
        DATABASE_URL: url,
        SCHEDULER: 'internal',
      };
      const begun = beginChild(join(import.meta.dirname, 'night-child.ts'), JSON.stringify(settings), clockFile);
      children.push(begun);
      return begun;
    };

    test(
      `${kills} times, has read everything in the end, nothing twice, and has done each slot once`,
      async () => {
        const url = await given.address();
        const names = fillPlatform(double, 3, midnight);
        await inStore(url, (store) => trackAll(double, store, names, midnight));
        const slots: string[] = [];
        let killed = 0;
        let child: Child | null = null;
        for (let turn = 0; killed < kills || turn % nights.length !== 0; turn++) {
          const { job, at } = nights[turn % nights.length] as (typeof nights)[number];
          const due = midnight + Math.floor(turn / nights.length) * day + at + 500;
          const slot = `${job} ${new Date(due).toISOString().slice(0, 10)}`;
          slots.push(slot);
          if (job === 'runs-sync') goOn(double, names, due - minute, turn);
          for (let isDone = false; !isDone; ) {
            setClock(clockFile, due);
            child ??= begin(url);
            const { said: before, child: process } = child;
            const reported = () => child?.said.slice(before.length) ?? '';
            const requests = double.requests.length + Math.floor(Math.random() * 12);
            const isHit = () =>
              killed < kills && reported().includes(`running ${slot}`) && double.requests.length >= requests;
            isDone = await until(
              () => reported().includes(`done ${slot}`),
              () => process.exitCode !== null || isHit(),
            );
            expect(process.exitCode, child.said).toBeNull();
            if (isDone) continue;
            await sleep(Math.random() * 30);
            await child.kill('SIGKILL');
            child = null;
            killed++;
            isDone = await bury(url, slot);
          }
        }
        await child?.kill('SIGKILL');
        await inStore(url, async (store) => {
          const { kept, there } = await storedAndAvailable(double, store, names);
          expect(kept).toEqual(there);
          for (const { job } of nights) {
            const done = (await store.jobRuns.latest(job, 1000)).filter(({ status }) => status === 'done');
            const wanted = slots.filter((slot) => slot.startsWith(job));
            expect(done.map(({ slot }) => `${job} ${slot}`).sort()).toEqual(wanted.sort());
          }
        });
        expect(double.violations).toEqual([]);
      },
      120_000 + kills * 20_000,
    );
  });
});

/** Answers which of two things came first: true for the one that is hoped for. */
async function until(hoped: () => boolean, other: () => boolean): Promise<boolean> {
  while (!hoped() && !other()) await sleep(2);
  return hoped();
}

async function inStore<T>(url: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openTestStore(url);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Ends the leases of the dead, which live for half a minute, and answers whether the slot was done by then. */
async function bury(url: string, slot: string): Promise<boolean> {
  const connection = await connect({ url, log: createLog('silent'), poolMax: 1, statementTimeoutMs: 60_000 });
  const database = toDatabase(connection.orm);
  await database.query('delete from job_leases');
  const done = `select id from job_runs where job || ' ' || slot = $1 and status = 'done'`;
  const isDone = (await database.query(done, [slot])).length > 0;
  await connection.close();
  return isDone;
}
