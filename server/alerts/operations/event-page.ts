import { z } from 'zod';
import type { AlertEvent } from '../../store/alert-events.ts';
import type { AlertSource } from '../source.ts';
import type { VisibilityScope } from '../visible.ts';

/** As many events as an answer has at most. */
export const newestEvents = 50;

/** When an event fired, in milliseconds, and its id. */
export const cursor = z
  .string()
  .regex(/^\d{1,13}\.\d{1,9}$/, 'is no next_cursor of an answer')
  .optional()
  .meta({ description: '`next_cursor` of the page before: older events.' });

export const nextCursor = z
  .string()
  .nullable()
  .meta({ description: 'Where older events begin; null at the end, and where no events are requested.' });

interface Wanted {
  cursor: string | undefined;
  scopeKey: string | null;
  /** What the caller may know of; null where that is everything. */
  visibility: VisibilityScope | null;
}

interface EventPage {
  events: AlertEvent[];
  /** null at the end. */
  nextCursor: string | null;
}

/** Where none are requested. */
export const noEvents: EventPage = { events: [], nextCursor: null };

/** A page of events, newest first, and where the next one begins. */
export async function readEventPage(
  alertEvents: AlertSource['alertEvents'],
  { cursor: text, scopeKey, visibility }: Wanted,
): Promise<EventPage> {
  const [firedAt = 0, id = 0] = (text ?? '').split('.').map(Number);
  const after = text === undefined ? null : { firedAt, id };
  const found = await alertEvents.list(newestEvents + 1, scopeKey, visibility, after);
  const events = found.slice(0, newestEvents);
  const last = found.length > newestEvents ? events.at(-1) : undefined;
  return { events, nextCursor: last ? `${last.firedAt}.${last.id}` : null };
}
