import { type RandomStream, randomStream } from '../metrics/kernel/random-stream.ts';

/** An integer from `low` to `high`, both included. */
export const between = (random: RandomStream, low: number, high: number) =>
  low + Math.floor(random() * (high - low + 1));

/** One of a list that is not empty. */
export const pickOne = <T>(random: RandomStream, list: readonly T[]): T =>
  list[between(random, 0, list.length - 1)] as T;

/** A factor around 1 with a long tail upwards, as durations have it. Spread 0.1 is calm, 0.4 is wild. */
export function around(random: RandomStream, spread: number): number {
  // The sum of four uniform numbers is close enough to a bell.
  const bell = random() + random() + random() + random() - 2;
  return Math.exp(bell * 1.7 * spread);
}

/** Hexadecimal digits that follow from a text. */
export function hexDigits(text: string, length: number): string {
  const random = randomStream('hex', text);
  let digits = '';
  while (digits.length < length) digits += '0123456789abcdef'.charAt(Math.floor(random() * 16));
  return digits;
}
