import type { Instant } from '../../metrics/kernel/facts.ts';
import { dayMs } from '../../metrics/kernel/window.ts';
import { type Decision, decide, leastProvable, type Promised } from './decide.ts';
import { type Drift, findDrift } from './drift.ts';
import { type Estimate, estimate, estimateRecent, type StratumFigures } from './estimate.ts';
import { followGain, lossFoundAfterDays, rollingDays, type WeeklyLook, weekDays } from './gain.ts';
import { countUnits, daysBetween, type MeasuredDays, valuePerUnit } from './measured-days.ts';
import type { Measure } from './measures.ts';

/** The result of a merged change; `measured` is said where nothing was promised. Contract of the advisor, section 5.1. */
export const verdictStates = [
  'waiting',
  'kept',
  'not_kept',
  'no_effect',
  'cannot_tell',
  'lost',
  'measured',
  'in_place',
  'undone',
] as const;

export type VerdictState = (typeof verdictStates)[number];

/** Why there is no result. */
export type VerdictReason =
  | 'too_variable'
  | 'sample_too_small'
  | Incomparable
  | 'something_else_changed'
  | Unmeasurable
  | Withdrawal;

/** Why it is not measured: jobs of too few days are stored, or units without a run of the workflow are not seen. */
type Unmeasurable = 'history_too_short' | 'no_denominator';

/** Why a merged change is not what is measured any more. */
export type Withdrawal = 'reverted' | 'changed_again' | 'disabled';

/**
 * Why units after a change cannot be compared with those before: nothing alike came before; or none took any minutes, which is all that can be saved, but the logarithm of nothing has no interval.
 */
type Incomparable = 'nothing_comparable' | 'no_minutes_after';

/** Days after the change at which it is looked at. */
export const lookDays = [28, 56, 84] as const;
/** Fewer units of demand after the change are not looked at, nor fewer days with their jobs: an interval needs two weeks. */
const [minUnits, minDays] = [20, 14];

/** One look at what came of a change. */
export interface Look {
  /** Days after the change. */
  day: number;
  at: Instant;
  units: number;
  /** null where there was too little to look at, or nothing to compare. */
  measured: Omit<Estimate, 'strata'> | null;
  outcome: Decision | 'skipped' | 'history_too_short' | Incomparable | 'something_else_changed';
}

/** What is measured of a change, with what was before it; it never changes. */
export interface Baseline {
  measure: Measure;
  before: MeasuredDays;
  /** What the change cannot move; null where there is no such thing. */
  control: { measure: Measure; before: MeasuredDays } | null;
}

export interface Verdict {
  /** When it was merged. */
  startAt: Instant;
  /** null where the effect was not predicted. */
  promised: Promised | null;
  /** null where nothing is measured. */
  baseline: Baseline | null;
  state: VerdictState;
  reason: VerdictReason | null;
  looks: Look[];
  /** Weekly looks at a gain that was kept, the newest last. */
  weeks: (WeeklyLook & { at: Instant })[];
  strata: StratumFigures[];
  drift: Drift | null;
  /** The day on which it is looked at next; null when it is not any more. */
  nextLook: Instant | null;
  /** The first day of the first two weeks without the gain. */
  lostSince: Instant | null;
  /** When it was found in place no more, or made anew; not there of others, or withdrawn before this was stored. */
  withdrawnAt?: Instant;
}

/** What came after a change, up to now, of which later looks see more. */
export interface Aftermath {
  own: MeasuredDays;
  control: MeasuredDays | null;
}

/** Start of the first whole day with the change. */
export const afterFrom = (startAt: Instant): Instant => (Math.floor(startAt / dayMs) + 1) * dayMs;

/** A verdict on what is measured. */
export type MeasuredVerdict = Verdict & { baseline: Baseline };

/** A change that was just merged. */
export const beginVerdict = (startAt: Instant, promised: Promised | null, baseline: Baseline): MeasuredVerdict => ({
  ...blank,
  startAt,
  promised,
  baseline,
  nextLook: afterFrom(startAt) + lookDays[0] * dayMs,
});

/** One that does not concern minutes: from the next day on it is looked at whether it is in place. */
export const beginPresence = (startAt: Instant): Verdict => ({ ...blank, startAt, nextLook: afterFrom(startAt) });

/** One of which too little is known to be measured. */
export const unknownVerdict = (startAt: Instant, promised: Promised | null, reason: Unmeasurable): Verdict => ({
  ...blank,
  startAt,
  promised,
  state: 'cannot_tell',
  reason,
});

const blank: Omit<Verdict, 'startAt'> = {
  promised: null,
  baseline: null,
  state: 'waiting',
  reason: null,
  looks: [],
  weeks: [],
  strata: [],
  drift: null,
  nextLook: null,
  lostSince: null,
};

const presenceDays = 28;

/** The result where a change is found to be in place, or is not any more. */
export function checkPresence(verdict: Verdict, withdrawn: Withdrawal | null, now: Instant): Verdict {
  if (withdrawn === null) return { ...verdict, state: 'in_place', nextLook: now + presenceDays * dayMs };
  return verdict.baseline === null && withdrawn === 'reverted'
    ? { ...verdict, state: 'undone', nextLook: null }
    : { ...verdict, state: 'cannot_tell', reason: withdrawn, nextLook: null, withdrawnAt: now };
}

/** Makes every look that is due, one after the other. */
export function advance(
  verdict: MeasuredVerdict,
  aftermath: Aftermath,
  now: Instant,
  seed: readonly (string | number)[],
): MeasuredVerdict {
  let current: MeasuredVerdict = verdict;
  while (current.nextLook !== null && current.nextLook <= now)
    current = isGain(current.state)
      ? lookAtGain(current, { ...current, state: current.state }, aftermath, seed)
      : lookAtChange(current, aftermath, seed);
  return current;
}

/** Whether a verdict is on a gain that was found kept, which is followed every week. */
export const isGain = (state: VerdictState): state is 'kept' | 'lost' => state === 'kept' || state === 'lost';

function lookAtChange(
  verdict: MeasuredVerdict,
  aftermath: Aftermath,
  seed: readonly (string | number)[],
): MeasuredVerdict {
  const { startAt, promised, baseline, looks } = verdict;
  const at = verdict.nextLook ?? 0;
  const from = afterFrom(startAt);
  const day = Math.round((at - from) / dayMs);
  const own = daysBetween(aftermath.own, from, at);
  const units = countUnits(own);
  const tooLittle = whyTooLittle(own);
  const found = tooLittle === null ? estimate(baseline.before, own, seed) : null;
  const next = lookDays.find((one) => one > day);
  const nextLook = next === undefined ? null : from + next * dayMs;
  if (found === null) {
    const outcome = tooLittle ?? whyIncomparable(baseline.before, own);
    return atEnd({ ...verdict, looks: [...looks, { day, at, units, measured: null, outcome }], nextLook });
  }
  const { strata, ...measured } = found;
  const control = aftermath.control && daysBetween(aftermath.control, from, at);
  const drift = baseline.control && control && findDrift(baseline.control.before, control, seed);
  const current = { ...verdict, strata, drift, nextLook };
  const look = (outcome: Look['outcome']): Look[] => [...looks, { day, at, units, measured, outcome }];
  if (drift?.isFlagged)
    return {
      ...current,
      looks: look('something_else_changed'),
      state: 'cannot_tell',
      reason: 'something_else_changed',
      nextLook: null,
    };
  if (!isProvable(promised)) return { ...current, looks: look('open'), state: 'measured', nextLook: null };
  const outcome = decide(promised, measured);
  if (outcome === 'open') return atEnd({ ...current, looks: look(outcome) });
  return {
    ...current,
    looks: look(outcome),
    state: outcome,
    nextLook: outcome === 'kept' ? at + weekDays * dayMs : null,
  };
}

const isProvable = (promised: Promised | null): promised is Promised =>
  promised !== null && promised.low >= leastProvable;

function whyTooLittle(own: MeasuredDays): 'history_too_short' | 'skipped' | null {
  if (own.days.length < minDays) return 'history_too_short';
  return countUnits(own) < minUnits ? 'skipped' : null;
}

const whyIncomparable = (before: MeasuredDays, after: MeasuredDays): Incomparable =>
  valuePerUnit(before) !== 0 && valuePerUnit(after) === 0 ? 'no_minutes_after' : 'nothing_comparable';

/** After the last look nothing more comes of what is still open. */
function atEnd(verdict: MeasuredVerdict): MeasuredVerdict {
  if (verdict.nextLook !== null || verdict.state !== 'waiting') return verdict;
  return { ...verdict, state: 'cannot_tell', reason: whyOpen(verdict.looks) };
}

function whyOpen(looks: readonly Look[]): VerdictReason {
  const last = looks.at(-1)?.outcome;
  if (last === 'nothing_comparable' || last === 'no_minutes_after' || last === 'history_too_short') return last;
  return looks.some(({ measured }) => measured !== null) ? 'too_variable' : 'sample_too_small';
}

/** The last two weeks of a gain that was kept. */
function lookAtGain(
  verdict: MeasuredVerdict,
  { state, promised }: { state: 'kept' | 'lost'; promised: Promised | null },
  aftermath: Aftermath,
  seed: readonly (string | number)[],
): MeasuredVerdict {
  const at = verdict.nextLook ?? 0;
  const own = daysBetween(aftermath.own, at - rollingDays * dayMs, at);
  const units = countUnits(own);
  const found = units < minUnits ? null : estimateRecent(verdict.baseline.before, own, seed);
  const measured = found && { deltaPct: found.deltaPct, low: found.low, high: found.high, units };
  const weeks = [...verdict.weeks, { at, measured }].slice(-keptWeeks);
  const next = promised ? followGain(state, promised, weeks) : state;
  const lostSince = next === 'kept' ? null : (verdict.lostSince ?? at - lossFoundAfterDays * dayMs);
  return { ...verdict, state: next, weeks, lostSince, nextLook: at + weekDays * dayMs };
}

/** Weekly looks that are stored. */
const keptWeeks = 52;
