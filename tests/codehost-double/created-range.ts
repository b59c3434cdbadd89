import type { Instant } from '../../server/metrics/kernel/facts.ts';

/** Whether an instant lies in a `created` filter: `>=x`, `<=x`, `>x`, `<x`, `x..y`, or one date or instant. */
export function inCreatedRange(instant: Instant, filter: string): boolean {
  const [from = '*', to = '*'] = filter.includes('..') ? filter.split('..') : [];
  if (filter.includes('..')) return (from === '*' || instant >= firstOf(from)) && (to === '*' || instant <= lastOf(to));
  if (filter.startsWith('>=')) return instant >= firstOf(filter.slice(2));
  if (filter.startsWith('<=')) return instant <= lastOf(filter.slice(2));
  if (filter.startsWith('>')) return instant > lastOf(filter.slice(1));
  if (filter.startsWith('<')) return instant < firstOf(filter.slice(1));
  return instant >= firstOf(filter) && instant <= lastOf(filter);
}

const firstOf = (text: string): Instant => Date.parse(text);

/** A bare date means the whole UTC day, an instant its whole second. */
const lastOf = (text: string): Instant => Date.parse(text) + (text.includes('T') ? 999 : 86_399_999);
