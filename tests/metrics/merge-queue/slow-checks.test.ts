import { expect, test } from 'vitest';
import { randomStream } from '../../../server/metrics/kernel/random-stream.ts';
import { usualMs } from '../../../server/metrics/merge-queue/arrivals.ts';
import type { GroupBuild } from '../../../server/metrics/merge-queue/builds.ts';
import { findTail, followChecks } from '../../../server/metrics/merge-queue/slow-checks.ts';
import { simulateQueue } from './simulated-queue.ts';

/** Read plainly, one build after the other. */
function areChecksSlow(builds: readonly GroupBuild[], now: number): boolean | null {
  const lasted: number[] = [];
  const running: number[] = [];
  for (const { spans, result } of builds)
    for (const { from, to } of spans) {
      const isRunning = to === null || to > now;
      if (isRunning && from <= now) running.push((now - from) / 60_000);
      if (!isRunning && to > now - usualMs && result !== 'void') lasted.push((to - from) / 60_000);
    }
  return lasted.length < 50 ? null : findTail(running, lasted) < 1e-5;
}

test('checks that are followed say at each moment what is read plainly', () => {
  const random = randomStream('slow checks', 1);
  const episodes = [
    { fromHour: 35 * 24 + 9, toHour: 35 * 24 + 15, checks: 4 },
    { fromHour: 37 * 24 + 10, toHour: 37 * 24 + 13, checks: 8 },
  ];
  const { builds } = simulateQueue({ days: 42, perHour: 6, episodes }, random);
  const mixed = builds.map((build) => (random() < 0.3 ? { ...build, result: 'void' as const } : build)).map(outlast);
  /** Every eighth goes on for hours after those behind it have ended, and says nothing then. */
  function outlast(build: GroupBuild, index: number): GroupBuild {
    if (index % 8 > 0) return build;
    return {
      ...build,
      result: 'void',
      spans: build.spans.map(({ from, to }) => ({ from, to: to && to + 5 * 3_600_000 })),
    };
  }
  const ends = mixed.flatMap(({ spans }) => spans.map(({ to }) => to)).filter((to) => to !== null);
  const some = ends.filter((_, index) => index % 9 === 0);
  const during = episodes.flatMap(({ fromHour, toHour }) =>
    Array.from({ length: (toHour - fromHour) * 6 }, (_, index) => (fromHour * 60 + index * 10) * 60_000),
  );
  const moments = [...during, ...some, ...some.map((to) => to + usualMs), ...some.map((to) => to + usualMs - 1)];
  const slow = followChecks(mixed);
  const answers = moments.map((now) => slow(now));
  expect(answers).toEqual(moments.map((now) => areChecksSlow(mixed, now)));
  expect(new Set(answers)).toEqual(new Set([null, false, true]));
});

test('a build counts from the instant at which it ends, for 28 days', () => {
  const { builds } = simulateQueue({ days: 7, perHour: 6, episodes: [] }, randomStream('ends of checks', 1));
  const said = builds.filter(({ result }) => result !== 'void').slice(0, 50);
  // In whole milliseconds: their sums are exact.
  const fifty = said.map((build) => ({
    ...build,
    spans: build.spans.map(({ from, to }) => ({ from, to: to && Math.round(to) })),
  }));
  const ends = fifty.flatMap(({ spans }) => spans.map(({ to }) => to ?? Number.NaN));
  const [first, last] = [Math.min(...ends), Math.max(...ends)];
  const moments = [last - 1, last, first + usualMs - 1, first + usualMs];
  const answers = moments.map(followChecks(fifty));
  expect(answers).toEqual([null, false, false, null]);
  expect(answers).toEqual(moments.map((now) => areChecksSlow(fifty, now)));
});
