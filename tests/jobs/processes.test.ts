import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { createLog } from '../../server/platform/log.ts';
import { connect } from '../../server/store/connection.ts';
import { type Database, toDatabase } from '../../server/store/database.ts';
import { beginChild, type Child } from '../support/child.ts';
import { eachDatabase } from '../support/database.ts';
import { rounds } from '../support/rounds.ts';
import { day } from '../sync/stage.ts';
import { setClock } from './movable-clock.ts';

const request = rounds('SLOTS', 3, 9);
/** How many of the dead are really waited for, half a minute each; the leases of the others are ended at once. */
const waits = request >= 50 ? 3 : 0;
const due = Date.parse('2026-12-01T03:17:00Z');
const slotName = (slot: number) => new Date(due + slot * day).toISOString().slice(0, 10);

eachDatabase((given) => {
  const onServer = given.name === 'postgresql';
  // Each beginning of the embedded database takes seconds.
  const slots = onServer ? request : Math.ceil(request / 3);
  describe(`${onServer ? 'two processes' : 'a process'} with one timetable`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'turns-'));
    const clockFile = join(folder, 'clock');
    const children: Child[] = [];
    afterAll(async () => {
      for (const one of children) await one.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    });

    function begin(url: string): Child {
      const begun = beginChild(join(import.meta.dirname, 'turn-child.ts'), url, clockFile);
      children.push(begun);
      return begun;
    }

    test(
      `killed at random, do each of ${slots} slots once, and never two at a time`,
      async () => {
        setClock(clockFile, due - day / 2);
        const url = await given.address();
        await withDatabase(url, (database) => database.query(noted));
        let alive = onServer ? [begin(url), begin(url)] : [begin(url)];
        let killed = 0;
        for (let slot = 0; slot < slots; slot++) {
          setClock(clockFile, due + slot * day + 500);
          const deadline = Date.now() + 90_000;
          for (let isDone = false; !isDone; ) {
            if (Date.now() > deadline || alive.some(({ child }) => child.exitCode !== null))
              expect.fail(`${slotName(slot)} does not end: ${alive.map(({ said }) => said)}`);
            await sleep(Math.random() * 300);
            const victim = killed <= slot / 2 ? alive[Math.floor(Math.random() * alive.length)] : undefined;
            if (victim?.said.includes('begun')) {
              await victim.kill('SIGKILL');
              isDone = await bury(url, victim, slot, ++killed > waits);
              // Who comes late to a slot waits for a moment that it chooses by chance.
              setClock(clockFile, due + slot * day + 500);
              alive = [...alive.filter((one) => one !== victim), begin(url)];
            }
            isDone ||= alive.some(({ said }) => said.includes(`done ${slotName(slot)}`));
          }
        }
        for (const one of alive) await expect.poll(() => one.said).toContain('begun');
        await Promise.all(alive.map((one) => one.kill('SIGTERM')));
        const codes = alive.map(({ child }) => child.exitCode);
        expect(codes, 'nothing keeps a stopped process alive').toEqual(codes.map(() => 0));
        expect(killed).toBeGreaterThan(slots / 3);
        await withDatabase(url, async (database) => {
          const once = Array.from({ length: slots }, (_, at) => ({ slot: slotName(at), done: 1 }));
          expect(await database.query(doneTimes)).toEqual(once);
          expect(await database.query(overlapping)).toEqual([]);
          expect(await database.query(`select id from job_runs where status = 'running'`)).toEqual([]);
          expect(await database.query('select job from job_leases')).toEqual([]);
        });
      },
      120_000 + slots * 15_000,
    );
  });
});

/** Notes when the work of a killed process ended, ends its leases, and answers whether the slot was done by then. */
async function bury(url: string, { child, said }: Child, slot: number, endLeases: boolean): Promise<boolean> {
  const holders = [...said.matchAll(/holder (\S+)/g)].map(([, holder]) => holder);
  return withDatabase(url, async (database) => {
    await database.query('update noted set ended = clock_timestamp() where process = $1 and ended is null', [
      child.pid,
    ]);
    if (endLeases) await database.query('delete from job_leases where holder = any($1::text[])', [holders]);
    const done = `select id from job_runs where slot = $1 and status = 'done'`;
    return (await database.query(done, [slotName(slot)])).length > 0;
  });
}

async function withDatabase<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  const connection = await connect({ url, log: createLog('silent'), poolMax: 1, statementTimeoutMs: 60_000 });
  try {
    return await work(toDatabase(connection.orm));
  } finally {
    await connection.close();
  }
}

const noted = 'create table noted (id serial primary key, process int, began timestamptz, ended timestamptz)';

const doneTimes = `
  select slot, (count(*) filter (where status = 'done'))::int as done from job_runs
  where slot >= '2026-12-01' group by slot order by slot`;

const overlapping = `
  select one.id, other.id from noted one join noted other on one.id < other.id
    and other.began < coalesce(one.ended, 'infinity') and one.began < coalesce(other.ended, 'infinity')`;
