import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLog } from '../../server/platform/log.ts';
import { connect } from '../../server/store/connection.ts';
import { type Database, toDatabase } from '../../server/store/database.ts';
import { entities } from '../../server/store/entities/all.ts';
import { createStore } from '../../server/store/orm.ts';
import { eachDatabase, openTestStore } from '../support/database.ts';
import { rounds } from '../support/rounds.ts';
import { live } from './life.ts';
import { wrongOrgDays } from './org-days.ts';
import { recountMany } from './recount.ts';
import { hour, noon, track, varied } from './world.ts';

const kills = rounds('UPKEEP_KILLS', 2, 5);
const perRepository = 1500;

/** Two months of runs of two repositories, to be purged day by day. */
async function fill(url: string): Promise<number[]> {
  const store = await openTestStore(url);
  const repos = [await track(store, 1), await track(store, 2)];
  for (const [index, repo] of repos.entries()) {
    const runs = Array.from({ length: perRepository }, (_, i) => varied((index + 1) * 10_000 + i, noon + i * hour));
    await store.runs.ingest(repo, runs, { syncedAt: noon });
  }
  await store.close();
  return repos;
}

/** Every run counts once, on stored days as its runs say, and the sums are the sums. */
async function check(url: string, repos: number[]) {
  const log = createLog('silent');
  const connection = await connect({ url, log, poolMax: 2, statementTimeoutMs: 60_000 });
  const database = toDatabase(connection.orm);
  const store = createStore(database, log, connection.close);
  const [zone] = await database.query<{ zone: string; sealed: string; from: number }>(
    `select zone, sealed_before::text as sealed, date_part('epoch', kept_from) * 1000 as from from rollup_zone`,
  );
  if (!zone) throw new Error('There is no zone.');
  const read = () => store.trends.daily(repos, { from: '2020-01-01', to: '2030-01-01', timezone: zone.zone });
  const days = await read();
  expect(days.reduce((sum, { total }) => sum + total, 0)).toBe(repos.length * perRepository);
  const runs = (await Promise.all(repos.map((id) => store.runs.recent(id, { limit: 10_000 })))).flat();
  const counted = recountMany(
    runs.filter(({ createdAt }) => createdAt >= zone.from),
    zone.zone,
  );
  // The first stored day may be longer or shorter than a day of its zone.
  const complete = ({ date }: { date: string }) => zone.sealed === '-infinity' || date > zone.sealed;
  expect(days.filter(complete)).toEqual(counted.filter(complete));
  expect(await wrongOrgDays(database)).toEqual([]);
  await store.runs.recomputeDirty();
  expect(await read()).toEqual(days);
  expect(await wrongOrgDays(database)).toEqual([]);
  await store.close();
  return runs.length;
}

eachDatabase((given) => {
  test(
    `killed ${kills} times while days are cut anew, counted and left by their runs, every run counts once`,
    async () => {
      const url = await given.address();
      const repos = await fill(url);
      let step = 0;
      let left = repos.length * perRepository;
      for (let count = 0; count < kills; count++) {
        const life = live('upkeep.ts', url, String(step));
        // Every other life gets something done, however slow the machine is.
        await life.waitFor(`step ${step + (count % 2)}`);
        await sleep(((count * 53) % 19) * 25);
        step = Number((await life.kill())?.split(' ')[1]);
        const stored = await check(url, repos);
        expect(stored).toBeLessThanOrEqual(left);
        left = stored;
      }
      expect(step).toBeGreaterThan(0);
      expect(left).toBeLessThan(repos.length * perRepository);
    },
    kills * 60_000,
  );

  test(
    `killed ${kills} times while a database is migrated, it has all tables or none`,
    async () => {
      const seen = new Set<number>();
      for (let count = 0; count < kills; count++) {
        const url = await given.empty();
        const life = live('opener.ts', url);
        await life.waitFor('opening');
        await sleep(((count * 53) % 19) * (given.name === 'embedded' ? 100 : 25));
        await life.kill();
        await directly(url, async (database) => {
          seen.add(await tablesIn(database));
        });
        await (await openTestStore(url)).close();
        await directly(url, async (database) => expect(await tablesIn(database)).toBe(entities.length));
      }
      expect([0, entities.length]).toEqual(expect.arrayContaining([...seen]));
    },
    kills * 60_000,
  );
});

async function directly(url: string, work: (database: Database) => Promise<void>) {
  const connection = await connect({ url, log: createLog('silent'), poolMax: 1, statementTimeoutMs: 60_000 });
  await work(toDatabase(connection.orm)).finally(connection.close);
}

/** How many tables of ours there are. */
async function tablesIn({ query }: Database): Promise<number> {
  const tables = await query<{ name: string }>(`select tablename as name from pg_tables where schemaname = 'public'`);
  const ours = new Set<string>(entities.map(({ meta }) => meta.tableName));
  return tables.filter(({ name }) => ours.has(name)).length;
}
