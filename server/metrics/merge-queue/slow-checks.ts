import type { Instant } from '../kernel/facts.ts';
import { minuteMs } from '../kernel/window.ts';
import { usualMs } from './arrivals.ts';
import type { GroupBuild } from './builds.ts';

/** Of fewer builds nothing is said. */
const minBuilds = 50;
const provenTail = 1e-5;

/** null where too few builds of the 28 days before are known. */
export function areChecksSlow(builds: readonly GroupBuild[], now: Instant): boolean | null {
  const lasted: number[] = [];
  const running: number[] = [];
  for (const { spans, result } of builds)
    for (const { from, to } of spans) {
      const isRunning = to === null || to > now;
      if (isRunning && from <= now) running.push((now - from) / minuteMs);
      if (!isRunning && to > now - usualMs && result !== 'void') lasted.push((to - from) / minuteMs);
    }
  return lasted.length < minBuilds ? null : findTail(running, lasted) < provenTail;
}

/**
 * How likely builds that run now have run so long by chance: by Fisher's combination of the shares of builds that lasted
 * as long. Only a build's own time counts, not the time that it waits behind others.
 */
export function findTail(running: readonly number[], lasted: readonly number[]): number {
  const sum = running.reduce((total, minutes) => {
    const longer = lasted.filter((one) => one >= minutes).length;
    return total - Math.log((longer + 1) / (lasted.length + 1));
  }, 0);
  return gammaTail(sum, running.length);
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
