import type { RecordedAttempt } from '../history.ts';
import { isDrifting } from './band.ts';
import { amountsByDay, type DayAmounts } from './days.ts';
import { findUnpriced, historyOf, minutePairs, nextDaysOf } from './figures.ts';
import { type Effect, predictWall, type RecordedPast, unpredicted } from './predict.ts';
import { changedMinutes, type WorldChange } from './world-change.ts';

/** A change whose effect is predicted, with the workflow that it is of. */
export interface PlannedChange {
  /** The kind and the recommendation, which is the order that changes are made in. */
  id: string;
  workflowId: number;
  change: WorldChange;
  effect: Effect;
}

/**
 * The effect of several changes together, each applied to what the ones before left: what two of them save is not
 * counted twice. Contract of the advisor, section 6.4. The bands rest on the days that those of every change rest on.
 */
export function predictCombined(changes: readonly PlannedChange[], past: RecordedPast): Effect {
  const changed = applyAll(changes, past.attempts);
  const days = amountsByDay(past.days, { before: past.attempts, after: changed }, past.priceOf);
  const stable = stableDays(changes, days);
  const next = changes.length === 0 ? null : nextDaysOf(stable, past.seed);
  if (next === null) return unpredicted('nothing_to_compare');
  const saves = changes.every(({ effect }) => effect.saves === 'wall time') ? 'wall time' : 'minutes';
  return {
    reason: null,
    saves,
    history: historyOf(days, findUnpriced(past.attempts, past.priceOf)),
    next,
    wall: saves === 'wall time' && isOfOneWorkflow(changes) ? predictWall(changed, past, stable) : null,
    demand: sharedDemand(changes),
    drifting: isDrifting(minutePairs(stable)),
    days,
    minutesAfter: changedMinutes(past.attempts, changed),
  };
}

/** Times of runs of several workflows have no common median. */
const isOfOneWorkflow = (changes: readonly PlannedChange[]): boolean =>
  new Set(changes.map(({ workflowId }) => workflowId)).size === 1;

/** The attempts as they would have been with all of the changes, each made to those of its workflow, by id. */
export function applyAll(
  changes: readonly PlannedChange[],
  attempts: readonly RecordedAttempt[],
): readonly RecordedAttempt[] {
  const inOrder = changes.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const byWorkflow = Map.groupBy(attempts, ({ workflowId }) => workflowId);
  return [...byWorkflow].flatMap(([id, ofWorkflow]) =>
    inOrder
      .filter(({ workflowId }) => workflowId === id)
      .reduce<readonly RecordedAttempt[]>((world, { change }) => change(world), ofWorkflow),
  );
}

/** Days since the last lasting change that any of the changes' own figures had. */
export function stableDays(changes: readonly PlannedChange[], days: readonly DayAmounts[]): DayAmounts[] {
  const from = Math.max(0, ...changes.map(({ effect }) => effect.next?.from ?? 0));
  return days.filter(({ day }) => day >= from);
}

/** What they are measured per, where that is the same for all. */
function sharedDemand(changes: readonly PlannedChange[]): Effect['demand'] {
  const demands = changes.map(({ effect }) => effect.demand);
  const [first = null] = demands;
  const isShared = demands.every((one) => one?.label === first?.label && one?.units === first?.units);
  return isShared ? first : null;
}
