import { z } from 'zod';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { coversBegin, coversEnd, type Window } from '../../metrics/kernel/window.ts';
import type { Calendar, Day } from '../../metrics/people/workday-hours.ts';

const kinds = ['runs', 'pull_requests'] as const;
type StoredKind = (typeof kinds)[number];

const reasons = [
  'runs_begin_missing',
  'runs_end_missing',
  'pull_requests_begin_missing',
  'pull_requests_end_missing',
] as const;
export type PartialReason = (typeof reasons)[number];

/** Why figures of stored facts are partial; empty where all is stored. */
export const partialReasons = z.array(z.enum(reasons)).meta({
  description:
    'Of a repository the begin of the window was never read, or its end was not read: not all of a window in the past, or of a running one nothing for 36 hours.',
});

export const storedFrom = 'From when on runs are stored, of the repository that they are stored longest of.';

/** By repository the window of which all facts of a kind are stored. */
export type StoredWindows = ReadonlyMap<number, Window>;

/** What is missing of a window in any of the repositories. */
export function findMissing(
  kind: StoredKind,
  { stored, repoIds, now }: { stored: StoredWindows; repoIds: readonly number[]; now: Instant },
  window: Window,
): PartialReason[] {
  const isBegun = repoIds.length > 0 && repoIds.every((id) => (stored.get(id)?.from ?? now) <= window.from);
  const isEnded = repoIds.every((id) => !stored.has(id) || coversEnd(stored.get(id), window, now));
  return [...(isBegun ? [] : [`${kind}_begin_missing` as const]), ...(isEnded ? [] : [`${kind}_end_missing` as const])];
}

/** Whether every fact of a window is stored. */
export const isStored = (known: Window | undefined, window: Window, now: Instant): boolean =>
  coversBegin(known, window) && coversEnd(known, window, now);

/** Whether every fact of both windows is stored of all these repositories. */
export const isComparable = (stored: StoredWindows, [window, compared]: [Window, Window], now: Instant): boolean =>
  [...stored.values()].every((known) => isStored(known, compared, now) && coversEnd(known, window, now));

/** Which part of a window is stored, from 0 to 1; 1 of one that is stored up to the last nightly reading. */
export function storedShare(known: Window | undefined, window: Window, now: Instant): number {
  if (!known) return 0;
  if (isStored(known, window, now)) return 1;
  const to = coversEnd(known, window, now) ? window.to : known.to;
  return Math.max(0, to - Math.max(known.from, window.from)) / (window.to - window.from);
}

/**
 * Whether a day was read of every repository that anything of the window was read of. Elsewhere a day without facts is not
 * known to be quiet, and one with facts is a part: where one repository is stored for a year and the others for a month,
 * nothing began a month ago.
 */
export function readDays(stored: StoredWindows, window: Window, calendar: Calendar): (day: Day) => boolean {
  const known = [...stored.values()]
    .filter(({ from, to }) => from < to && from <= window.to && to >= window.from)
    .map(({ from, to }) => ({ first: calendar.getDay(from), last: calendar.getDay(to) }));
  return (day) => known.length > 0 && known.every(({ first, last }) => first <= day && day <= last);
}

/** From when on facts are stored, of the repository that they are stored longest of; null where of none. */
export function findStoredFrom(stored: StoredWindows): Instant | null {
  const begins = [...stored.values()].filter(({ from, to }) => from < to).map(({ from }) => from);
  return begins.length === 0 ? null : Math.min(...begins);
}

/** Whether anything of a window was read of any of the repositories. */
export const isReadInPart = (stored: StoredWindows, { from, to }: Window): boolean =>
  [...stored.values()].some((known) => known.from <= to && known.to >= from);
