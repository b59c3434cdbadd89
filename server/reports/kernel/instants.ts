import { z } from 'zod';
import type { Instant } from '../../metrics/kernel/facts.ts';

/** An instant: epoch milliseconds in the program, RFC 3339 in UTC in answers. */
export const instant = z
  .number()
  .transform((at) => iso(at))
  .pipe(z.iso.datetime());

/** When the oldest part of an answer was read, and from where. */
export const provenance = {
  generated_at: instant,
  data_source: z.enum(['live', 'database', 'mixed']),
};

export const iso = (at: Instant): string => new Date(at).toISOString();

export const isoOrNull = (at: Instant | null | undefined): string | null =>
  at === null || at === undefined ? null : iso(at);
