/** Where the time comes from. Handed in, so that tests and the demo can choose it. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

export const fixedClock = (instant: number): Clock => ({ now: () => instant });
