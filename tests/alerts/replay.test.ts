import { expect, test } from 'vitest';
import { failureRate } from '../../server/alerts/ci-metrics.ts';
import { computeQuietHours, judge } from '../../server/alerts/judge.ts';
import { type AlertMetric, type MeasuredScope, measureNow } from '../../server/alerts/metric.ts';
import { alertMetrics } from '../../server/alerts/metrics.ts';
import { backTest, listEvaluationInstants, replay } from '../../server/alerts/replay.ts';
import { createPeople } from '../../server/metrics/people/people.ts';
import type { MeasuredRun } from '../../server/metrics/runs/workflow-runs.ts';
import type { Store } from '../../server/store/orm.ts';
import { day, hour, minute, noon, readBackTo, run, track } from '../store/world.ts';
import { aDatabase } from '../support/a-database.ts';
import { keepPullRequests } from './kept-pull-requests.ts';
import { keepMerged, mergedWorld } from './merged-worlds.ts';
import { nightOfCommits, nightOfPullRequests, nightsUntil, shownAt, stories } from './pull-request-stories.ts';
import { runWorld } from './run-worlds.ts';

const people = createPeople();
const rule = { threshold: 5, minSample: 5, quietHours: 24, lastFiredAt: null };

test('a rule fires from its threshold on, by the value as it is', () => {
  const judged = (value: number | null, sample = 5) => judge(rule, { value, sample }, noon);
  expect(judged(4.6)).toEqual({ breaching: false, fires: false, reason: 'below' });
  expect(judged(4.999_999)).toEqual({ breaching: false, fires: false, reason: 'below' });
  expect(judged(5)).toEqual({ breaching: true, fires: true });
  expect(judged(99, 4)).toEqual({ breaching: false, fires: false, reason: 'no_data' });
  expect(judged(null, 99)).toEqual({ breaching: false, fires: false, reason: 'no_data' });
  const none = { value: 0, sample: 0, isNone: true } as const;
  expect(judge({ ...rule, threshold: 0 }, none, noon)).toEqual({ breaching: false, fires: false, reason: 'below' });
  const always = judge({ ...rule, threshold: 0 }, { value: null, sample: 99 }, noon);
  expect(always).toEqual({ breaching: false, fires: false, reason: 'no_data' });
  expect(judge({ ...rule, threshold: 0 }, { value: 0, sample: 5 }, noon).fires).toBe(true);
});

test('a rule that fired is silent for its window', () => {
  const after = (ms: number) => judge({ ...rule, lastFiredAt: noon }, { value: 9, sample: 9 }, noon + ms);
  expect(after(1)).toEqual({ breaching: true, fires: false, reason: 'cooldown' });
  expect(after(24 * hour - 1)).toEqual({ breaching: true, fires: false, reason: 'cooldown' });
  expect(after(24 * hour)).toEqual({ breaching: true, fires: true });
});

test('of facts that are read every night a rule is silent for up to an hour less, of others for its window', () => {
  expect([24, 48, 12, 1].map((hours) => computeQuietHours(hours, 'pull-requests'))).toEqual([23, 47, 11.5, 1 - 1 / 24]);
  for (const feed of ['workflow-runs', 'merge-queue', 'exposure'] as const)
    expect(computeQuietHours(24, feed)).toBe(24);
});

test('runs are judged when they end, once a minute; nights when they were read', () => {
  const range = { from: noon - 3 * day, until: noon };
  const facts = { knownFrom: noon - 2 * day, endings: [noon - 50 * hour, noon - 90_000, noon - 70_000, noon - 59_000] };
  const ofRuns = listEvaluationInstants({ dataSource: 'workflow-runs' }, facts, range);
  expect(ofRuns).toEqual({ instants: [noon - 70_000, noon - 59_000], thinned: false });
  const nights = (dataSource: 'pull-requests' | 'commits') =>
    listEvaluationInstants({ dataSource }, facts, range).instants.map((instant) =>
      new Date(instant).toISOString().slice(5, 16),
    );
  expect(nights('pull-requests')).toEqual(['03-09T04:17', '03-10T04:17']);
  expect(nights('commits')).toEqual(['03-09T04:47', '03-10T04:47']);
});

test('more than 2,000 moments are thinned evenly, and that is reported', () => {
  const endings = Array.from({ length: 5000 }, (_, index) => noon - (5000 - index) * 10 * minute);
  const range = { from: noon - 90 * day, until: noon };
  const { instants, thinned } = listEvaluationInstants(
    { dataSource: 'workflow-runs' },
    { knownFrom: 0, endings },
    range,
  );
  expect([instants.length, new Set(instants).size, thinned]).toEqual([2000, 2000, true]);
  expect([instants[0], instants.at(-1)]).toEqual([endings[0], endings.at(-1)]);
  const steps = instants.slice(1).map((instant, index) => instant - (instants[index] as number));
  expect([Math.min(...steps), Math.max(...steps)]).toEqual([20 * minute, 30 * minute]);
});

/** Judges a metric in the course of things, and then plays the same moments again. */
function observer(metric: AlertMetric, { threshold, windowHours }: { threshold: number; windowHours: number }) {
  const [fired, values]: [number[], (number | null)[]] = [[], []];
  return {
    async look(watched: MeasuredScope, now: number, store: Store) {
      const watch = await measureNow(metric, { ...watched, now, windowHours }, store);
      const quietHours = computeQuietHours(windowHours, metric.dataSource);
      const judged = { threshold, quietHours, minSample: metric.minSample, lastFiredAt: fired.at(-1) ?? null };
      if (judge(judged, watch, now).fires) fired.push(now);
      values.push(watch.value);
    },
    async expectReplayed(watched: MeasuredScope, moments: number[], store: Store) {
      const range = { from: moments[0] as number, until: moments.at(-1) as number, windowHours };
      const facts = await metric.load({ ...watched, ...range }, store);
      const again = replay({ threshold, windowHours, minSample: null }, metric, facts, moments);
      expect([metric.key, again.values.map(({ value }) => value)]).toEqual([metric.key, values]);
      expect([metric.key, again.fired]).toEqual([metric.key, fired]);
      expect([metric.key, fired.length > 0, new Set(values).size > 2]).toEqual([metric.key, true, true]);
    },
  };
}

const thresholds: Record<string, number> = {
  failure_rate: 60,
  duration_p95: 11.5,
  queue_wait_p95: 5,
  failure_streak: 2,
  anomaly_count: 1,
  pr_throughput_drop: 20,
  review_response_p90: 60,
  pr_abandon_rate: 30,
  unreviewed_pr_age: 4,
  afterhours_commit_pct: 40,
  oversized_commit_pct: 50,
};
const observersOf = (group: (metric: AlertMetric) => boolean) =>
  alertMetrics.filter(group).map((metric) => {
    const threshold = thresholds[metric.key] as number;
    return observer(metric, { threshold, windowHours: 96 });
  });

/** What the platform reported for a run, and when. */
function observationsOf(attempts: readonly MeasuredRun[]): { at: number; reported: MeasuredRun }[] {
  return attempts
    .flatMap((reported) => {
      const begunAt = reported.attempt === 1 ? reported.createdAt : (reported.startedAt as number);
      const startedAt = reported.attempt === 1 ? null : reported.startedAt;
      const begun = { ...reported, status: 'queued' as const, conclusion: null, startedAt, updatedAt: begunAt };
      return [
        { at: begunAt, reported: begun },
        ...(reported.status === 'completed' ? [{ at: reported.updatedAt, reported }] : []),
      ];
    })
    .sort((a, b) => a.at - b.at);
}

aDatabase((given) => {
  let opened: Promise<Store> | undefined;
  let repositories = 0;
  const begin = async () => {
    opened ??= given.openForAll();
    const store = await opened;
    const codehostId = ++repositories;
    const repoId = await track(store, codehostId);
    return { store, codehostId, repoId, watched: { repoId, defaultBranch: 'main', people } };
  };

  test('played again, runs give what was judged while they ended one by one', async () => {
    const { store, repoId, watched } = await begin();
    await readBackTo(store, repoId, noon - 400 * day);
    const observers = observersOf(({ dataSource }) => dataSource === 'workflow-runs');
    const observations = observationsOf(runWorld(42, { most: 45 }).attempts);
    const moments: number[] = [];
    for (const { at, reported } of observations) {
      await store.runs.ingest(repoId, [reported], { syncedAt: at });
      if (reported.status !== 'completed') continue;
      moments.push(at);
      for (const { look } of observers) await look(watched, at, store);
    }
    expect(moments.length).toBeGreaterThan(20);
    for (const { expectReplayed } of observers) await expectReplayed(watched, moments, store);
  });

  test('played again, pull requests give what was judged night by night', async () => {
    const { store, codehostId, repoId, watched } = await begin();
    const observers = observersOf(({ dataSource }) => dataSource === 'pull-requests');
    const all = stories(7, noon);
    const moments = nightsUntil(noon, 22, nightOfPullRequests);
    for (const asOf of moments) {
      await keepPullRequests(store, { repoId, codehostId, asOf, floor: noon - 90 * day }, shownAt(all, asOf));
      for (const { look } of observers) await look(watched, asOf, store);
    }
    for (const { expectReplayed } of observers) await expectReplayed(watched, moments, store);
  });

  test('played again, commits give what was judged night by night', async () => {
    const { store, codehostId, repoId, watched } = await begin();
    const observers = observersOf(({ dataSource }) => dataSource === 'commits');
    const world = mergedWorld(3, 40);
    const moments = nightsUntil(noon, 18, nightOfCommits);
    for (const [index, asOf] of moments.entries()) {
      await keepMerged(store, { repoId, codehostId, asOf, after: moments[index - 1] ?? 0 }, world);
      for (const { look } of observers) await look(watched, asOf, store);
    }
    for (const { expectReplayed } of observers) await expectReplayed(watched, moments, store);
  });

  test('a rule is tried on the last 90 days, as far as they are stored', async () => {
    const { store, repoId, watched } = await begin();
    const request = { metric: failureRate.key, threshold: 100, windowHours: 24, minSample: null };
    const nothing = { last30: 0, last90: 0, fired: [], series: [], evaluated: 0, coveredFrom: noon, thinned: false };
    const incomplete = 'Runs of this window have not been synced yet.';
    expect(await backTest(request, watched, noon, store)).toEqual({ ...nothing, incomplete });
    // Eight failures in an hour and a half, once every ten days.
    const bursts = [5, 15, 25, 35, 45, 55, 65, 75].flatMap((days) =>
      [0, 1, 2, 3, 4, 5, 6, 7].map((n) => days * day - n * 10 * minute),
    );
    const runs = bursts.map((ago, id) => run(id + 10_001, { createdAt: noon - ago, conclusion: 'failure' }));
    await store.runs.ingest(repoId, runs, { syncedAt: noon });
    const fifth = (days: number) => noon - days * day + 40 * minute + 11 * minute;
    const tried = await backTest(request, watched, noon, store);
    expect(tried).toMatchObject({ last30: 3, last90: 8 - 1, evaluated: 56, thinned: false });
    expect(tried.coveredFrom, 'no synchronization knows how far back runs are known').toBe(noon - 75 * day + day);
    expect(tried.fired).toEqual([5, 15, 25, 35, 45, 55, 65].map(fifth));
    expect(tried.series.filter(({ fires }) => fires).map(({ at }) => at)).toEqual(tried.fired.toReversed());
    // In the first four of each burst nothing is known yet: the sample is too small.
    const burst = tried.series.slice(0, 8).map(({ value, sample }) => [value, sample]);
    expect(burst).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((sample) => [sample < 5 ? null : 100, sample]));
    await readBackTo(store, repoId, noon - 400 * day);
    const complete = { last30: 3, last90: 8, evaluated: 64, coveredFrom: noon - 90 * day };
    expect(await backTest(request, watched, noon, store)).toMatchObject(complete);
    const silent = { ...request, windowHours: 90 * 24 };
    expect(await backTest(silent, watched, noon, store), 'silent for all that time').toMatchObject({ last90: 1 });
    await readBackTo(store, repoId, noon - 30 * day);
    const partly = { last30: 3, last90: 3, evaluated: 24, coveredFrom: noon - 29 * day };
    expect(await backTest(request, watched, noon, store)).toMatchObject(partly);
    const pass = { kind: 'forward' as const, from: noon - 90 * day, readDownTo: noon - 10 * day, page: 1 };
    const resume = { ...pass, through: noon, afterwards: null };
    const backfilledTo = noon - 400 * day;
    await store.cursors.put(repoId, { syncedThrough: noon, backfilledTo, deepAt: null, resume });
    const interrupted = { last90: 1, coveredFrom: noon - 9 * day };
    expect(await backTest(request, watched, noon, store)).toMatchObject(interrupted);
    await readBackTo(store, repoId, noon - 30 * day);
    expect(await backTest({ ...request, minSample: 9 }, watched, noon, store)).toMatchObject({
      last90: 0,
      evaluated: 24,
    });
  });

  test('what is not stored any more is not claimed', async () => {
    const store = await given.open();
    const repoId = await track(store);
    await readBackTo(store, repoId, noon - 400 * day);
    expect(await store.runs.knownFrom(repoId)).toBe(noon - 400 * day);
    await store.purge(noon, { runDays: 40, mayContinue: () => true });
    const known = (await store.runs.knownFrom(repoId)) as number;
    expect([known > noon - 41 * day, known <= noon - 40 * day]).toEqual([true, true]);
    expect(await store.runs.knownFrom(repoId + 1), 'never synchronized').toBeNull();
  });

  test('what was not read is reported, and a metric that nobody can watch is rejected', async () => {
    const { store, watched } = await begin();
    const request = { metric: 'unreviewed_pr_age', threshold: 3, windowHours: 24, minSample: null };
    const unknown = { last90: 0, evaluated: 0, coveredFrom: noon, incomplete: expect.any(String) };
    expect(await backTest(request, watched, noon, store)).toMatchObject(unknown);
    const digest = { ...request, metric: 'leadership_digest' };
    await expect(backTest(digest, watched, noon, store)).rejects.toThrow(RangeError);
  });
});
