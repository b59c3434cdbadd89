import { afterAll, beforeAll, expect } from 'vitest';
import { commitFacts } from '../../jobs/commit-facts.ts';
import type { Job } from '../../jobs/job.ts';
import { prFacts } from '../../jobs/pr-facts.ts';
import { nextAttemptAt } from '../../jobs/retry.ts';
import { runsSync } from '../../jobs/runs-sync.ts';
import { type Scheduler, startScheduler } from '../../jobs/timetable.ts';
import type { Clock } from '../../server/platform/clock.ts';
import { readEnv } from '../../server/platform/env.ts';
import { type App, boot } from '../../server/start.ts';
import type { JobRunRecord } from '../../server/store/job-runs.ts';
import type { Store } from '../../server/store/orm.ts';
import { type Double, startDouble } from '../codehost-double/double.ts';
import { namedWorld } from '../codehost-double/named-world.ts';
import { reusedMemory } from '../support/reused-memory.ts';
import { day, minute } from '../sync/stage.ts';
import { fillPlatform, goOn, storedAndAvailable, trackAll } from './night.ts';

/** How long each trouble lasts. Where nothing is said it is short, and so are the pauses: the clock runs ten times as fast. */
const seconds = Number(process.env.TROUBLE_SECONDS ?? 0);
export const isPatient = seconds > 0;
export const troubleMs = isPatient ? seconds * 1000 : 1500;
const speed = isPatient ? 1 : 10;
/** The pause after the first failure. */
const firstPauseMs = 15_000;
const midnight = Math.floor(Date.now() / day) * day;
const dueAt = new Map<string, number>([
  [runsSync.name, (3 * 60 + 17) * minute],
  [prFacts.name, (4 * 60 + 17) * minute],
  [commitFacts.name, (4 * 60 + 47) * minute],
]);

interface Slot {
  /** What it came to so far, oldest first. */
  rows(): Promise<JobRunRecord[]>;
  stop(): Promise<void>;
}

interface Stage {
  clock: Clock;
  names: string[];
  double: Double;
  app: App;
  readonly store: Store;
  advance(ms: number): void;
  /** Lets a job of the next night become due, with new work for it. */
  begin(job: Job): Slot;
  /** Waits until the slot is done. */
  done(slot: Slot): Promise<void>;
  /** The same when trouble has just ended: the attempt after it had not been put off for longer than it lasted. */
  doneSoon(slot: Slot): Promise<void>;
  stored(): ReturnType<typeof storedAndAvailable>;
}

/** The service with three repositories to read, beside a double that shares its clock, and nights to read them in. */
export function nightlyStage(address: () => Promise<string>, env: Record<string, string> = {}): Stage {
  let [base, since] = [midnight, performance.now()];
  let night = 0;
  const scheduled: Scheduler[] = [];
  const clock = { now: () => Math.round(base + (performance.now() - since) * speed) };
  const stage: Stage = {
    clock,
    names: [] as string[],
    double: null as unknown as Double,
    app: null as unknown as App,
    get store(): Store {
      return stage.app.services.store as Store;
    },
    advance(ms: number) {
      base += ms;
    },
    begin(job) {
      const due = midnight + ++night * day + (dueAt.get(job.name) ?? 0);
      goOn(stage.double, stage.names, due - minute, night);
      [base, since] = [due + 100, performance.now()];
      const slot = new Date(due).toISOString().slice(0, 10);
      const services = {
        ...stage.app.services,
        clock,
        env: { ...stage.app.services.env, SCHEDULER: 'internal' as const },
      };
      const scheduler = startScheduler(services, [job]);
      scheduled.push(scheduler);
      const rows = async () =>
        (await stage.store.jobRuns.latest(job.name, 60)).filter((row) => row.slot === slot).toReversed();
      return { rows, stop: () => scheduler.stop() };
    },
    async done({ rows, stop }) {
      const statuses = async () => (await rows()).map(({ status }) => status);
      await expect.poll(statuses, { interval: 100 }).toContain('done');
      await stop();
      expect((await statuses()).filter((status) => status === 'done')).toHaveLength(1);
    },
    async doneSoon(slot) {
      const endedAt = clock.now();
      await stage.done(slot);
      const all = await slot.rows();
      const before = all.filter(({ finishedAt }) => finishedAt !== null && finishedAt <= endedAt);
      const attemptAt = nextAttemptAt(before.toReversed(), endedAt) ?? endedAt;
      // Nothing may have begun before: where no row can be written, the first is begun after the end.
      const lasted = Math.max(0, endedAt - (all[0]?.startedAt ?? endedAt));
      expect(attemptAt - endedAt).toBeLessThanOrEqual(lasted + firstPauseMs);
    },
    stored: () => storedAndAvailable(stage.double, stage.store, stage.names),
  };
  beforeAll(async () => {
    stage.double = await startDouble({ world: namedWorld(), clock });
    stage.names = fillPlatform(stage.double, 3, midnight);
    const { url, graphqlUrl } = stage.double;
    const settings = {
      NODE_ENV: 'test',
      LOG_LEVEL: 'silent',
      SESSION_SECRET: 'k3Jd92lsQpeR8vTz0xWn5yBcGhUaFmXo',
      CODEHOST_API_URL: url,
      CODEHOST_GRAPHQL_URL: graphqlUrl,
      CODEHOST_TOKEN: 'token-ann',
      SCHEDULER: 'off',
      DATABASE_URL: await address(),
      ...env,
    };
    stage.app = await boot(readEnv(settings), clock, { openMemory: reusedMemory });
    await trackAll(stage.double, stage.store, stage.names, midnight);
  });
  afterAll(async () => {
    for (const one of scheduled) await one.stop();
    await stage.app?.close();
    await stage.double?.close();
  });
  return stage;
}
