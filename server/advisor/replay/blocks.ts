import type { RandomStream } from '../../metrics/kernel/random-stream.ts';

/** Consecutive days, by their places: from `start` on, up to before `end`, the first day following the last. */
export interface Block {
  start: number;
  end: number;
}

/** Draws blocks of consecutive days that come to `size` days. */
export function drawBlocks(days: number, { size, length }: { size: number; length: number }, random: RandomStream) {
  const blocks: Block[] = [];
  for (let drawn = 0; drawn < size; drawn += length) {
    const start = Math.floor(random() * days);
    blocks.push({ start, end: start + Math.min(length, size - drawn) });
  }
  return blocks;
}

/** The sum of the values before each place, twice around, and of all at the end. */
export function runningSums(values: readonly number[]): Float64Array {
  const sums = new Float64Array(2 * values.length + 1);
  for (const [index, value] of [...values, ...values].entries()) sums[index + 1] = (sums[index] ?? 0) + value;
  return sums;
}

export const sumOfBlocks = (sums: Float64Array, blocks: readonly Block[]): number =>
  blocks.reduce((sum, { start, end }) => sum + (sums[end] ?? 0) - (sums[start] ?? 0), 0);
