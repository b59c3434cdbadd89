import { changePoints } from '../../metrics/kernel/change-points.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import type { RecordedAttempt } from '../history.ts';
import type { Counterfactual, Saves } from '../kind.ts';
import type { PredictionReason } from '../reasons.ts';
import { isDrifting, predictedDays } from './band.ts';
import { isContended } from './contention.ts';
import { amountsByDay, type DayAmounts, dayOf, type MinutePrice } from './days.ts';
import { findUnpriced, type HistoryFigures, historyOf, minutePairs, type NextDays, type Seed } from './figures.ts';
import { type Forecast, forecast } from './forecast.ts';
import { isDecidedByWaits } from './waits.ts';
import { changedMinutes } from './world-change.ts';

/** The recorded past of a workflow, with what a prediction is measured against. */
export interface RecordedPast {
  /** Of the workflow, in the usable window. */
  attempts: readonly RecordedAttempt[];
  /** Of all workflows of the repository. */
  ofRepository: readonly RecordedAttempt[];
  /** Starts of the covered days. */
  days: readonly Instant[];
  priceOf: MinutePrice;
  seed: Seed;
}

/** What a change would have done, and what is to be expected of it. */
export interface Effect {
  /** Why nothing is predicted; null where something is. */
  reason: PredictionReason | null;
  saves: Saves;
  history: HistoryFigures | null;
  next: NextDays | null;
  /** Of changes of when runs end; null for others, with too few attempts, and where jobs wait for runners. */
  wall: Forecast['wall'];
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
  saves: 'minutes',
  history: null,
  next: null,
  wall: null,
  demand: null,
  drifting: false,
  days: [],
  minutesAfter: new Map(),
});

const minUnits = 20;

/** The effect of a change on the minutes and the cost of a workflow. Contract of the advisor, sections 3.6 to 3.8. */
export function predict(
  {
    change,
    bounds = [],
    demand,
    withheld = null,
    from = 0,
    isContended: isQueued = false,
    restsOnWaits,
  }: Counterfactual,
  past: RecordedPast,
  saves: Saves = 'minutes',
): Effect {
  if (withheld !== null) return unpredicted(withheld);
  if (restsOnWaits && isContended(past.attempts) && isDecidedByWaits(change, past.attempts))
    return unpredicted('queue_not_reproduced');
  const worlds = [change, ...bounds].map((one) => one(past.attempts));
  const [changed = []] = worlds;
  const days = amountsByDay(past.days, { before: past.attempts, after: changed }, past.priceOf);
  const units = demand.count(past.ofRepository, days.length);
  const effect = {
    saves,
    history: historyOf(days, findUnpriced(past.attempts, past.priceOf)),
    demand: { units, label: demand.label },
    days,
    minutesAfter: changedMinutes(past.attempts, changed),
  };
  const stable = sinceLevelChange(days, demandByDay(past, demand)).filter(({ day }) => day >= from);
  const reason = findReason(stable, past, demand);
  if (reason !== null) return { ...unpredicted(reason), ...effect };
  const expected = forecast(worlds, past, { stable, measuresWall: saves !== 'minutes' && !isQueued });
  if (expected === null) return { ...unpredicted('nothing_to_compare'), ...effect };
  if (saves === 'cost' && expected.next.costSaved === null) return { ...unpredicted('price_unknown'), ...effect };
  return { ...effect, reason: null, ...expected, drifting: isDrifting(minutePairs(stable)) };
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
