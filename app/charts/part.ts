import { type At, dayNumber, dayOfNumber, startOfDay, timeText, toInstant } from './zone-time.ts';

/** What of a bucket is counted, where that is not all of it. */
export interface Part {
  /** It has not ended yet. */
  running?: boolean;
  /** The time of the day that it is counted from, such as `14:00`. */
  begins?: string;
  /** It was read of some of the repositories alone. */
  ofSome?: boolean;
}

/** The part of a day that lies in a window. */
export function partOfDay(day: string, window: { from: At; to: At }, zone: string): Part {
  const end = startOfDay(dayOfNumber(dayNumber(day) + 1), zone);
  return {
    running: toInstant(window.to) < end - 1,
    ...(toInstant(window.from) > startOfDay(day, zone) && { begins: timeText(window.from, zone) }),
  };
}

/** The same of a day of runs, which may have been read of some of the repositories alone. */
export function partOfRunDay({ date, partial }: RunDay, window: { from: At; to: At }, zone: string): Part {
  const part = partOfDay(date, window, zone);
  return partial && !isPartial(part) ? { ofSome: true } : part;
}

interface RunDay {
  date: string;
  partial: boolean;
}

export const isPartial = ({ running, begins, ofSome }: Part): boolean =>
  running === true || begins !== undefined || ofSome === true;

/** `partial`, `partial, from 14:00`, `partial, some repositories`; empty for what is counted as a whole. */
export const partText = (part: Part): string =>
  isPartial(part)
    ? ['partial', part.begins && `from ${part.begins}`, part.ofSome && 'some repositories'].filter(Boolean).join(', ')
    : '';

/** The same behind what it is said of. */
export const partSuffix = (part: Part): string => (isPartial(part) ? ` (${partText(part)})` : '');
