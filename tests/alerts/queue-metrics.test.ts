import { describe, expect, test } from 'vitest';
import type { QueueAlertFacts } from '../../server/alerts/queue-facts.ts';
import { queueEjections, queueGrowth, queueLength, slowQueue } from '../../server/alerts/queue-metrics.ts';
import { getMetricPath } from '../../server/alerts/rules.ts';
import type { PullRequest } from '../../server/metrics/kernel/delivery-facts.ts';
import { randomStream } from '../../server/metrics/kernel/random-stream.ts';
import { followArrivals } from '../../server/metrics/merge-queue/arrivals.ts';
import type { Stay } from '../../server/metrics/merge-queue/history.ts';
import { followChecks } from '../../server/metrics/merge-queue/slow-checks.ts';
import { createPeople } from '../../server/metrics/people/people.ts';
import { createCalendar } from '../../server/metrics/people/workday-hours.ts';
import { simulateQueue } from '../metrics/merge-queue/simulated-queue.ts';
import { rounds } from '../support/rounds.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** A Monday at midnight. */
const begin = Date.UTC(2026, 8, 28);

function factsOf({ stays, builds }: ReturnType<typeof simulateQueue>, until: number): QueueAlertFacts {
  return {
    history: { branch: 'main', stays, builds, batches: [], merged: [], now: until },
    pullRequests: {
      pullRequests: [],
      people: createPeople(),
      ended: { from: 0, through: until },
      open: { asOf: until, complete: true },
      knownFrom: 0,
      endings: [],
    },
    hasNotices: true,
    seenAt: null,
    moment: followArrivals(stays, { from: begin, to: until }, createCalendar('UTC')),
    areChecksSlow: followChecks(builds),
    knownFrom: 0,
    endings: [],
  };
}

/** A stay of so many minutes that ended, or goes on, so long before a moment. */
const stay = (now: number, minutes: number, endedBefore: number | null): Stay => {
  const leftAt = endedBefore === null ? null : now - endedBefore * minute;
  const [one] = simulateQueue({ days: 1, perHour: 60, episodes: [] }, randomStream('one', 1)).stays;
  if (!one) throw new Error('Nothing entered the queue.');
  const ended =
    leftAt === null
      ? { outcome: 'open' as const, group: null }
      : { outcome: 'merged' as const, group: 'merged' as const };
  return { ...one, ...ended, enteredAt: (leftAt ?? now) - minutes * minute, leftAt };
};

describe('the time in the queue', () => {
  test('counts what is still in it with its time so far', () => {
    const now = begin + 30 * day;
    const left = [5, 7, 9, 11, 13, 15, 18, 20].map((minutes) => stay(now, minutes, 10));
    const open = [70, 70, 70, 70].map((minutes) => stay(now, minutes, null));
    const facts = factsOf({ stays: [...left, ...open], builds: [] }, now);
    expect(slowQueue.measure(facts, { now, windowHours: 1 })).toEqual({ value: 70, sample: 12 });
    expect(queueLength.measure(facts, { now, windowHours: 1 })).toEqual({ value: 4, sample: 1 });
    expect(queueEjections.measure(facts, { now, windowHours: 1 })).toEqual({ value: 0, sample: 8 });
  });

  test('is unknown where the present is not told, and none where there is no queue', () => {
    const now = begin + 30 * day;
    const facts = factsOf({ stays: [stay(now, 5, 10)], builds: [] }, now);
    const silent = { ...facts, hasNotices: false };
    expect(slowQueue.measure(silent, { now: now + hour, windowHours: 1 })).toMatchObject({ value: null });
    for (const open of [null, { asOf: now - 3 * day, complete: true }, { asOf: now, complete: false }]) {
      const unread = { ...facts, pullRequests: { ...facts.pullRequests, open } };
      for (const { measure } of [slowQueue, queueEjections, queueLength, queueGrowth])
        expect(measure(unread, { now, windowHours: 1 })).toMatchObject({
          value: null,
          incomplete: expect.stringMatching(/open pull requests/i),
        });
    }
    expect(slowQueue.measure({ ...facts, history: null }, { now, windowHours: 1 })).toMatchObject({ isNone: true });
  });

  test('leads to the page of the queue', () => {
    expect(getMetricPath('merge_queue_length', 'octo/web')).toBe('/repos/octo/web/merge-queue');
  });
});

describe('the growth of a queue that is new or partly unread', () => {
  const days = 29;
  const now = begin + days * day;
  const simulated = simulateQueue({ days, perHour: 15, episodes: [] }, randomStream('new', 1), begin);
  const growth = (facts: QueueAlertFacts) => queueGrowth.measure(facts, { now, windowHours: 1 });

  test('is unknown until the queue is known for 28 days', () => {
    expect(growth(factsOf(simulated, now)).value).not.toBeNull();
    const recent = {
      stays: simulated.stays.filter(({ enteredAt }) => (enteredAt ?? 0) > now - 20 * day),
      builds: simulated.builds.filter(({ createdAt }) => createdAt > now - 20 * day),
    };
    expect(growth({ ...factsOf(recent, now), moment: factsOf(simulated, now).moment })).toEqual({
      value: null,
      sample: 0,
      incomplete: 'The merge queue is known for fewer than 28 days.',
    });
  });

  test('is unknown where pull requests were read before queues were', () => {
    const facts = factsOf(simulated, now);
    const withUnread = (mergedAt: number) => ({
      ...facts,
      pullRequests: {
        ...facts.pullRequests,
        pullRequests: [{ mergedAt, closedAt: mergedAt, mergeQueue: null } as PullRequest],
      },
    });
    for (const { measure } of [slowQueue, queueEjections, queueGrowth])
      expect(measure(withUnread(now - 30 * minute), { now, windowHours: 1 })).toMatchObject({
        value: null,
        incomplete: expect.stringContaining('were read before merge queues were'),
      });
    expect(growth(withUnread(now - 40 * day)).value).not.toBeNull();
  });
});

/** Minutes from the begin of a ramp to the first alarm within two hours; null without one. */
function findDelay(facts: QueueAlertFacts, from: number): number | null {
  for (let now = from; now <= from + 2 * hour; now += 5 * minute)
    if ((queueGrowth.measure(facts, { now, windowHours: 1 }).value ?? 0) > 0) return (now - from) / minute;
  return null;
}

describe('the growth of the queue', () => {
  const rampHour = 24 * 36 + 10;
  const days = 37;
  const ramps = [
    { name: 'stalled checks', checks: 10_000 },
    { name: 'three times the arrivals', arrivals: 3 },
    { name: 'four times the arrivals', arrivals: 4 },
    { name: 'checks that take four times as long', checks: 4 },
  ];

  test.each(ramps)('is told of within an hour where the queue is busy: $name', ({ name: _, ...ramp }) => {
    const count = rounds('QUEUE_RAMPS', 12, 100);
    let told = 0;
    for (let world = 0; world < count; world++) {
      const episodes = [{ fromHour: rampHour, toHour: 24 * days, ...ramp }];
      const simulated = simulateQueue({ days, perHour: 15, episodes }, randomStream('ramp', world), begin);
      const delay = findDelay(factsOf(simulated, begin + days * day), begin + rampHour * hour);
      if (delay !== null && delay <= 60) told++;
    }
    expect(told / count).toBeGreaterThanOrEqual(0.8);
  });

  test.each([2, 6, 15])('is not told of in quiet weeks of %i entries an hour', (perHour) => {
    const count = rounds('QUEUE_FLATS', 1, 100);
    let alarmed = 0;
    for (let world = 0; world < count; world++) {
      const simulated = simulateQueue({ days: 42, perHour, episodes: [] }, randomStream('flat', world), begin);
      const facts = factsOf(simulated, begin + 42 * day);
      let isAlarmed = false;
      for (let now = begin + 28 * day; now < begin + 42 * day && !isAlarmed; now += 5 * minute)
        isAlarmed = (queueGrowth.measure(facts, { now, windowHours: 1 }).value ?? 0) > 0;
      if (isAlarmed) alarmed++;
    }
    expect(alarmed / count).toBeLessThanOrEqual(0.02);
  });

  test('is unknown of fewer than 50 builds', () => {
    const simulated = simulateQueue({ days: 30, perHour: 15, episodes: [] }, randomStream('builds', 1), begin);
    const facts = factsOf({ ...simulated, builds: simulated.builds.slice(-49) }, begin + 30 * day);
    expect(queueGrowth.measure(facts, { now: begin + 30 * day, windowHours: 1 })).toMatchObject({ value: null });
  });
});
