import { z } from 'zod';
import type { Instant } from '../metrics/facts.ts';

/** An instant as it is written in answers: RFC 3339, UTC. */
export const instant = z.iso.datetime();

/** When the oldest part of an answer was read, and from where. */
export const provenance = {
  generated_at: instant,
  data_source: z.enum(['live', 'database', 'mixed']),
};

export const iso = (at: Instant): string => new Date(at).toISOString();

export const isoOrNull = (at: Instant | null | undefined): string | null =>
  at === null || at === undefined ? null : iso(at);
