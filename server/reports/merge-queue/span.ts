import type { Instant } from '../../metrics/kernel/facts.ts';
import { dayMs, type Window } from '../../metrics/kernel/window.ts';
import { invalidRequest } from '../../platform/problem.ts';
import { toEnd, toStart } from '../kernel/moments.ts';

/** A span as it is requested: `days` back from `to`, unless `from` is given. */
export interface SpanInput {
  days: number;
  from?: string | undefined;
  to?: string | undefined;
}

/** So far back queues are read. */
const retentionMs = 90 * dayMs;

/** Rejects a span of which nothing is read: an empty answer would say that nothing happened. */
export function assertSpan({ from, to }: SpanInput, now: Instant): void {
  const refuse = (field: string, message: string) =>
    invalidRequest([{ field, reason: 'invalid', message: `${field} ${message}.` }]);
  const [begin, end] = [toStart(from), toEnd(to)];
  if (begin !== null && begin > now) throw refuse('from', 'lies in the future');
  if (end !== null && end < now - retentionMs) throw refuse('to', 'lies more than 90 days back');
  if (begin !== null && end !== null && begin > end) throw refuse('to', 'lies before from');
}

/** What is older than is read is cut off, and the answer has the window. */
export function toWindow({ from, to, days }: SpanInput, asOf: Instant): Window {
  const end = Math.min(toEnd(to) ?? asOf, asOf);
  return { from: Math.max(toStart(from) ?? end - days * dayMs, asOf - retentionMs), to: end };
}
