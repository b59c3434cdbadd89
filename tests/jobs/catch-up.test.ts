import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { type Job, type JobContext, type JobOutcome, job } from '../../jobs/job.ts';
import { runJob } from '../../jobs/run-job.ts';
import { type Scheduler, startScheduler } from '../../jobs/timetable.ts';
import type { Services } from '../../server/access/context.ts';
import { createLog } from '../../server/platform/log.ts';
import type { Store } from '../../server/store/orm.ts';
import { aStore } from '../support/database.ts';
import { day, environment, hour, second } from '../sync/stage.ts';

const slot = '2026-12-01';
const at = (time: string) => Date.parse(`${slot}T${time}Z`);
const due = at('03:17:00');

/** A clock that a test sets, and that runs on so many times as fast as time. */
function clockAt(instant: number, speed = 1) {
  let [base, since] = [instant, performance.now()];
  const now = () => Math.round(base + (performance.now() - since) * speed);
  const set = (to: number) => {
    [base, since] = [to, performance.now()];
  };
  return { now, set };
}

const fast = 20;
const done = { partial: false, resumeAt: null, summary: {}, report: null };
let number = 0;

describe.concurrent('the timetable', () => {
  let store: Store;
  const started: Scheduler[] = [];
  beforeAll(async () => {
    store = await aStore();
  });
  afterAll(async () => {
    for (const one of started) await one.stop();
    await store?.close();
  });

  const nightly = (run: (context: JobContext) => Promise<JobOutcome> = async () => done, rest: Partial<Job> = {}) =>
    job({
      name: `nightly-${++number}`,
      title: '',
      does: '',
      schedule: '17 3 * * *',
      seconds: 240,
      hardSeconds: 290,
      housekeeping: false,
      needsToken: false,
      run,
      ...rest,
    });
  const servicesOf = (clock: Services['clock']) =>
    ({
      store,
      clock,
      log: createLog('silent'),
      env: environment({ SCHEDULER: 'internal' }),
      stopping: new AbortController().signal,
    }) as Services;
  const start = (one: Job, clock: Services['clock']) => {
    const scheduler = startScheduler(servicesOf(clock), [one]);
    started.push(scheduler);
    return scheduler;
  };
  const rows = async ({ name }: Job) =>
    (await store.jobRuns.latest(name, 30)).sort((first, second) => first.id - second.id);
  const reported = async (one: Job) => (await rows(one)).map((row) => `${row.slot} ${row.trigger} ${row.status}`);
  const call = async ({ name }: Job, status: 'done' | 'failed' | 'partial', now: number) => {
    const id = await store.jobRuns.start({ job: name, slot, trigger: 'http', now });
    await store.jobRuns.finish(id, { status, summary: {}, now });
  };

  test('catches up at nine with what was due at a quarter past three, once, whichever process begins', async ({
    expect,
  }) => {
    const one = nightly();
    for (let replica = 0; replica < 3; replica++) start(one, clockAt(at('09:00:00'), fast));
    await expect.poll(() => reported(one)).toHaveLength(1);
    await sleep(2500);
    expect(await reported(one)).toEqual([`${slot} internal done`]);
  });

  test('leaves out what was due more than twenty hours ago, and what was done on its day by a call', async ({
    expect,
  }) => {
    const old = nightly();
    start(old, clockAt(due + 20 * hour + second, fast));
    const called = nightly();
    await call(called, 'done', at('01:00:00'));
    start(called, clockAt(due - 10 * second, fast));
    const partly = nightly();
    await call(partly, 'partial', at('01:00:00'));
    start(partly, clockAt(due + second, fast));
    await sleep(2500);
    expect([await reported(old), await reported(called), await reported(partly)]).toEqual([
      [],
      [`${slot} http done`],
      [`${slot} http partial`],
    ]);
  });

  test('tries again what failed, after longer and longer pauses, until it is done', async ({ expect }) => {
    let left = 2;
    const one = nightly(async () => {
      if (left-- > 0) throw new Error('no');
      return done;
    });
    await call(one, 'failed', at('03:16:40'));
    start(one, clockAt(due + second, fast));
    await expect.poll(() => reported(one)).toContain(`${slot} internal done`);
    const all = await rows(one);
    expect(all.map(({ status }) => status)).toEqual(['failed', 'failed', 'failed', 'done']);
    const pauses = all.slice(1).map(({ startedAt }, place) => startedAt - (all[place]?.finishedAt ?? 0));
    expect(pauses[1]).toBeGreaterThanOrEqual(30_000);
    expect(pauses[2]).toBeGreaterThanOrEqual(60_000);
  });

  test('goes on as soon as the platform gives more again', async ({ expect }) => {
    const resumeAt = due + 10 * second;
    const clock = clockAt(due + second, 0);
    const requests: (number | null)[] = [];
    const one = nightly(async ({ since }) => {
      requests.push(since);
      return requests.length > 1 ? done : { ...done, partial: true, resumeAt };
    });
    start(one, clock);
    await expect.poll(() => reported(one)).toEqual([`${slot} internal partial`]);
    clock.set(resumeAt - 1);
    // The timetable looks every second.
    await sleep(1500);
    clock.set(resumeAt);
    await expect.poll(() => reported(one)).toEqual([`${slot} internal partial`, `${slot} internal done`]);
    expect((await rows(one)).at(-1)?.startedAt).toBe(resumeAt);
    expect(requests, 'what was read since the slot was due is not read again').toEqual([null, due]);
  });

  test('goes on at once with what a dead process had begun', async ({ expect }) => {
    const requests: (number | null)[] = [];
    const one = nightly(async ({ since }) => {
      requests.push(since);
      return done;
    });
    await store.jobRuns.start({ job: one.name, slot, trigger: 'internal', now: due });
    start(one, clockAt(due + second));
    await expect.poll(() => reported(one)).toEqual([`${slot} internal aborted`, `${slot} internal done`]);
    expect(requests).toEqual([due]);
  });

  test('goes on elsewhere with what a process that was stopped had begun', async ({ expect }) => {
    const one = nightly(async ({ signal }) => {
      while (!signal.aborted) await sleep(5);
      return { ...done, partial: true };
    });
    const scheduler = start(one, clockAt(due + second));
    await expect.poll(() => reported(one)).toEqual([`${slot} internal running`]);
    await scheduler.stop();
    expect(await reported(one)).toEqual([`${slot} internal partial`]);
    start({ ...one, run: async () => done }, clockAt(due + 5 * second));
    await expect.poll(() => reported(one)).toEqual([`${slot} internal partial`, `${slot} internal done`]);
  });

  test('keeps every slot while its clock jumps a day, forth and back, between slots', async ({ expect }) => {
    const one = nightly();
    const clock = clockAt(due - 60 * second);
    start(one, clock);
    for (const instant of [due - 50 * second, due + day - 40 * second, due - 30 * second]) {
      clock.set(instant);
      await sleep(1100);
    }
    expect(await reported(one)).toEqual([]);
    clock.set(due + second);
    await expect.poll(() => reported(one)).toEqual([`${slot} internal done`]);
    for (const instant of [due - day + second, due + 2 * second]) {
      clock.set(instant);
      await sleep(1100);
    }
    const days = ['2026-12-01', '2026-11-30'].map((name) => `${name} internal done`);
    expect(await reported(one), 'the slot before had not been done either').toEqual(days);
  });

  test('ends a job whose clock jumps a day, and goes by the day it then is', async ({ expect }) => {
    const clock = clockAt(due + second);
    const one = nightly(async ({ mayContinue }) => {
      while (mayContinue()) await sleep(5);
      return { ...done, partial: true };
    });
    start(one, clock);
    await expect.poll(() => reported(one)).toEqual([`${slot} internal running`]);
    clock.set(due - day + second);
    await sleep(200);
    expect(await reported(one), 'set back, it has its time all the same').toEqual([`${slot} internal running`]);
    clock.set(due + day + second);
    const next = '2026-12-02 internal running';
    await expect.poll(() => reported(one)).toEqual([`${slot} internal partial`, next]);
  });

  test('leaves a job behind that ignores its end, and begins it again', async ({ expect }) => {
    const never = Promise.withResolvers<JobOutcome>();
    const stubborn = nightly(() => never.promise, { seconds: 0.05, hardSeconds: 0.1 });
    const services = servicesOf(clockAt(due));
    const start = { slot, trigger: 'http', stopping: new AbortController().signal } as const;
    expect(await runJob(stubborn, services, start)).toMatchObject({ status: 'partial', outcome: null });
    expect(await reported(stubborn)).toEqual([`${slot} http partial`]);
    expect(await store.leases.acquire(`job:${stubborn.name}`, 'the next one')).toBe(true);
  });
});
