import type { RecordedAttempt } from '../history.ts';
import type { Saves } from '../kind.ts';
import { isDrifting } from './band.ts';
import { amountsByDay, type DayAmounts } from './days.ts';
import { findUnpriced, historyOf, minutePairs } from './figures.ts';
import { forecast } from './forecast.ts';
import { type Effect, type RecordedPast, unpredicted } from './predict.ts';
import { changedMinutes, type WorldChange } from './world-change.ts';

/** A change whose effect is predicted, with the workflow that it is of. */
export interface PlannedChange {
  /** The kind and the recommendation, which is the order that changes are made in. */
  id: string;
  workflowId: number;
  change: WorldChange;
  /** The same at the ends of what is not known of it. */
  bounds?: readonly WorldChange[] | undefined;
  effect: Effect;
}

/**
 * The effect of several changes together, each applied to what the ones before left: what two of them save is not
 * counted twice. Contract of the advisor, section 6.4. The bands rest on the days that those of every change rest on.
 */
export function predictCombined(changes: readonly PlannedChange[], past: RecordedPast): Effect {
  const worlds = withBounds(changes).map((one) => applyAll(one, past.attempts));
  const [changed = []] = worlds;
  const days = amountsByDay(past.days, { before: past.attempts, after: changed }, past.priceOf);
  const stable = stableDays(changes, days);
  const measuresWall = isOfOneWorkflow(changes) && changes.every(({ effect }) => effect.wall !== null);
  const expected = changes.length === 0 ? null : forecast(worlds, past, { stable, measuresWall });
  if (expected === null) return unpredicted('nothing_to_compare');
  return {
    reason: null,
    saves: savedBy(changes),
    history: historyOf(days, findUnpriced(past.attempts, past.priceOf)),
    ...expected,
    demand: sharedDemand(changes),
    drifting: isDrifting(minutePairs(stable)),
    days,
    minutesAfter: changedMinutes(past.attempts, changed),
  };
}

/** Money where one saves that, and less time where that is all they save. */
function savedBy(changes: readonly PlannedChange[]): Saves {
  if (changes.some(({ effect }) => effect.saves === 'cost')) return 'cost';
  return changes.every(({ effect }) => effect.saves === 'wall time') ? 'wall time' : 'minutes';
}

/** The changes as they most likely are, and at both ends of what is not known of them. */
const withBounds = (changes: readonly PlannedChange[]): readonly (readonly PlannedChange[])[] =>
  changes.every(({ bounds }) => bounds === undefined)
    ? [changes]
    : [
        changes,
        ...([0, 1] as const).map((end) => changes.map((one) => ({ ...one, change: one.bounds?.[end] ?? one.change }))),
      ];

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
