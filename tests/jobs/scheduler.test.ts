import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { housekeeping } from '../../jobs/housekeeping.ts';
import { type Job, type JobContext, type JobOutcome, job } from '../../jobs/job.ts';
import { runJob as runUnderLease } from '../../jobs/run-job.ts';
import { type Scheduler, startScheduler } from '../../jobs/timetable.ts';
import type { Services } from '../../server/access/context.ts';
import { createLog } from '../../server/platform/log.ts';
import type { Store } from '../../server/store/orm.ts';
import { run, track } from '../store/world.ts';
import { aStore, eachDatabase } from '../support/database.ts';
import { day, environment, hour, minute } from '../sync/stage.ts';

const everySecond = '* * * * * *';

const servicesOf = (store: Store | null, mode: 'internal' | 'external' | 'off' = 'internal') =>
  ({
    store,
    log: createLog('silent'),
    clock: { now: () => Date.now() },
    env: environment({ SCHEDULER: mode }),
    stopping: new AbortController().signal,
  }) as Services;

let number = 0;
const aJob = (run: (context: JobContext) => Promise<Record<string, number>>, differing: Partial<Job> = {}): Job =>
  job({
    name: `job-${++number}`,
    title: '',
    does: '',
    schedule: everySecond,
    seconds: 60,
    hardSeconds: 90,
    housekeeping: false,
    needsToken: false,
    run: async (context): Promise<JobOutcome> => {
      const summary = await run(context);
      return { partial: context.signal.aborted, resumeAt: null, summary, report: null };
    },
    ...differing,
  });

const runJob = (one: Job, services: Services, stopping: AbortSignal) =>
  runUnderLease(one, services, { slot: 'today', trigger: 'internal', stopping });

const never = new AbortController().signal;

describe('the timetable', () => {
  let store: Store;
  beforeAll(async () => {
    store = await aStore();
  });
  afterAll(() => store?.close());
  const started: Scheduler[] = [];
  afterEach(async () => {
    for (const scheduler of started.splice(0)) await scheduler.stop();
  });
  const start = (services: Services, jobs: Job[]) => {
    const scheduler = startScheduler(services, jobs);
    started.push(scheduler);
    return scheduler;
  };

  test('runs a job when its time comes, and keeps a row about it', async () => {
    const counting = aJob(async () => ({ things: 3 }));
    start(servicesOf(store), [counting]);
    const last = async () => (await store.jobRuns.latest(counting.name, 9)).at(-1);
    await expect.poll(last).toMatchObject({ status: 'done', trigger: 'internal', summary: { things: 3 } });
    expect((await last())?.finishedAt).not.toBeNull();
  });

  test('SCHEDULER says which jobs there are: all, those that keep house, or none', async () => {
    const ran = new Set<string>();
    const noting = (name: string, housekeeping: boolean) =>
      aJob(
        async () => {
          ran.add(name);
          return {};
        },
        { housekeeping },
      );
    for (const mode of ['internal', 'external', 'off'] as const)
      start(servicesOf(store, mode), [noting(`${mode} mail`, false), noting(`${mode} sweep`, true)]);
    const expected = ['external sweep', 'internal mail', 'internal sweep'];
    await expect.poll(() => ran.size).toBe(expected.length);
    // As long as another job would have had to begin.
    await sleep(1200);
    expect([...ran].toSorted()).toEqual(expected);
  });

  test('a job that takes longer than its interval does not overtake itself', async () => {
    let [running, most, begun] = [0, 0, 0];
    const slow = aJob(async () => {
      begun++;
      most = Math.max(most, ++running);
      await sleep(1100);
      running--;
      return {};
    });
    start(servicesOf(store), [slow]);
    await expect.poll(() => begun).toBe(2);
    expect(most).toBe(1);
  });

  test('what every process does ends when its time is up, and is begun again', async () => {
    const signals: AbortSignal[] = [];
    const hanging = aJob(
      async ({ signal }) => {
        signals.push(signal);
        await Promise.withResolvers().promise;
        return {};
      },
      { everywhere: true, seconds: 0.02, hardSeconds: 0.05 },
    );
    start(servicesOf(store), [hanging]);
    await expect.poll(() => signals.length, { timeout: 30_000 }).toBe(2);
    expect(signals[0]?.aborted).toBe(true);
    await expect.poll(() => signals[1]?.aborted).toBe(true);
  });

  test('a clock that was ahead for a moment and is set back delays no slot', async () => {
    let [offset, looks, ran] = [0, 0, 0];
    const midnight = Math.floor(Date.now() / day) * day;
    offset = midnight + 3 * hour - Date.now();
    const clock = {
      now: () => {
        looks++;
        return Date.now() + offset;
      },
    };
    const daily = aJob(
      async () => {
        ran++;
        return {};
      },
      { schedule: '0 17 3 * * *' },
    );
    start({ ...servicesOf(store), clock }, [daily]);
    offset += 10 * hour;
    const before = looks;
    await expect.poll(() => looks).toBeGreaterThan(before);
    offset = midnight + 3 * hour + 17 * minute + 500 - Date.now();
    await expect.poll(() => ran, { timeout: 60_000 }).toBe(1);
  });

  test('stopping reports a running job to stop and waits for it; nothing starts afterwards', async () => {
    let begun = 0;
    const patient = aJob(async ({ signal }) => {
      begun++;
      while (!signal.aborted) await sleep(5);
      await sleep(50);
      return { left: 1 };
    });
    const scheduler = start(servicesOf(store), [patient]);
    while (begun === 0) await sleep(5);
    await scheduler.stop();
    expect(await store.jobRuns.latest(patient.name, 9)).toMatchObject([{ status: 'partial', summary: { left: 1 } }]);
    expect(await store.leases.acquire(`job:${patient.name}`, 'the next process')).toBe(true);
    await sleep(1100);
    expect(begun).toBe(1);
  });
});

eachDatabase((given) => {
  let store: Store;
  beforeAll(async () => {
    store = await given.open();
  });

  describe('a run of a job', () => {
    test('is made by one process at a time', async () => {
      let ran = 0;
      const refused = Promise.withResolvers<void>();
      const counting = aJob(async () => {
        ran++;
        await refused.promise;
        return {};
      });
      const services = servicesOf(store);
      let left = 2;
      const one = async () => {
        const end = await runJob(counting, services, never);
        if (!end && --left === 0) refused.resolve();
      };
      await Promise.all([one(), one(), one()]);
      expect(ran).toBe(1);
      expect(await store.jobRuns.latest(counting.name, 9)).toHaveLength(1);
      await runJob(counting, services, never);
      expect(ran).toBe(2);
    });

    test('that fails leaves a row, and hinders no later one', async () => {
      let fails = true;
      const failing = aJob(async () => {
        if (fails) throw new Error('no');
        return {};
      });
      await runJob(failing, servicesOf(store), never);
      fails = false;
      await runJob(failing, servicesOf(store), never);
      const rows = await store.jobRuns.latest(failing.name, 9);
      expect(rows.map(({ status }) => status)).toEqual(['done', 'failed']);
    });

    test('that ends because it was reported to has not failed', async () => {
      const stopping = new AbortController();
      const obedient = aJob(async ({ signal }) => {
        stopping.abort();
        signal.throwIfAborted();
        return {};
      });
      await runJob(obedient, servicesOf(store), stopping.signal);
      expect(await store.jobRuns.latest(obedient.name, 1)).toMatchObject([{ status: 'partial' }]);
    });

    test('is stopped when its time is up', async () => {
      const endless = aJob(
        async ({ signal }) => {
          while (!signal.aborted) await sleep(5);
          return {};
        },
        { seconds: 0.05, hardSeconds: 0.1 },
      );
      await runJob(endless, servicesOf(store), never);
      expect(await store.jobRuns.latest(endless.name, 1)).toMatchObject([{ status: 'partial' }]);
    });
  });

  test('housekeeping brings rollups up to date, forgets, and closes what a dead process left running', async () => {
    const repo = await track(store);
    const now = Date.now();
    // At this hour UTC and the default zone have the same date, so cutting the day again finds the one it was.
    const createdAt = Math.floor(now / day) * day - day + 5 * 3_600_000;
    await store.runs.ingest(repo, [run(1, { createdAt })], { syncedAt: now });
    await store.answers.put('old', 1, now - 2 * day, day);
    await store.jobRuns.start({ job: 'dead', slot: '', trigger: 'http', now: now - day });
    await runJob(housekeeping, servicesOf(store), never);
    expect(await store.jobRuns.latest('housekeeping', 1)).toMatchObject([
      { status: 'done', summary: { days_recomputed: 1, rows_forgotten: 1, jobs_aborted: 1 } },
    ]);
    expect(await store.jobRuns.latest('dead', 1)).toMatchObject([{ status: 'aborted' }]);
  });
});

test('without a database there is no timetable', async () => {
  let ran = 0;
  const counting = aJob(async () => ({ ran: ++ran }), { housekeeping: true });
  const scheduler = startScheduler(servicesOf(null), [counting]);
  await sleep(1100);
  await scheduler.stop();
  await expect(runJob(counting, servicesOf(null), never)).rejects.toThrow('No database is configured');
  expect(ran).toBe(0);
});
