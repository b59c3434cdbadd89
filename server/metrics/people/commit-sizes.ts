import type { HabitThresholds, Measured } from './working-habits.ts';

/** Commits that change `from` to `to` lines, both included. */
export interface SizeBucket {
  from: number;
  /** null: any more. */
  to: number | null;
  commits: number;
}

const sizeBounds = [10, 50, 100, 200];

/** How many commits are how large, by lines; the last bucket is of those that are oversized by them. */
export function distributeSizes(measured: readonly Measured[], { linesPerCommit }: HabitThresholds): SizeBucket[] {
  const bounds = [...sizeBounds.filter((bound) => bound < linesPerCommit), linesPerCommit, null];
  return bounds.map((to, index) => {
    const from = index === 0 ? 0 : (bounds[index - 1] ?? 0) + 1;
    return { from, to, commits: measured.filter(({ lines }) => lines >= from && (to === null || lines <= to)).length };
  });
}
