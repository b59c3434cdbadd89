import { z } from 'zod';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { dayMs } from '../../metrics/kernel/window.ts';

/** A day that no month has is one of the next for JavaScript. */
function isInstant(text: string): boolean {
  const day = text.slice(0, 10);
  const start = Date.parse(day);
  return Number.isFinite(Date.parse(text)) && new Date(start).toISOString().startsWith(day);
}

/** A day in UTC, or an instant. */
export const moment = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/, {
    error: 'is neither a day nor an instant',
    abort: true,
  })
  .refine(isInstant, 'is neither a day nor an instant')
  .optional();

/** When a span that is given so begins. */
export const toStart = (text: string | undefined): Instant | null => (text === undefined ? null : Date.parse(text));

/** When it ends: a day with its last millisecond. */
export const toEnd = (text: string | undefined): Instant | null =>
  text === undefined ? null : Date.parse(text) + (text.includes('T') ? 0 : dayMs - 1);
