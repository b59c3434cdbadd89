import type { Clock } from '../server/platform/clock.ts';

/** Whole milliseconds since it was made. A clock that is set back meanwhile does not hold it up. */
export function stopwatch(clock: Clock): () => number {
  const [startedAt, begun] = [clock.now(), performance.now()];
  return () => Math.round(Math.max(clock.now() - startedAt, performance.now() - begun));
}
