import { once } from 'node:events';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '../../server/platform/log.ts';
import type { Database } from '../../server/store/database.ts';
import { leases as createLeases, LeaseLost } from '../../server/store/leases.ts';
import type { Store } from '../../server/store/orm.ts';
import { eachDatabase } from '../support/database.ts';

const mark = (queries: { query(sql: string): Promise<unknown> }) =>
  queries.query(`insert into cached_answers (key, value, made_at, expires_at) values ('k', '1', now(), 'infinity')
    on conflict (key) do update set value = to_jsonb(cached_answers.value::text::int + 1)`);

eachDatabase((given) => {
  describe('work under a lease', () => {
    let database: Database;
    let leases: Store['leases'];
    beforeAll(async () => {
      const opened = await given.openRaw();
      ({ database } = opened);
      ({ leases } = opened.store);
    });
    beforeEach(() => database.query('delete from cached_answers'));
    afterEach(() => database.query('delete from job_leases'));
    const written = async () => Number((await database.query<{ n: number }>(marks))[0]?.n ?? 0);
    const expire = () => database.query(`update job_leases set expires_at = clock_timestamp() - interval '1 s'`);

    test('is written through its fence while the lease is held', async () => {
      const work = leases.hold('work', 'a', (_, fence) => fence.transaction(mark));
      await work;
      expect(await written()).toBe(1);
    });

    test('writes nothing more once the lease has run out, and is shown so', async () => {
      const ends: unknown[] = [];
      const result = await leases.hold('work', 'a', async (lost, fence) => {
        await fence.transaction(mark);
        expect(lost.aborted).toBe(false);
        await expire();
        await fence.transaction(mark).catch((error: unknown) => ends.push(error));
        ends.push(lost.aborted);
        return 'done';
      });
      expect(ends).toEqual([expect.any(LeaseLost), true]);
      expect(result).toBeNull();
      expect(await written()).toBe(1);
    });

    test('that another one has taken stays theirs: neither written under nor given back', async () => {
      const result = await leases.hold('work', 'paused', async (_, fence) => {
        await expire();
        expect(await leases.acquire('work', 'next')).toBe(true);
        await fence.transaction(mark);
        return 'done';
      });
      expect(result).toBeNull();
      expect(await written()).toBe(0);
      expect(await leases.acquire('work', 'third')).toBe(false);
      expect(await leases.renew('work', 'next')).toBe(true);
    });

    test('that fails for another reason fails', async () => {
      const failing = leases.hold('work', 'a', (_, fence) =>
        fence.transaction(async (queries) => {
          await mark(queries);
          throw new Error('no');
        }),
      );
      await expect(failing).rejects.toThrow('no');
      expect(await written()).toBe(0);
      expect(await leases.acquire('work', 'b')).toBe(true);
    });

    if (given.name === 'postgresql')
      test('cannot be taken between the question and the write', async () => {
        const order: string[] = [];
        await leases.hold('work', 'a', async (_, fence) => {
          let taking: Promise<unknown> = Promise.resolve();
          await fence.transaction(async (queries) => {
            taking = database
              .query(`update job_leases set holder = 'b' where job = 'work'`)
              .then(() => order.push('taken'));
            await waiting(database);
            await mark(queries);
            order.push('written');
          });
          await taking;
        });
        expect(order).toEqual(['written', 'taken']);
        expect(await written()).toBe(1);
      });

    if (given.name === 'postgresql')
      test('is lost when a renewal hangs for as long as it lives', async () => {
        const short = createLeases(database, createLog('silent'), { ttlMs: 1000, renewEveryMs: 200 });
        const result = await short.hold('work', 'a', (lost) =>
          database.transaction(async ({ query }) => {
            await query(`select from job_leases where job = 'work' for update`);
            if (!lost.aborted) await once(lost, 'abort');
            return 'done';
          }),
        );
        expect(result).toBeNull();
      });
  });
});

const marks = `select value::text::int as n from cached_answers where key = 'k'`;

/** Until a statement waits for a lock of another one. */
async function waiting({ query }: { query<Row>(sql: string): Promise<Row[]> }) {
  const blocked = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  while ((await query(blocked)).length === 0);
}
