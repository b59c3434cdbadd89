import type { RecordedAttempt } from '../history.ts';
import type { Band } from './band.ts';
import { amountsByDay, type DayAmounts } from './days.ts';
import { type NextDays, nextDaysOf } from './figures.ts';
import type { RecordedPast } from './predict.ts';
import { type WallChange, type WallFigures, wallBand, wallFigures, wallsByDay } from './wall.ts';

/** What is to be expected in the next 28 days. */
export interface Forecast {
  next: NextDays;
  /** When runs end; null where that is not requested, and with too few attempts. */
  wall: { history: WallFigures; next: WallChange } | null;
}

/** What a forecast rests on: the days, and whether it tells when runs end. */
interface Basis {
  stable: readonly DayAmounts[];
  measuresWall: boolean;
}

type World = readonly RecordedAttempt[];

/**
 * The bands of the first of these worlds. The others are at the ends of what is not known of the change itself: each
 * band reaches as far as theirs. null where nothing was recorded.
 */
export function forecast([changed = [], ...bounds]: readonly World[], past: RecordedPast, basis: Basis) {
  const own = forecastOne(changed, past, basis);
  return bounds.reduce<Forecast | null>((all, world) => {
    const other = forecastOne(world, past, basis);
    return all && other ? widened(all, other) : all;
  }, own);
}

function forecastOne(changed: World, past: RecordedPast, { stable, measuresWall }: Basis): Forecast | null {
  const days = stable.map(({ day }) => day);
  const worlds = { before: past.attempts, after: changed };
  const next = nextDaysOf(amountsByDay(days, worlds, past.priceOf), past.seed);
  if (next === null) return null;
  const history = measuresWall ? wallFigures(wallsByDay(past.days, worlds)) : null;
  const walls = history && wallsByDay(days, worlds);
  const bandOf = (q: number) => walls && wallBand(walls, q, past.seed);
  return { next, wall: history && { history, next: { p50: bandOf(0.5), p90: bandOf(0.9) } } };
}

const widened = ({ next, wall }: Forecast, other: Forecast): Forecast => ({
  next: {
    from: next.from,
    reductionPct: reach(next.reductionPct, other.next.reductionPct),
    minutesSaved: reach(next.minutesSaved, other.next.minutesSaved),
    costSaved: next.costSaved && reach(next.costSaved, other.next.costSaved),
  },
  wall: wall && {
    history: wall.history,
    next: {
      p50: wall.next.p50 && reach(wall.next.p50, other.wall?.next.p50 ?? null),
      p90: wall.next.p90 && reach(wall.next.p90, other.wall?.next.p90 ?? null),
    },
  },
});

const reach = ({ low, mid, high }: Band, other: Band | null): Band => ({
  low: Math.min(low, other?.low ?? low),
  mid,
  high: Math.max(high, other?.high ?? high),
});
