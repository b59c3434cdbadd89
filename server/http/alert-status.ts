import type { z } from 'zod';
import type { Context } from '../access/context.ts';
import type { AlertList } from '../alerts/operations/list.ts';
import { leadershipDigest } from '../alerts/rules.ts';
import { openForMs } from '../alerts/shown.ts';
import type { Panel } from './adapters.ts';

type Listed = z.output<typeof AlertList>;
type Event = Listed['events'][number];
type Rule = Listed['rules'][number];

/** The alert status for the reader. It is never "well" while nothing is evaluated, or while it is not known. */
export type AlertStatus =
  /** `events` are those among the newest. */
  | { state: 'open'; open: number; events: Event[]; watching: number }
  | { state: 'quiet'; watching: number; silent: number }
  | { state: 'nobody'; rules: number }
  | { state: 'unknown'; error: string };

/** The status from an answer of `getAlerts` with its events; `now` in epoch milliseconds. */
export function getAlertStatus(answer: Panel<Listed>, now: number): AlertStatus {
  if (!answer.ok) return { state: 'unknown', error: answer.problem.error };
  const { rules, events, open_count: open } = answer.data;
  if (open === null) return { state: 'unknown', error: 'Nobody counted them.' };
  const watching = rules.filter((rule) => isWatching(rule, now)).length;
  if (open > 0) return { state: 'open', open, events: events.filter(({ is_open: isOpen }) => isOpen), watching };
  if (watching === 0) return { state: 'nobody', rules: rules.length };
  return { state: 'quiet', watching, silent: rules.length - watching };
}

/** A rule that is on and has something to look at. */
const isWatching = ({ enabled, muted_until, metric, health }: Rule, now: number) =>
  enabled &&
  (muted_until === null || Date.parse(muted_until) <= now) &&
  metric !== leadershipDigest &&
  (health === 'ok' || health === 'delivery_failing');

/** How many events are open and how many rules are on, in the whole service; null where it is not known. */
export async function countAlerts({ store, clock }: Context['services']) {
  if (!store) return null;
  const counts = Promise.all([store.alertEvents.countOpen(clock.now() - openForMs), store.alertRules.countEnabled()]);
  return counts.then(
    ([open, rules]) => ({ open, rules }),
    () => null,
  );
}
