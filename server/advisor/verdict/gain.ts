import type { Instant } from '../../metrics/kernel/facts.ts';
import { dayMs } from '../../metrics/kernel/window.ts';
import { isAsPromised, marginOf, type Promised } from './decide.ts';
import type { Estimate } from './estimate.ts';
import type { Verdict } from './verdict.ts';

/** What the newest weeks say of a gain that was kept; the newest last. */
export interface WeeklyLook {
  /** Of the last two weeks; null where there is too little to say. */
  measured: (Pick<Estimate, 'deltaPct' | 'low' | 'high'> & { units: number }) | null;
}

/** So many weeks in a row. */
const lastingWeeks = 2;

/** Whether a kept gain is there, by its last two weekly looks; contract of the advisor, section 5.6. */
export function followGain(state: 'kept' | 'lost', promised: Promised, weeks: readonly WeeklyLook[]): 'kept' | 'lost' {
  const newest = weeks.slice(-lastingWeeks).flatMap(({ measured }) => measured ?? []);
  if (newest.length < lastingWeeks) return state;
  if (state === 'kept') return newest.every(({ high }) => high < marginOf(promised)) ? 'lost' : 'kept';
  return newest.every((measured) => isAsPromised(promised, measured)) ? 'kept' : 'lost';
}

/** What is left of a gain that was kept. */
export interface PresentGain {
  /** Percent fewer minutes when it was found kept. */
  keptPct: number;
  /** The same at the last weekly look. */
  presentPct: number;
  /** How much of the gain is gone, in percent: above 100 where more minutes are taken than before the change. */
  lostPct: number;
  /** Units of demand that the last look rests on. */
  units: number;
}

/**
 * What was left of a gain at a moment, by the last look that had enough to say; null where it was not found kept by then,
 * or was not followed any more.
 */
export function findPresentGain({ state, looks, weeks, withdrawnAt }: Verdict, at: Instant): PresentGain | null {
  const isFollowed = withdrawnAt === undefined ? state === 'kept' || state === 'lost' : at < withdrawnAt;
  if (!isFollowed) return null;
  const kept = looks.find((look) => look.outcome === 'kept' && look.at <= at);
  if (!kept?.measured) return null;
  const week = weeks.findLast((one) => one.at <= at && one.measured !== null);
  const present = week?.measured ?? { ...kept.measured, units: kept.units };
  const [keptPct, presentPct] = [kept.measured.deltaPct, present.deltaPct];
  return { keptPct, presentPct, lostPct: 100 * (1 - presentPct / keptPct), units: present.units };
}

/** A look is at so many days. */
export const rollingDays = 14;
export const weekDays = 7;

/** The first two weeks without the gain, and the week until the next look says the same. */
export const lossFoundAfterDays = rollingDays + weekDays;

/** The day of the look that found that a gain was lost. */
export const lossFoundAt = (lostSince: Instant): Instant => lostSince + lossFoundAfterDays * dayMs;
