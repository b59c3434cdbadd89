import type { Instant } from '../kernel/facts.ts';
import { countUpTo } from '../kernel/sorted-instants.ts';
import { minuteMs } from '../kernel/window.ts';
import { usualMs } from './arrivals.ts';
import type { GroupBuild } from './builds.ts';

/** Of fewer builds nothing is said. */
const minBuilds = 50;
const provenTail = 1e-5;

/**
 * Follows the checks of a queue and answers whether those that run at an instant are slow; null where too few builds of
 * the 28 days before are known.
 */
export function followChecks(builds: readonly GroupBuild[]): (now: Instant) => boolean | null {
  const spans = builds
    .flatMap((build) => build.spans.map(({ from, to }) => ({ from, to: to ?? Number.POSITIVE_INFINITY, build })))
    .sort((a, b) => a.from - b.from);
  const begins = spans.map(({ from }) => from);
  const countLasted = followLasted(spans.filter(({ to, build }) => Number.isFinite(to) && build.result !== 'void'));
  // Of each place the latest end up to there: before it nothing runs any more.
  const latestEnds: Instant[] = [];
  for (const { to } of spans) latestEnds.push(Math.max(latestEnds.at(-1) ?? Number.NEGATIVE_INFINITY, to));
  return (now) => {
    const lasted = countLasted(now);
    if (lasted.length < minBuilds) return null;
    const running: number[] = [];
    for (let place = countUpTo(begins, now) - 1; (latestEnds[place] ?? now) > now; place--) {
      const span = spans[place];
      if (span && span.to > now) running.push((now - span.from) / minuteMs);
    }
    return findTail(running, lasted) < provenTail;
  };
}

/** How many minutes those lasted that ended in the 28 days before an instant. */
function followLasted(spans: readonly { from: Instant; to: Instant }[]): (now: Instant) => Float64Array {
  const byEnd = spans.toSorted((a, b) => a.to - b.to);
  const ends = byEnd.map(({ to }) => to);
  const minutes = Float64Array.from(byEnd, ({ from, to }) => (to - from) / minuteMs);
  return (now) => minutes.subarray(countUpTo(ends, now - usualMs), countUpTo(ends, now));
}

/**
 * How likely builds that run now have run so long by chance: by Fisher's combination of the shares of builds that lasted
 * as long. Only a build's own time counts, not the time that it waits behind others.
 */
export function findTail(running: readonly number[], lasted: ArrayLike<number>): number {
  const sum = running.reduce(
    (total, minutes) => total - Math.log((countFrom(lasted, minutes) + 1) / (lasted.length + 1)),
    0,
  );
  return gammaTail(sum, running.length);
}

function countFrom(values: ArrayLike<number>, least: number): number {
  let count = 0;
  for (let place = 0; place < values.length; place++) if ((values[place] ?? 0) >= least) count++;
  return count;
}

/** How likely a sum of so many exponential variables is at least so large. */
function gammaTail(sum: number, count: number): number {
  let [term, total] = [1, 0];
  for (let index = 0; index < count; index++) {
    total += term;
    term *= sum / (index + 1);
  }
  return count === 0 ? 1 : total * Math.exp(-sum);
}
