/** Where the time comes from. Handed in, so that tests and the demo can choose it. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

export const fixedClock = (instant: number): Clock => ({ now: () => instant });

/** Full milliseconds since it was made. A clock that is set back meanwhile does not hold it up. */
export function stopwatch(clock: Clock): () => number {
  const [startedAt, begun] = [clock.now(), performance.now()];
  return () => Math.round(Math.max(clock.now() - startedAt, performance.now() - begun));
}
