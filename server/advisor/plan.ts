import { type Predicted, predictTogether, type RepositoryPast, toPlanned } from './effects.ts';
import type { RecordedAttempt } from './history.ts';
import { predictedDays } from './replay/band.ts';
import { applyAll, type PlannedChange, stableDays } from './replay/combined.ts';
import { amountsByDay, type DayAmounts, sumAmounts } from './replay/days.ts';
import type { NextDays } from './replay/figures.ts';
import type { Effect } from './replay/predict.ts';

/** What a change adds to those before it in 28 days. */
export interface Marginal {
  minutes: number;
  /** USD, of the jobs with a known price. */
  cost: number;
}

/** The recommendations of a repository that save minutes, and what they come to together. */
export interface RepositoryPlan {
  /** null without a row. */
  total: PlanTotal | null;
  /** The largest saving first; the marginals add up to the total. */
  rows: { recommendation: Predicted; marginal: Marginal }[];
}

/** Those that are certain to save something and hide no failures, with what they come to together. */
export interface PlanTotal {
  /** The largest saving first. */
  selected: Predicted[];
  /** Of the minutes of all workflows. */
  effect: Effect;
}

/** What changes save together in 28 days. */
export interface Saving {
  /** Billable minutes of 28 unchanged days. */
  minutesBefore: number;
  next: NextDays;
}

/** What a total comes to, with the days that it rests on; null where nothing is predicted. */
export function savingOf({ effect: { next, days } }: PlanTotal): { saving: Saving; days: DayAmounts[] } | null {
  if (next === null) return null;
  const stable = days.filter(({ day }) => day >= next.from);
  return { saving: { minutesBefore: usualMinutes(stable), next }, days: stable };
}

/** Minutes of 28 days like these, unchanged. */
export const usualMinutes = (days: readonly DayAmounts[]): number =>
  (sumAmounts(days.map(({ before }) => before)).minutes * predictedDays) / days.length;

/** What the recommendations of a repository save together; null where none is certain to save anything. */
export function planTotal(offered: readonly Predicted[], past: RepositoryPast): PlanTotal | null {
  const selected = offered.filter(isSaving).toSorted(bySaving);
  return selected.length === 0 ? null : { selected, effect: predictTogether(selected, past, { of: 'repository' }) };
}

/** The same with what each adds to those before it. Contract of the advisor, section 6.4. */
export function planRepository(offered: readonly Predicted[], past: RepositoryPast): RepositoryPlan {
  const total = planTotal(offered, past);
  if (total === null) return { total: null, rows: [] };
  const { selected, effect } = total;
  const marginals = marginalsOf(selected.flatMap(toPlanned), past, effect);
  const rows = selected.map((recommendation, index) => ({ recommendation, marginal: marginals[index] ?? none }));
  return { total, rows };
}

const none: Marginal = { minutes: 0, cost: 0 };

const isSaving = ({ reasons, effect, kind }: Predicted): boolean =>
  reasons.length === 0 &&
  !kind.addsRisk &&
  effect.saves === 'minutes' &&
  effect.next !== null &&
  effect.next.minutesSaved.low > 0;

const midSaving = ({ effect }: Predicted): number => effect.next?.minutesSaved.mid ?? 0;

const bySaving = (one: Predicted, other: Predicted): number =>
  midSaving(other) - midSaving(one) || one.id.localeCompare(other.id);

/** What each change adds to those before it of the same workflow: changes of different workflows do not meet. */
function marginalsOf(changes: readonly PlannedChange[], past: RepositoryPast, together: Effect): Marginal[] {
  const days = stableDays(changes, together.days).map(({ day }) => day);
  const byWorkflow = Map.groupBy(past.ofRepository, ({ workflowId }) => workflowId);
  const soFar = new Map<number, Marginal>();
  return changes.map(({ workflowId }, index) => {
    const before = soFar.get(workflowId) ?? none;
    const upToHere = changes.slice(0, index + 1).filter((one) => one.workflowId === workflowId);
    const saved = savedBy(upToHere, byWorkflow.get(workflowId) ?? [], { ...past, days });
    soFar.set(workflowId, saved);
    return { minutes: saved.minutes - before.minutes, cost: saved.cost - before.cost };
  });
}

/** What changes of a workflow save in 28 of these days. */
function savedBy(
  changes: readonly PlannedChange[],
  attempts: readonly RecordedAttempt[],
  { days, priceOf }: Pick<RepositoryPast, 'days' | 'priceOf'>,
): Marginal {
  const amounts = amountsByDay(days, { before: attempts, after: applyAll(changes, attempts) }, priceOf);
  const before = sumAmounts(amounts.map((day) => day.before));
  const after = sumAmounts(amounts.map((day) => day.after));
  const share = predictedDays / days.length;
  return { minutes: (before.minutes - after.minutes) * share, cost: (before.cost - after.cost) * share };
}
