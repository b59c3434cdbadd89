import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLog } from '../../server/platform/log.ts';
import { connect } from '../../server/store/connection.ts';
import { type Database, databaseOf } from '../../server/store/database.ts';
import { storeOf } from '../../server/store/orm.ts';
import { eachDatabase, openTestStore } from '../support/database.ts';
import { live } from './life.ts';
import { wrongOrgDays } from './org-days.ts';
import { recountMany } from './recount.ts';
import { hour, noon, track, varied } from './world.ts';

const kills = Number(process.env.UPKEEP_KILLS ?? 5);
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

/** Every run counts once, on kept days as its runs say, and the sums are the sums. */
async function check(url: string, repos: number[]) {
  const log = createLog('silent');
  const connection = await connect({ url, log, poolMax: 2, statementTimeoutMs: 30_000 });
  const database = databaseOf(connection.orm);
  const store = storeOf(database, log, connection.close);
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
  // The first kept day may be longer or shorter than a day of its zone.
  const whole = ({ date }: { date: string }) => zone.sealed === '-infinity' || date > zone.sealed;
  expect(days.filter(whole)).toEqual(counted.filter(whole));
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
        await life.told(`step ${step + (count % 2)}`);
        await sleep(((count * 53) % 19) * 25);
        step = Number((await life.kill())?.split(' ')[1]);
        const kept = await check(url, repos);
        expect(kept).toBeLessThanOrEqual(left);
        left = kept;
      }
      expect(step).toBeGreaterThan(0);
      expect(left).toBeLessThan(repos.length * perRepository);
    },
    kills * 60_000,
  );

  test(
    `killed ${kills} times while the tables of a former version are changed, it is all of it or nothing`,
    async () => {
      const url = await given.address();
      const [repo = 0] = await fill(url);
      const first = await openTestStore(url);
      const before = await first.runs.recent(repo, { limit: perRepository });
      await first.close();
      const seen = new Set<string>();
      await directly(url, async (database) => makeFormer(database));
      for (let count = 0; count < kills; count++) {
        const life = live('opener.ts', url);
        await life.told('opening');
        await sleep(((count * 53) % 19) * (given.name === 'embedded' ? 100 : 25));
        await life.kill();
        await directly(url, async (database) => {
          const shape = await shapeOf(database);
          expect(['former', 'current']).toContain(shape);
          seen.add(shape);
          if (shape === 'current') await makeFormer(database);
        });
      }
      const last = await openTestStore(url);
      expect(await last.runs.recent(repo, { limit: perRepository })).toEqual(before);
      await last.close();
      await directly(url, async (database) => expect(await shapeOf(database)).toBe('current'));
      expect(seen).toContain('former');
    },
    kills * 60_000,
  );
});

async function directly(url: string, work: (database: Database) => Promise<void>) {
  const connection = await connect({ url, log: createLog('silent'), poolMax: 1, statementTimeoutMs: 30_000 });
  await work(databaseOf(connection.orm)).finally(connection.close);
}

/** The shape before runs were purged, and had their repository in their keys. */
async function makeFormer({ query }: Database) {
  for (const statement of [
    'alter table workflow_runs drop constraint workflow_runs_pkey, add primary key (id)',
    'alter table workflow_run_attempts drop constraint workflow_run_attempts_pkey, add primary key (id, run_attempt)',
    'alter table rollup_zone drop column kept_from, drop column sealed_before',
    'alter table repos drop column first_run_at',
    'drop index job_readings_by_age',
    `delete from schema_migrations where name like '%_retention' or name like '%_keys'`,
  ])
    await query(statement);
}

/** Whether what is told of the migrations is so, part by part. */
async function shapeOf({ query }: Database): Promise<string> {
  const parts = await query<{ is: boolean }>(`
    select count(*) > 0 as is from schema_migrations where name like '%_retention'
    union all select count(*) > 0 from schema_migrations where name like '%_keys'
    union all select count(*) = 2 from information_schema.columns where table_name = 'rollup_zone'
      and column_name in ('kept_from', 'sealed_before')
    union all select count(*) = 1 from information_schema.columns where column_name = 'first_run_at'
    union all select count(*) = 1 from pg_indexes where indexname = 'job_readings_by_age'
    union all select count(*) = 2 from pg_indexes where indexdef like '%UNIQUE%workflow_run%(id%repo_id)'`);
  const are = new Set(parts.map((part) => part.is));
  return are.size > 1 ? 'half' : are.has(true) ? 'current' : 'former';
}
