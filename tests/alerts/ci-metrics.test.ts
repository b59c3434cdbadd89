import { expect, test } from 'vitest';
import {
  failingStreak,
  failureRate,
  outlierCount,
  slowDuration,
  slowQueueWait,
} from '../../server/alerts/ci-metrics.ts';
import { judge } from '../../server/alerts/judge.ts';
import { type AlertMetric, measureNow } from '../../server/alerts/metric.ts';
import { alertMetrics } from '../../server/alerts/metrics.ts';
import type { WorkflowRun } from '../../server/metrics/kernel/facts.ts';
import { createPeople } from '../../server/metrics/people/people.ts';
import type { Store } from '../../server/store/orm.ts';
import { day, hour, minute, noon, readBackTo, run, track } from '../store/world.ts';
import { aDatabase } from '../support/a-database.ts';
import { rounds } from '../support/rounds.ts';
import { naiveRuns } from './naive-runs.ts';
import { runWorld, worldEnd } from './run-worlds.ts';

const people = createPeople();
const at = (repoId: number, now = noon, windowHours = 24) => ({
  repoId,
  defaultBranch: 'main',
  people,
  now,
  windowHours,
});

aDatabase((given) => {
  let opened: Promise<Store> | undefined;
  let repositories = 0;
  /** A repository of its own, with these runs. */
  const keep = async (runs: readonly WorkflowRun[]) => {
    opened ??= given.openForAll();
    const store = await opened;
    const repoId = await track(store, ++repositories);
    const apart = runs.map((each) => ({ ...each, id: each.id + repositories * 10_000 }));
    await store.runs.ingest(repoId, apart, { syncedAt: worldEnd });
    await readBackTo(store, repoId, noon - 400 * day);
    return { store, repoId };
  };
  const reported = async (metric: AlertMetric, runs: readonly WorkflowRun[]) => {
    const { store, repoId } = await keep(runs);
    const { value, sample } = await measureNow(metric, at(repoId), store);
    return [value, sample];
  };

  test('every metric of runs is what a second reading of the raw attempts says, at any moment of random worlds', async () => {
    const [metrics, seen] = [
      alertMetrics.filter(({ dataSource }) => dataSource === 'workflow-runs'),
      new Map<string, Set<number | null>>(),
    ];
    expect(metrics.map(({ key }) => key).sort()).toEqual(Object.keys(naiveRuns).sort());
    for (let seed = 1; seed <= rounds('WORLDS', 5, 12); seed++) {
      const { attempts, moments } = runWorld(seed);
      const { store, repoId } = await keep(attempts);
      const range = { repoId, defaultBranch: 'main', people, from: Math.min(...moments), until: worldEnd };
      for (const metric of metrics)
        for (const windowHours of [24, 120]) {
          const facts = await metric.load({ ...range, windowHours }, store);
          for (const now of moments) {
            const { value, sample } = metric.measure(facts, { now, windowHours });
            const expected = naiveRuns[metric.key]?.({ attempts, now, windowHours });
            const where = `${metric.key} of world ${seed} at ${now} over ${windowHours} h`;
            expect([where, value === null, sample]).toEqual([where, expected?.value === null, expected?.sample]);
            if (value !== null) expect(value, where).toBeCloseTo(expected?.value ?? Number.NaN, 6);
            seen.set(metric.key, (seen.get(metric.key) ?? new Set()).add(value));
          }
          const now = { value: metric.measure(facts, { now: worldEnd, windowHours }).value };
          expect(await measureNow(metric, at(repoId, worldEnd, windowHours), store)).toMatchObject(now);
        }
    }
    for (const [key, values] of seen) expect([key, values.size > 3]).toEqual([key, true]);
  });

  test('times are reported in minutes and not rounded: 29.6 seconds are not 30', async () => {
    const runs = [1, 2, 3, 4, 5].map((id) => {
      const createdAt = noon - id * hour;
      return run(id, { createdAt, startedAt: createdAt + 29_600, updatedAt: createdAt + 29_600 + 29_600 });
    });
    expect(await reported(slowDuration, runs)).toEqual([29.6 / 60, 5]);
    expect(await reported(slowQueueWait, runs)).toEqual([29.6 / 60, 5]);
  });

  test('a run that waited for nothing counts as no wait; a re-run counts by its first attempt', async () => {
    const first = run(1, { createdAt: noon - hour, startedAt: noon - hour });
    const again = run(1, { attempt: 2, createdAt: noon - hour, startedAt: noon - minute, updatedAt: noon - 1000 });
    expect(await reported(slowQueueWait, [first, again])).toEqual([0, 1]);
  });

  test('runs that ended in neither way count for durations, but not for failures', async () => {
    const created = (id: number) => ({ createdAt: noon - id * hour });
    const runs = [
      run(1, { ...created(1), conclusion: 'cancelled' }),
      run(2, { ...created(2), conclusion: 'skipped' }),
      run(3, { ...created(3), conclusion: 'startup_failure' }),
      run(4, { ...created(4), status: 'in_progress', conclusion: null }),
    ];
    expect(await reported(failureRate, runs)).toEqual([100, 1]);
    expect(await reported(slowDuration, runs)).toEqual([10, 3]);
  });

  test('of a window that was not read whole nothing is said but how long a streak is at least', async () => {
    const failing = [1, 2, 3, 4, 5, 6].map((id) => run(id, { createdAt: noon - id * hour, conclusion: 'failure' }));
    const { store, repoId } = await keep(failing);
    const reading = async (metric: AlertMetric) => (await measureNow(metric, at(repoId), store)).incomplete ?? 'known';
    const windowed = alertMetrics.filter((each) => each.dataSource === 'workflow-runs' && each !== failingStreak);
    const begin = noon - day;
    const readings = (reached: number) =>
      readBackTo(store, repoId, reached).then(() => Promise.all(windowed.map(reading)));
    expect(new Set(await readings(begin))).toEqual(new Set(['known']));
    const from = new Date(begin + 1).toISOString();
    expect(new Set(await readings(begin + 1))).toEqual(new Set([`Runs are synced only since ${from}.`]));
    expect(await measureNow(failureRate, at(repoId), store)).toMatchObject({ value: null, sample: 0 });
    expect(await measureNow(failingStreak, at(repoId), store)).toMatchObject({ value: 6, sample: 6 });
    const pass = {
      kind: 'forward' as const,
      from: 0,
      readDownTo: noon - 5 * hour,
      page: 1,
      through: noon,
      afterwards: null,
    };
    const interrupted = { syncedThrough: noon, backfilledTo: noon - 9 * day, deepAt: null, resume: pass };
    await store.cursors.put(repoId, interrupted);
    const cutAt = new Date(noon - 5 * hour).toISOString();
    expect(await reading(failureRate)).toBe(`Runs are synced only since ${cutAt}.`);
  });

  test('a streak that goes back to what was not read is at least so long: it may fire, and ends nothing', async () => {
    const failing = (id: number, ago: number) => run(id, { createdAt: noon - ago, conclusion: 'failure' });
    const { store, repoId } = await keep([1, 2].map((id) => failing(id, id * hour)));
    const older = [3, 4, 5, 6].map((id) => failing(id + 800_000, 4 * day + id * hour));
    await store.runs.ingest(repoId, older, { syncedAt: noon });
    const reported = async () => {
      const { value, sample, incomplete } = await measureNow(failingStreak, at(repoId), store);
      return [value, sample, incomplete !== undefined];
    };
    expect(await reported()).toEqual([6, 6, false]);
    await readBackTo(store, repoId, noon - 30 * day);
    expect(await reported(), 'nothing says that it did not fail before').toEqual([6, 6, true]);
    const pass = {
      kind: 'forward' as const,
      from: 0,
      readDownTo: noon - 3 * hour,
      page: 1,
      through: noon,
      afterwards: null,
    };
    const interrupted = { syncedThrough: noon, backfilledTo: noon - 400 * day, deepAt: null, resume: pass };
    await store.cursors.put(repoId, interrupted);
    expect(await reported(), 'between them runs may have passed').toEqual([2, 2, true]);
    await store.cursors.put(repoId, { ...interrupted, resume: { ...pass, readDownTo: noon - minute } });
    expect(await reported()).toEqual([null, 0, true]);
    const passed = run(7 + 800_000, { createdAt: noon - 90 * minute });
    await store.runs.ingest(repoId, [passed], { syncedAt: noon });
    await store.cursors.put(repoId, interrupted);
    expect(await reported(), 'what passed begins it').toEqual([1, 3, false]);
    const judged = { threshold: 5, minSample: 1, quietHours: 24, lastFiredAt: null };
    const least = { value: 2, sample: 2, incomplete: 'It may be longer.' };
    expect(judge(judged, least, noon)).toEqual({ breaching: false, fires: false, reason: 'no_data' });
    expect(judge({ ...judged, threshold: 2 }, least, noon)).toEqual({ breaching: true, fires: true });
  });

  test('a window with more runs than are judged says so instead of judging the newest', async () => {
    const { store, repoId } = await keep([]);
    const many = Array.from({ length: 20_000 }, (_, id) => run(id + 900_000, { createdAt: noon - (id + 1) * 3600 }));
    await store.runs.ingest(repoId, many, { syncedAt: noon });
    const { incomplete } = await measureNow(failureRate, at(repoId), store);
    expect(incomplete).toMatch(/^Too many runs in the window; only those since 2026-03-09T16:00:00/);
    const shorter = await measureNow(failureRate, at(repoId, noon, 19), store);
    expect(shorter).toMatchObject({ value: 0, sample: 19_000 });
  });

  test('the streak is that of one workflow on the default branch, however long ago its runs were', async () => {
    const failing = (id: number, differing: Partial<WorkflowRun> = {}) =>
      run(id, { conclusion: 'failure', createdAt: noon - id * 5 * day, ...differing });
    const passed = run(15, { createdAt: noon - 16 * 5 * day });
    const own = [failing(1), failing(2, { conclusion: 'cancelled' }), failing(3, { conclusion: 'timed_out' }), passed];
    const others = [
      failing(4, { workflowId: 8 }),
      failing(5, { headBranch: 'topic' }),
      failing(6, { event: 'pull_request' }),
    ];
    const { store, repoId } = await keep([...own, ...others]);
    const watch = await measureNow(failingStreak, at(repoId), store);
    expect(watch).toEqual({ value: 2, sample: 3, details: { workflow_id: 7, workflow: 'build' } });
    const unknown = { ...at(repoId), defaultBranch: null };
    expect(await measureNow(failingStreak, unknown, store)).toEqual({ value: null, sample: 0 });
  });

  test('the streak looks at the newest 100 runs, and at none of a workflow that has rested for 90 days', async () => {
    const fails = Array.from({ length: 120 }, (_, id) =>
      run(id + 1, { conclusion: 'failure', createdAt: noon - (id + 1) * hour }),
    );
    expect(await reported(failingStreak, fails)).toEqual([100, 100]);
    const { store, repoId } = await keep(fails);
    const range = { ...at(repoId), from: noon - 200 * hour, until: noon };
    const { value } = failingStreak.measure(await failingStreak.load(range, store), at(repoId));
    expect(value, 'of all that a range was loaded with').toBe(100);
    const main = fails.slice(0, 2).map((each) => ({ ...each, createdAt: each.createdAt - 10 * day }));
    const beside = fails.map((each, index) => ({
      ...each,
      id: each.id + 200,
      ...(index % 2 === 0 ? { headBranch: 'topic' } : { event: 'pull_request' }),
    }));
    expect(await reported(failingStreak, [...main, ...beside]), 'of the default branch').toEqual([2, 2]);
    const rested = fails.map((each) => ({ ...each, createdAt: each.createdAt - 90 * day }));
    expect(await reported(failingStreak, rested)).toEqual([null, 0]);
  });

  test('a run is unusual beside the twenty before it in its workflow, also before the window', async () => {
    const lasting = (id: number, minutes: number, differing: Partial<WorkflowRun> = {}) => {
      const createdAt = noon - 5 * day + id * 5 * hour;
      return run(id + 100, { createdAt, startedAt: createdAt, updatedAt: createdAt + minutes * minute, ...differing });
    };
    const usual = Array.from({ length: 22 }, (_, index) => lasting(index + 1, 10 + (index % 2)));
    const slow = lasting(23, 20);
    expect(await reported(outlierCount, [...usual, slow])).toEqual([1, 4]);
    expect(await reported(outlierCount, [...usual, { ...slow, workflowId: 8 }])).toEqual([0, 3]);
    const quick = lasting(23, 1);
    expect(await reported(outlierCount, [...usual, quick])).toEqual([1, 4]);
    const queued = lasting(23, 10, {
      startedAt: slow.createdAt + hour,
      updatedAt: slow.createdAt + hour + 10 * minute,
    });
    expect(await reported(outlierCount, [...usual, queued]), 'nothing ever waited before').toEqual([0, 4]);
    const early = Array.from({ length: 10 }, (_, index) => lasting(-index, 60));
    expect(await reported(outlierCount, [...early, ...usual, slow]), 'the runs before those twenty').toEqual([1, 4]);
    const alike = usual.map((each) => ({ ...each, updatedAt: each.createdAt + 10 * minute }));
    expect(await reported(outlierCount, [...alike, slow]), 'no spread to measure by').toEqual([null, 0]);
  });

  test.each(alertMetrics.filter(({ dataSource }) => dataSource === 'workflow-runs'))(
    '$key of nothing is unknown, not zero',
    async (metric) => {
      expect(await reported(metric, [])).toEqual([null, 0]);
    },
  );
});
