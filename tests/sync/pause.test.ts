import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createLog } from '../../server/platform/log.ts';
import { connect } from '../../server/store/connection.ts';
import { type Database, toDatabase } from '../../server/store/database.ts';
import { migrate } from '../../server/store/migrate.ts';
import { type Double, startDouble } from '../codehost-double/double.ts';
import { repositoryOf } from '../codehost-double/world.ts';
import { createMigrated } from '../support/created-databases.ts';
import { openTestStore } from '../support/database.ts';
import { day, hour, platformRuns, repoIdOf, storedRuns } from './stage.ts';

/** 40 pauses for longer than a lease lives; 0 ends the lease at once instead of waiting for that. */
const pauseSeconds = Number(process.env.PAUSE_SECONDS ?? 0);
const name = 'octo/paused';
const socket = inject('postgres');

describe.skipIf(socket === null)('a process that is paused in the middle of a synchronization', () => {
  let double: Double;
  let url: string;
  let database: Database;
  let close: () => Promise<void>;
  beforeAll(async () => {
    double = await startDouble();
    double.addRepository({ name, facts: { id: 90_002 } });
    double.addRuns(name, 1500, { from: Date.now() - 80 * day, to: Date.now() - hour, firstId: 1 });
    url = await createMigrated(socket as string);
    const connection = await connect({ url, log: createLog('silent'), poolMax: 2, statementTimeoutMs: 60_000 });
    await migrate(connection.orm);
    close = connection.close;
    database = toDatabase(connection.orm);
    for (const statement of remembered) await database.query(statement);
  });
  afterAll(async () => {
    await close?.();
    await double?.close();
  });

  const begin = () => {
    const script = join(import.meta.dirname, 'kill-child.ts');
    const child = spawn(process.execPath, [script, url, double.url, ...name.split('/')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const said: string[] = [];
    child.stdout.on('data', (chunk) => said.push(...String(chunk).split('\n')));
    return { child, said, exit: once(child, 'exit') };
  };
  const pages = () => double.requests.filter(({ path }) => path.endsWith('/actions/runs')).length;

  test(
    'finds its lease lost, and leaves what the next one wrote as it is',
    async () => {
      double.fault({ path: /actions\/runs$/, after: 3 }, { kind: 'latency', ms: 500 });
      const paused = begin();
      while (pages() < 4) await Promise.race([sleep(2), paused.exit]);
      paused.child.kill('SIGSTOP');
      expect(await leftOf(database)).toBeLessThanOrEqual(30);
      if (pauseSeconds === 0) await database.query('update job_leases set expires_at = clock_timestamp()');
      const next = begin();
      expect(await next.exit).toEqual([0, null]);
      if (pauseSeconds > 0) await sleep(Math.max(0, pauseSeconds - 30) * 1000);
      expect(paused.said).not.toContain('done');

      paused.child.kill('SIGCONT');
      expect(await paused.exit).toEqual([0, null]);
      expect(paused.said).toContain('locked');
      const store = await openTestStore(url, { migrate: false });
      const repoId = await repoIdOf(store, name);
      expect(await storedRuns(store, repoId)).toEqual(platformRuns(repositoryOf(double.world, name)));
      await store.close();
      const marks = (await database.query<{ through: number | null }>(watermarks)).map(({ through }) => through);
      expect(marks.filter((mark) => mark !== null).length).toBeGreaterThan(1);
      expect(marks).toEqual(marks.toSorted((a, b) => (a ?? 0) - (b ?? 0)));
      expect(double.violations).toEqual([]);
    },
    60_000 + pauseSeconds * 1000,
  );
});

const leftOf = async ({ query }: Database) =>
  (
    await query<{ left: number }>(
      `select date_part('epoch', max(expires_at) - clock_timestamp()) as left from job_leases`,
    )
  )[0]?.left;

/** Every place that a cursor has ever been at. */
const remembered = [
  'create table passed (id bigint generated always as identity, through timestamptz)',
  `create function remember_cursor() returns trigger language plpgsql as
     $$ begin insert into passed (through) values (new.synced_through); return null; end $$`,
  'create trigger remember after insert or update on sync_cursors for each row execute function remember_cursor()',
];

const watermarks = 'select extract(epoch from through)::float8 as through from passed order by id';
