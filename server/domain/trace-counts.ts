import { figures } from './quantity.ts';

/** Parts of attempts that wait for a destination of traces are counted up to here, so that no page waits for millions. */
export const waitingAtMost = 10_000;

/** Stored attempts that a backfill could send are counted up to here. */
export const storedAtMost = 100_000;

/** A number that was counted up to a limit: `9,321`, or `10,000 or more`. */
export const countedUpTo = (value: number, limit: number): string =>
  value < limit ? figures(value) : `${figures(value)} or more`;
