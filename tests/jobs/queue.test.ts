import { beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '../../server/platform/log.ts';
import { openQueue, type Queue } from '../../server/queue/queue.ts';
import type { Database } from '../../server/store/database.ts';
import type { Store } from '../../server/store/orm.ts';
import { eachDatabase } from '../support/database.ts';

const name = 'collect-runs';
const queueOf = (store: Store, migrate = true) => openQueue({ store, log: createLog('silent'), migrate });
const items = (...keys: string[]) => keys.map((key) => ({ key, data: { of: key } }));
const echo = async (data: object) => ({ did: data });

eachDatabase((given) => {
  describe('the queue', () => {
    let store: Store;
    let database: Database;
    let queue: Queue;
    let beside: Queue;
    beforeAll(async () => {
      ({ store, database } = await given.openRaw());
      queue = queueOf(store);
      // Another process is another queue on the same tables.
      beside = queueOf(store);
    });

    test('is not there before its first use; makers of it at once do not hinder each other or anybody else', async () => {
      const found = () => database.query<{ schema: string | null }>(`select to_regnamespace('queue')::text as schema`);
      expect(await found()).toEqual([{ schema: null }]);
      const makers = [queue, beside, queueOf(store), queueOf(store)];
      await Promise.all(makers.map((one) => one.status(name)));
      expect(await found()).toEqual([{ schema: 'queue' }]);
      // A failure inside a transaction of the package's own leaves no connection of the pool within it.
      const eachConnection = Array.from({ length: 20 }, () => database.query('select 1'));
      await expect(Promise.all(eachConnection)).resolves.toHaveLength(20);
      await Promise.all(makers.slice(2).map((one) => one.stop()));
    });

    test('gives items in their order, one with a key once, and keeps what came of them', async () => {
      await queue.refill(name, items('a', 'b', 'a', 'c'));
      expect(await queue.status(name)).toEqual({ done: new Map(), open: 3 });
      const taken: unknown[] = [];
      const note = async (data: object) => ({ number: taken.push((data as { of: string }).of) });
      expect([await queue.doNext(name, note), await beside.doNext(name, note)]).toEqual([true, true]);
      expect(await beside.status(name)).toEqual({
        done: new Map([
          ['a', { number: 1 }],
          ['b', { number: 2 }],
        ]),
        open: 1,
      });
      expect([await queue.doNext(name, note), await queue.doNext(name, note)]).toEqual([true, false]);
      expect(taken).toEqual(['a', 'b', 'c']);
    });

    test('gives one item to one taker', async () => {
      await queue.refill(name, items(...'abcdefgh'));
      const taken: string[] = [];
      const take = async (data: object) => {
        taken.push((data as { of: string }).of);
        return {};
      };
      await Promise.all(Array.from({ length: 6 }, (_, at) => (at % 2 ? queue : beside).doNext(name, take)));
      expect(new Set(taken).size).toBe(6);
      expect(taken).toHaveLength(6);
    });

    test('keeps a long result whole', async () => {
      await queue.refill(name, items('long'));
      const result = { error: 'é"\\\n'.repeat(250_000) };
      await queue.doNext(name, async () => result);
      expect((await queue.status(name)).done.get('long')).toEqual(result);
    });

    test('takes back an item whose work fails, and withdraws what waits', async () => {
      await queue.refill(name, items('fails', 'waits'));
      const fails = queue.doNext(name, async () => {
        throw new Error('no');
      });
      await expect(fails).rejects.toThrow('no');
      expect((await queue.status(name)).open).toBe(2);
      await endPauses(name);
      expect(await beside.doNext(name, echo)).toBe(true);
      await queue.withdraw(name);
      const { done, open } = await queue.status(name);
      expect([[...done.keys()], open]).toEqual([['fails'], 0]);
    });

    test('an item whose process died is taken again; who was dead only for a while does not speak for it', async () => {
      await queue.refill(name, items('orphan'));
      const wakes = Promise.withResolvers<void>();
      const paused = queue.doNext(name, async () => {
        await wakes.promise;
        return { from: 'the paused one' };
      });
      await expect.poll(() => states(name)).toEqual(['active']);
      expect((await beside.status(name)).open).toBe(1);
      expect(await beside.doNext(name, echo), 'while its process lives').toBe(false);
      await silence(31);
      expect((await beside.status(name)).open).toBe(1);
      await endPauses(name);
      let others = Promise.resolve(false);
      await new Promise<void>((begun) => {
        others = beside.doNext(name, async () => {
          begun();
          await paused;
          return { from: 'the other one' };
        });
        wakes.resolve();
      });
      expect(await others).toBe(true);
      expect((await beside.status(name)).done.get('orphan')).toEqual({ from: 'the other one' });
    });

    test('what a dead coordinator left behind is gone when the next one fills the queue', async () => {
      await queue.refill(name, items('old', 'older'));
      await beside.doNext(name, echo);
      await beside.refill(name, items('new'));
      expect(await queue.status(name)).toEqual({ done: new Map(), open: 1 });
    });

    test('asks no more statements about two thousand items than about one', async () => {
      let statements = 0;
      const executeSql: Store['queue']['executeSql'] = (...given) => {
        statements++;
        return store.queue.executeSql(...given);
      };
      const counted = openQueue({ store: { queue: { executeSql } }, log: createLog('silent'), migrate: false });
      const statementsOfStatus = async () => {
        await counted.status(name);
        statements = 0;
        const { done, open } = await counted.status(name);
        return { done: done.size, open, statements };
      };
      await queue.refill(name, items('single'));
      const { statements: ofOne } = await statementsOfStatus();
      const many = Array.from({ length: 2000 }, (_, key) => ({ key: String(key), data: { known: { key } } }));
      await queue.refill(name, many);
      await queue.doNext(name, echo);
      expect(await statementsOfStatus()).toEqual({ done: 1, open: 1999, statements: ofOne });
      await queue.withdraw(name);
      await counted.stop();
    });

    test('is opened again after it was stopped', async () => {
      await queue.stop();
      await queue.stop();
      await queue.refill(name, items('again'));
      expect((await queue.status(name)).open).toBe(1);
      await Promise.all([queue.stop(), beside.stop()]);
    });

    const states = async (queueName: string) =>
      (await database.query<{ state: string }>('select state from queue.job where name = $1', [queueName])).map(
        ({ state }) => state,
      );

    /** As if the process of every item under way had not been heard of for so long, and a look for such were due. */
    async function silence(seconds: number) {
      const ago = `now() - ${seconds} * interval '1 second'`;
      await database.query(`update queue.job set heartbeat_on = ${ago} where state = 'active'`);
      await database.query(`update queue.queue set monitor_claim_on = ${ago}`);
    }

    /** As if the pause before an item is taken again were over. */
    const endPauses = (queueName: string) =>
      database.query(`update queue.job set start_after = now() where name = $1 and state = 'retry'`, [queueName]);
  });

  test('a queue that may not make its tables says what is missing, and nothing else suffers', async () => {
    const store = await given.open();
    const queue = queueOf(store, false);
    const problem = { code: 'db_not_configured', message: expect.stringContaining('MIGRATE_ON_START=true') };
    await expect(queue.doNext(name, echo)).rejects.toMatchObject(problem);
    expect(await store.repositories.tracked()).toEqual([]);
    // It is looked for again each time.
    const maker = queueOf(store);
    await maker.refill(name, items('a'));
    expect(await queue.doNext(name, echo)).toBe(true);
    await Promise.all([queue.stop(), maker.stop()]);
  });
});
