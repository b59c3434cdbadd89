/** A stream of numbers in [0, 1) that depends on nothing but its seed. */
export type RandomStream = () => number;

/** Starts a stream. The same parts give the same numbers, on every machine and in every process. */
export function randomStream(...seed: (string | number)[]): RandomStream {
  let state = hashText(seed.join('\n'));
  return () => {
    state = (state + 0x9e3779b9) | 0;
    const once = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    const twice = Math.imul(once ^ (once >>> 15), 0x735a2d97);
    return ((twice ^ (twice >>> 15)) >>> 0) / 2 ** 32;
  };
}

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
  return Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join('');
}

function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash;
}
