import { changePoints } from '../../metrics/kernel/change-points.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import type { RecordedAttempt } from '../history.ts';
import type { Counterfactual } from '../kind.ts';
import type { PredictionReason } from '../reasons.ts';
import { type Band, type DayPair, isDrifting, predictedDays, reductionBand, reductionOf, sumPairs } from './band.ts';
import { amountsByDay, attemptMinutes, type DayAmounts, dayOf, type MinutePrice, sumAmounts } from './days.ts';

/** The recorded past of a workflow, with what a prediction is measured against. */
export interface RecordedPast {
  /** Of the workflow, in the usable window. */
  attempts: readonly RecordedAttempt[];
  /** Of all workflows of the repository. */
  ofRepository: readonly RecordedAttempt[];
  /** Starts of the covered days. */
  days: readonly Instant[];
  priceOf: MinutePrice;
  /** The same seed and history give the same bands. */
  seed: readonly (string | number)[];
}

/** A figure over the recorded days, exact, without an interval. */
export interface HistoryFigures {
  from: Instant;
  /** Start of the last day. */
  to: Instant;
  minutesBefore: number;
  minutesAfter: number;
  /** Percent; null where nothing was recorded. */
  reductionPct: number | null;
  /** USD; null where less than 95 % of the minutes have a known price. */
  costBefore: number | null;
  costAfter: number | null;
  /** Labels of runners without a known price. */
  unpriced: string[];
}

/** 80 % bands of the next 28 days. */
export interface NextDays {
  /** Start of the first day that they rest on. */
  from: Instant;
  reductionPct: Band;
  minutesSaved: Band;
  /** USD; null where less than 95 % of the minutes have a known price. */
  costSaved: Band | null;
}

/** What a change would have done, and what is to be expected of it. */
export interface Effect {
  /** Why nothing is predicted; null where something is. */
  reason: PredictionReason | null;
  history: HistoryFigures | null;
  next: NextDays | null;
  demand: { units: number; label: string } | null;
  /** Whether the reduction of a week tells that of the next, so that the bands are too narrow. */
  drifting: boolean;
  days: DayAmounts[];
  /** Minutes of the attempts that the change touches, as they would have been. */
  minutesAfter: ReadonlyMap<RecordedAttempt, number>;
}

/** Nothing is said, for this reason. */
export const unpredicted = (reason: PredictionReason): Effect => ({
  reason,
  history: null,
  next: null,
  demand: null,
  drifting: false,
  days: [],
  minutesAfter: new Map(),
});

const minUnits = 20;

/** The effect of a change on the minutes and the cost of a workflow. Contract of the advisor, sections 3.6 to 3.8. */
export function predict({ change, demand }: Counterfactual, past: RecordedPast): Effect {
  const changed = change(past.attempts);
  const days = amountsByDay(past.days, { before: past.attempts, after: changed }, past.priceOf);
  const units = demand.count(past.ofRepository, days.length);
  const effect = {
    history: historyOf(days, findUnpriced(past)),
    demand: { units, label: demand.label },
    days,
    minutesAfter: changedMinutes(past.attempts, changed),
  };
  const stable = sinceLevelChange(days, demandByDay(past, demand));
  const reason = findReason(stable, past, demand);
  if (reason !== null) return { ...unpredicted(reason), ...effect };
  const next = nextDaysOf(stable, past.seed);
  if (next === null) return { ...unpredicted('nothing_to_compare'), ...effect };
  return { ...effect, reason: null, next, drifting: isDrifting(minutePairs(stable)) };
}

/** Why the days that a band would rest on are too few, or what they count. */
function findReason(
  stable: readonly DayAmounts[],
  { ofRepository }: RecordedPast,
  demand: Counterfactual['demand'],
): PredictionReason | null {
  if (stable.length < predictedDays) return 'level_changed';
  const from = stable[0]?.day ?? 0;
  const units = demand.count(
    ofRepository.filter(({ arrivedAt }) => arrivedAt >= from),
    stable.length,
  );
  return units < minUnits ? 'sample_too_small' : null;
}

const minutePairs = (days: readonly DayAmounts[]): DayPair[] =>
  days.map(({ before, after }) => ({ before: before.minutes, after: after.minutes }));

const costPairs = (days: readonly DayAmounts[]): DayPair[] =>
  days.map(({ before, after }) => ({ before: before.cost, after: after.cost }));

function historyOf(days: readonly DayAmounts[], unpriced: string[]): HistoryFigures {
  const minutes = sumPairs(minutePairs(days));
  const cost = hasPrices(days) ? sumPairs(costPairs(days)) : null;
  return {
    from: days[0]?.day ?? 0,
    to: days.at(-1)?.day ?? 0,
    minutesBefore: minutes.before,
    minutesAfter: minutes.after,
    reductionPct: reductionOf(minutes),
    costBefore: cost?.before ?? null,
    costAfter: cost?.after ?? null,
    unpriced,
  };
}

function findUnpriced({ attempts, priceOf }: RecordedPast): string[] {
  const jobs = attempts.flatMap((one) => one.jobs ?? []).filter(({ isTaken }) => isTaken);
  return [...new Set(jobs.filter((job) => priceOf(job) === null).map(({ labels }) => labels.join(', ')))].sort();
}

const pricedShare = 0.95;

/** Whether enough minutes have a known price. */
function hasPrices(days: readonly DayAmounts[]): boolean {
  const { minutes, unpricedMinutes } = sumAmounts(days.map(({ before }) => before));
  return minutes - unpricedMinutes >= pricedShare * minutes;
}

function nextDaysOf(days: readonly DayAmounts[], seed: RecordedPast['seed']): NextDays | null {
  const reductionPct = reductionBand(minutePairs(days), seed);
  if (reductionPct === null) return null;
  return {
    from: days[0]?.day ?? 0,
    reductionPct,
    minutesSaved: scaleBand(reductionPct, minutePairs(days)),
    costSaved: hasPrices(days) ? costBand(days, seed) : null,
  };
}

/** Runners that cost nothing save nothing. */
function costBand(days: readonly DayAmounts[], seed: RecordedPast['seed']): Band {
  const band = reductionBand(costPairs(days), seed);
  return band === null ? { low: 0, mid: 0, high: 0 } : scaleBand(band, costPairs(days));
}

/** Percent of what 28 unchanged days come to. */
function scaleBand({ low, mid, high }: Band, days: readonly DayPair[]): Band {
  const usual = (sumPairs(days).before * predictedDays) / days.length;
  const share = (percent: number) => (percent * usual) / 100;
  return { low: share(low), mid: share(mid), high: share(high) };
}

function demandByDay({ ofRepository, days }: RecordedPast, demand: Counterfactual['demand']): Map<Instant, number> {
  const byDay = Map.groupBy(ofRepository, dayOf);
  return new Map(days.map((day) => [day, demand.count(byDay.get(day) ?? [], 1)]));
}

/** The days since the level of minutes per unit of demand changed for the last time. */
function sinceLevelChange(days: readonly DayAmounts[], units: ReadonlyMap<Instant, number>): DayAmounts[] {
  const counted = days.filter(({ day }) => (units.get(day) ?? 0) > 0);
  const last = changePoints(counted.map(({ day, before }) => before.minutes / (units.get(day) ?? 1))).at(-1);
  const since = last === undefined ? undefined : counted[last]?.day;
  return since === undefined ? [...days] : days.filter(({ day }) => day >= since);
}

function changedMinutes(before: readonly RecordedAttempt[], after: readonly RecordedAttempt[]) {
  const kept = new Map(after.map((attempt) => [toKey(attempt), attempt]));
  const touched = before.filter((attempt) => kept.get(toKey(attempt)) !== attempt);
  return new Map(
    touched.map((attempt) => {
      const changed = kept.get(toKey(attempt));
      return [attempt, changed ? attemptMinutes(changed) : 0];
    }),
  );
}

const toKey = ({ runId, attempt }: RecordedAttempt) => `${runId} ${attempt}`;
