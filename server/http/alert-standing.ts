import type { z } from 'zod';
import type { Context } from '../access/context.ts';
import { leadershipDigest } from '../alerts/rules.ts';
import { openForMs } from '../alerts/shown.ts';
import { type AlertList, newestEvents } from '../api/alerts.ts';
import type { Panel } from './doors.ts';

type Listed = z.output<typeof AlertList>;
type Event = Listed['events'][number];
type Rule = Listed['rules'][number];

/** What alerts ask of the reader. Nothing is said to be well while nobody looks, or while it is not known. */
export type AlertStanding =
  | { state: 'open'; events: Event[]; watching: number; mayBeMore: boolean }
  | { state: 'quiet'; watching: number; silent: number }
  | { state: 'nobody'; rules: number }
  | { state: 'unknown'; error: string };

/** The standing by an answer of `getAlerts` with its events; `now` in epoch milliseconds. */
export function alertStanding(answer: Panel<Listed>, now: number): AlertStanding {
  if (!answer.ok) return { state: 'unknown', error: answer.problem.error };
  const { rules, events } = answer.data;
  const open = events.filter(({ is_open: isOpen }) => isOpen);
  const oldest = events.at(-1);
  const mayBeMore = oldest !== undefined && events.length >= newestEvents && isYoung(oldest, now);
  const watching = rules.filter((rule) => isWatching(rule, now)).length;
  if (open.length > 0) return { state: 'open', events: open, watching, mayBeMore };
  if (mayBeMore) return { state: 'unknown', error: `None of the ${newestEvents} newest is open; there are more.` };
  if (watching === 0) return { state: 'nobody', rules: rules.length };
  return { state: 'quiet', watching, silent: rules.length - watching };
}

const isYoung = ({ fired_at }: Pick<Event, 'fired_at'>, now: number) => now - Date.parse(fired_at) < openForMs;

/** A rule that is on and has something to look at. */
const isWatching = ({ enabled, muted_until, metric, health }: Rule, now: number) =>
  enabled &&
  (muted_until === null || Date.parse(muted_until) <= now) &&
  metric !== leadershipDigest &&
  (health === 'ok' || health === 'delivery_failing');

/** How many events are open and how many rules are on, in the whole service; null where it is not known. */
export async function countAlerts({ store, clock }: Context['services']) {
  return (await store?.alertEvents.countOpen(clock.now() - openForMs).catch(() => null)) ?? null;
}
