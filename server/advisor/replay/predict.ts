import { changePoints } from '../../metrics/kernel/change-points.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import type { RecordedAttempt } from '../history.ts';
import type { Counterfactual, Saves } from '../kind.ts';
import type { PredictionReason } from '../reasons.ts';
import { isDrifting, predictedDays } from './band.ts';
import { amountsByDay, type DayAmounts, dayOf, type MinutePrice } from './days.ts';
import {
  findUnpriced,
  type HistoryFigures,
  historyOf,
  minutePairs,
  type NextDays,
  nextDaysOf,
  type Seed,
} from './figures.ts';
import { type WallChange, type WallFigures, wallBand, wallFigures, wallsByDay } from './wall.ts';
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
  /** Of changes that let runs end earlier; null for others, and with too few attempts. */
  wall: { history: WallFigures; next: WallChange } | null;
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
  { change, demand, withheld = null }: Counterfactual,
  past: RecordedPast,
  saves: Saves = 'minutes',
): Effect {
  if (withheld !== null) return unpredicted(withheld);
  const changed = change(past.attempts);
  const days = amountsByDay(past.days, { before: past.attempts, after: changed }, past.priceOf);
  const units = demand.count(past.ofRepository, days.length);
  const effect = {
    saves,
    history: historyOf(days, findUnpriced(past.attempts, past.priceOf)),
    demand: { units, label: demand.label },
    days,
    minutesAfter: changedMinutes(past.attempts, changed),
  };
  const stable = sinceLevelChange(days, demandByDay(past, demand));
  const reason = findReason(stable, past, demand);
  if (reason !== null) return { ...unpredicted(reason), ...effect };
  const next = nextDaysOf(stable, past.seed);
  if (next === null) return { ...unpredicted('nothing_to_compare'), ...effect };
  const wall = saves === 'wall time' ? predictWall(changed, past, stable) : null;
  return { ...effect, reason: null, next, wall, drifting: isDrifting(minutePairs(stable)) };
}

/** How much earlier attempts end; null with too few of them. */
export function predictWall(
  changed: readonly RecordedAttempt[],
  { attempts, days, seed }: RecordedPast,
  stable: readonly DayAmounts[],
): Effect['wall'] {
  const worlds = { before: attempts, after: changed };
  const history = wallFigures(wallsByDay(days, worlds));
  const walls = wallsByDay(
    stable.map(({ day }) => day),
    worlds,
  );
  const [p50, p90] = [wallBand(walls, 0.5, seed), wallBand(walls, 0.9, seed)];
  return history && { history, next: { p50, p90 } };
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
