import { z } from 'zod';
import type { Domain } from '../../api/wire.ts';
import type { Verdict } from '../../domain/verdict.ts';
import { minItems } from '../../metrics/kernel/comparison.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { dayMs, type Window } from '../../metrics/kernel/window.ts';
import { verdict } from './verdict.ts';

const change = z
  .object({
    value: z.number(),
    sample: z.int(),
    value_before: z.number(),
    sample_before: z.int(),
    verdict,
  })
  .nullable();

/** A figure of the last 30 days and the previous 30. */
export const recentChange = change.meta({
  description: `Of 30 days and the previous 30; null with fewer than ${minItems} in either, and where not all of both was read.`,
});

interface Figure {
  value: number | null;
  sample: number;
}

/** How a figure changed up to an instant; null where either period has too few. */
export function findRecentChange<Found extends Figure>(
  to: Instant,
  measure: (window: Window) => Found,
  judge: (before: Found, now: Found) => Verdict,
): Domain<typeof recentChange> {
  const middle = to - 30 * dayMs;
  const [before, now] = [measure({ from: middle - 30 * dayMs, to: middle - 1 }), measure({ from: middle, to })];
  if (now.value === null || before.value === null || Math.min(now.sample, before.sample) < minItems) return null;
  return {
    value: now.value,
    sample: now.sample,
    valueBefore: before.value,
    sampleBefore: before.sample,
    verdict: judge(before, now),
  };
}
