import { expect, test } from 'vitest';
import { type AlertMetric, measureNow } from '../../server/alerts/metric.ts';
import { alertMetrics } from '../../server/alerts/metrics.ts';
import { abandonedShare, oldestUnreviewed, slowReview, throughputDrop } from '../../server/alerts/people-metrics.ts';
import type { PullRequest } from '../../server/metrics/kernel/delivery-facts.ts';
import { createPeople } from '../../server/metrics/people/people.ts';
import type { Store } from '../../server/store/orm.ts';
import { anActor, aPullRequest, aReview } from '../metrics/delivery-builders.ts';
import { deliveryWorld } from '../metrics/delivery-worlds.ts';
import { putMerged } from '../store/merged-pull-requests.ts';
import { day, hour, noon, track } from '../store/world.ts';
import { aDatabase } from '../support/a-database.ts';
import { keepPullRequests } from './kept-pull-requests.ts';
import { naivePullRequests } from './naive-pull-requests.ts';

const ofPullRequests = alertMetrics.filter(({ dataSource }) => dataSource === 'pull-requests');
const people = createPeople();

/** As it is read where its newest events alone, or not even these, or no reviews or only those of bots could be read. */
function cutOff(pullRequest: PullRequest, way: number): PullRequest {
  const newest = (pullRequest.clock ?? []).toSorted((a, b) => a.at - b.at).slice(-1 - (way % 2));
  if (way % 7 === 0) return { ...pullRequest, reviews: null };
  const ofBots = (pullRequest.reviews ?? []).filter(({ reviewer }) => people.isBot(reviewer));
  if (way % 7 === 3) return { ...pullRequest, reviews: ofBots, reviewsTruncated: true };
  if (!newest[0]) return { ...pullRequest, clock: null };
  return { ...pullRequest, clock: [{ kind: 'earlier_unread', at: newest[0].at, login: null }, ...newest] };
}

aDatabase((given) => {
  let opened: Promise<Store> | undefined;
  let repositories = 0;
  const keep = async (pullRequests: readonly PullRequest[], now = noon, differing: { floor?: number } = {}) => {
    opened ??= given.openForAll();
    const store = await opened;
    const codehostId = ++repositories;
    const repoId = await track(store, codehostId);
    await keepPullRequests(
      store,
      { repoId, codehostId, asOf: now, floor: now - 400 * day, ...differing },
      pullRequests,
    );
    return { store, repoId, codehostId };
  };
  const at = (repoId: number, windowHours = 24, now = noon) => ({
    repoId,
    defaultBranch: 'main',
    people,
    now,
    windowHours,
  });
  const reported = async (metric: AlertMetric, pullRequests: readonly PullRequest[], windowHours = 24) => {
    const { store, repoId } = await keep(pullRequests);
    const { value, sample } = await measureNow(metric, at(repoId, windowHours), store);
    return [value, sample];
  };

  test('every metric of pull requests is what a second reading of the raw facts says, at any moment of random worlds', async () => {
    expect(ofPullRequests.map(({ key }) => key).sort()).toEqual(Object.keys(naivePullRequests).sort());
    const seen = new Map<string, Set<number | null>>();
    for (let seed = 1; seed <= 12; seed++) {
      const world = deliveryWorld(seed);
      const who = createPeople(world.links, ['own-ci']);
      const whole = { reviewsTruncated: false };
      const pullRequests = [...world.pullRequests, ...world.openPullRequests].map((each) => ({ ...each, ...whole }));
      const { store, repoId } = await keep(pullRequests, world.now);
      const range = { repoId, defaultBranch: 'main', people: who, from: world.now - 60 * day, until: world.now };
      for (const metric of ofPullRequests)
        for (const windowHours of [72, 400]) {
          const facts = await metric.load({ ...range, windowHours }, store);
          for (const now of [0, 1.3, 4.9, 17, 33.3, 60].map((days) => world.now - Math.round(days * day))) {
            const where = `${metric.key} of world ${seed} at ${now} over ${windowHours} h`;
            const watch = metric.measure(facts, { now, windowHours });
            const expected = naivePullRequests[metric.key]?.({ pullRequests, people: who, now, windowHours });
            expect([where, watch.incomplete, watch.sample]).toEqual([where, undefined, expected?.sample]);
            expect([where, watch.value === null]).toEqual([where, expected?.value === null]);
            if (watch.value !== null) expect(watch.value, where).toBeCloseTo(expected?.value ?? Number.NaN, 6);
            seen.set(metric.key, (seen.get(metric.key) ?? new Set()).add(watch.value));
          }
        }
    }
    for (const [key, values] of seen) expect([key, values.size > 5]).toEqual([key, true]);
  });

  test('a drop is reported over a week at least, and a rise is none', async () => {
    const merged = (number: number, days: number) => aPullRequest({ number, createdAt: noon - days * day - 2 * hour });
    const earlier = [8, 9, 10, 13].map((days) => merged(days, days));
    expect(await reported(throughputDrop, [...earlier, merged(1, 6)])).toEqual([75, 4]);
    expect(await reported(throughputDrop, [...earlier, ...[1, 2, 3, 4, 5].map((days) => merged(days, days))])).toEqual([
      0, 4,
    ]);
    expect(await reported(throughputDrop, [merged(1, 1)])).toEqual([null, 0]);
  });

  test('a wait ends with the first look of a person, and goes on where nobody looked', async () => {
    const created = noon - 10 * hour;
    const looked = (number: number, hours: number, login = 'bo') =>
      aPullRequest({
        number,
        createdAt: created,
        mergedAt: created + 5 * hour,
        reviews: [aReview(login, 'commented', created + hours * hour)],
      });
    const waits = aPullRequest({ number: 9, createdAt: created, mergedAt: null, reviews: [] });
    expect(await reported(slowReview, [looked(1, 1), looked(2, 2), looked(3, 3)])).toEqual([2.8, 3]);
    expect(await reported(slowReview, [waits])).toEqual([10, 1]);
    expect(await reported(slowReview, [{ ...waits, isDraft: true }])).toEqual([null, 0]);
    expect(
      await reported(slowReview, [looked(1, 1, 'ana'), looked(2, 1, 'renovate[bot]')]),
      'no person looked',
    ).toEqual([null, 0]);
    const clock = [{ kind: 'ready_for_review' as const, at: noon - 4 * hour, login: null }];
    expect(await reported(slowReview, [{ ...waits, clock }]), 'as a draft nobody waited').toEqual([4, 1]);
  });

  test('the oldest without a review is reported in whole and parts of days, and a known none as 0 that never fires', async () => {
    const open = (number: number, hours: number, differing: Partial<PullRequest> = {}) =>
      aPullRequest({ number, createdAt: noon - hours * hour, mergedAt: null, ...differing });
    const review = aReview('bo', 'commented', noon - hour);
    const others = [
      open(2, 90, { isDraft: true }),
      open(3, 80, { author: anActor('dependabot[bot]') }),
      open(4, 70, { reviews: [review] }),
    ];
    const { store, repoId } = await keep([...others, open(1, 60), open(5, 24)]);
    const watch = await measureNow(oldestUnreviewed, at(repoId), store);
    expect(watch).toEqual({ value: 2.5, sample: 2, details: { pull_request: 1 } });
    expect(await reported(oldestUnreviewed, others)).toEqual([0, 0]);
    expect(0).toBeLessThan(oldestUnreviewed.minSample);
  });

  test('one of which was not read since when it waits is not said to wait for nobody', async () => {
    const cut = (number: number, hours: number, readHours: number): PullRequest => {
      const at = noon - readHours * hour;
      const clock = (['earlier_unread', 'pushed'] as const).map((kind) => ({ kind, at, login: null }));
      return aPullRequest({ number, createdAt: noon - hours * hour, mergedAt: null, clock });
    };
    const noTime = { clock: [{ kind: 'earlier_unread' as const, at: Number.MAX_SAFE_INTEGER, login: null }] };
    const unread = (number: number, hours: number, differing: Partial<PullRequest> = noTime) =>
      aPullRequest({ number, createdAt: noon - hours * hour, mergedAt: null, ...differing });
    const measured = async (metric: AlertMetric, ...pullRequests: PullRequest[]) => {
      const { store, repoId } = await keep(pullRequests);
      return measureNow(metric, at(repoId), store);
    };
    const incomplete = expect.any(String);
    const open = (number: number, hours: number) => unread(number, hours, {});
    for (const metric of [oldestUnreviewed, slowReview])
      for (const differing of [noTime, { clock: null }, { reviews: null }])
        expect(await measured(metric, unread(1, 20, differing))).toEqual({ value: null, sample: 0, incomplete });
    const oldest = { value: 0.5, sample: 1, details: { pull_request: 2 } };
    expect(await measured(oldestUnreviewed, unread(1, 20), open(2, 12))).toEqual({ ...oldest, incomplete });
    expect(await measured(oldestUnreviewed, unread(1, 10), open(2, 12)), 'it cannot wait longer').toEqual(oldest);
    expect(await measured(oldestUnreviewed, cut(2, 20, 12))).toEqual({ ...oldest, incomplete });
    expect(await measured(slowReview, cut(2, 20, 12))).toEqual({ ...oldest, value: 12, incomplete });
    expect(await measured(slowReview, unread(1, 20), open(2, 12))).toMatchObject({ sample: 1, incomplete });
    expect(await measured(slowReview, cut(1, 50, 30), open(2, 12)), 'ready before the window').toEqual({
      ...oldest,
      value: 12,
    });
  });

  test('where waits were not read, the value is no higher than it is, and otherwise the same', () => {
    const seen = { known: 0, least: 0, unknown: 0 };
    for (let seed = 1; seed <= 40; seed++) {
      const { now, ...world } = deliveryWorld(seed);
      const who = createPeople(world.links, ['own-ci']);
      const whole = [...world.pullRequests, ...world.openPullRequests];
      const read = whole.map((each, index) => (index % 5 === seed % 5 ? cutOff(each, index) : each));
      const states = {
        ended: { from: 0, through: now },
        open: { asOf: now, complete: true },
        knownFrom: 0,
        endings: [],
      };
      for (const metric of [oldestUnreviewed, slowReview])
        for (const windowHours of [72, 400, 2000]) {
          const request = { people: who, now, windowHours };
          const expected = naivePullRequests[metric.key]?.({ ...request, pullRequests: whole });
          const { value, sample, incomplete } = metric.measure({ pullRequests: read, people: who, ...states }, request);
          const where = `${metric.key} of world ${seed} over ${windowHours} h`;
          seen[incomplete === undefined ? 'known' : value === null ? 'unknown' : 'least']++;
          if (value !== null) expect(value, where).toBeLessThanOrEqual((expected?.value ?? -1) + 1e-9);
          if (incomplete === undefined) expect(value ?? -1, where).toBeCloseTo(expected?.value ?? -1, 6);
          expect(sample, where).toBeLessThanOrEqual(expected?.sample ?? -1);
        }
    }
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
  });

  test('one that ended since the open ones were read is not open any more', async () => {
    const { store, repoId, codehostId } = await keep([aPullRequest({ createdAt: noon - day, mergedAt: null })]);
    const later = at(repoId, 24, noon + 2 * hour);
    expect(await measureNow(oldestUnreviewed, later, store)).toMatchObject({ sample: 1 });
    await putMerged(store, codehostId, { number: 1, createdAt: noon - day, mergedAt: noon + hour });
    expect(await measureNow(oldestUnreviewed, later, store)).toEqual({ value: 0, sample: 0, isNone: true });
  });

  test.each(ofPullRequests)(
    '$key is unknown until the pull requests were read, and when that was long ago',
    async (metric) => {
      opened ??= given.openForAll();
      const store = await opened;
      const codehostId = ++repositories;
      const repoId = await track(store, codehostId);
      const unknown = { value: null, sample: 0, incomplete: expect.any(String) };
      expect(await measureNow(metric, at(repoId), store)).toEqual(unknown);
      await keepPullRequests(store, { repoId, codehostId, asOf: noon, floor: noon - 15 * day }, []);
      expect(await measureNow(metric, at(repoId), store)).not.toHaveProperty('incomplete');
      expect(await measureNow(metric, at(repoId, 24, noon + 37 * hour), store)).toEqual(unknown);
      if (metric !== oldestUnreviewed) {
        const incomplete = expect.stringContaining('synced only since');
        expect(await measureNow(metric, at(repoId, 16 * 24), store)).toEqual({ ...unknown, incomplete });
      }
    },
  );

  test.each([slowReview, oldestUnreviewed])('$key is unknown where more are open than are read', async (metric) => {
    const { store, repoId, codehostId } = await keep([]);
    const reading = { repoId, codehostId, asOf: noon + 1, floor: noon - 400 * day };
    await keepPullRequests(store, reading, [], { partial: true });
    expect(await measureNow(metric, at(repoId), store)).toMatchObject({ value: null, incomplete: expect.any(String) });
    expect(await measureNow(abandonedShare, at(repoId), store)).toEqual({ value: null, sample: 0 });
  });
});
