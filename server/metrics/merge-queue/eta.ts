import type { Instant } from '../kernel/facts.ts';
import { rateInterval } from '../kernel/intervals.ts';
import { percent } from '../kernel/statistics.ts';
import { dayMs, minuteMs } from '../kernel/window.ts';
import type { Stay } from './history.ts';
import { isEjection } from './reasons.ts';
import {
  adaptTails,
  type Band,
  expectedMinutes,
  type Fit,
  findBand,
  findResiduals,
  firstTails,
  fitWaits,
  type MergedWait,
  type Tails,
} from './wait-model.ts';

export const etaReasons = [
  'few_samples',
  'outside_experience',
  'outwaited',
  'stalled',
  'unreliable',
  'settings_changed',
] as const;
/** Why there is no estimate. */
export type EtaReason = (typeof etaReasons)[number];

/** When an entry is merged, if it is merged in this stay. */
export interface Eta {
  at: Instant;
  low: Instant;
  high: Instant;
  /** Of entries that were in the queue as long, how many merged. */
  chancePct: number;
  chanceInterval: { low: number; high: number };
}

const minMerged = 50;
const sampleMs = 90 * dayMs;
const refitEvery = 10;
const experience = 2000;
const chanceSample = 300;
const judgedCount = 300;
const minJudged = 200;
const leastCoveredPct = 65;
/** After a change of the configuration the past says nothing until so many were merged. */
const minMergedSince = 20;

type EndedStay = Stay & { enteredAt: Instant; leftAt: Instant };

/** What the past of a queue says of its future; estimates are judged by what the same rules would have given before. */
export interface EtaModel {
  estimate(entry: { enteredAt: Instant; ahead: number }): Eta | EtaReason;
  /** Of the newest estimates, given when an entry entered, how many were right: 80 % are intended. */
  judged: number;
  coveredPct: number | null;
  /** Something waits, and nothing has left for longer than ever in 28 days in which something did. */
  isStalled: boolean;
}

interface Given extends Band {
  deadline: number;
}

export interface EtaOptions {
  /** So many of the newest estimates are judged. */
  judgedAtMost?: number;
  /** When the configuration of the queue last changed; null where it did not as far as is known. */
  changedAt?: Instant | null;
}

/** Learns from stays in the order in which they ended, up to `now`. */
export function learnEta(
  stays: readonly Stay[],
  now: Instant,
  { judgedAtMost = judgedCount, changedAt = null }: EtaOptions = {},
): EtaModel {
  const timed = stays
    .filter((stay): stay is Stay & { enteredAt: Instant } => stay.enteredAt !== null && stay.enteredAt <= now)
    .sort((a, b) => a.enteredAt - b.enteredAt);
  const ended = timed
    .filter((stay): stay is EndedStay => stay.leftAt !== null && stay.leftAt <= now)
    .sort((a, b) => a.leftAt - b.leftAt);
  const ahead = countAhead(timed);
  const merged: MergedWait[] = [];
  const outcomes: boolean[] = [];
  const open = new Map<Stay, Given>();
  let [fit, tails]: [Fit, Tails] = [{ start: 0, each: 0 }, firstTails];
  // Made anew only when an estimate needs them: many merge at once.
  let residuals: readonly number[] | null = null;
  const getResiduals = () => (residuals ??= findResiduals(merged, fit));
  let entered = 0;
  const letEnter = (until: Instant) => {
    for (let stay = timed[entered]; stay && stay.enteredAt <= until; stay = timed[++entered]) {
      if (merged.length < minMerged || isOutside(ahead.get(stay) ?? 0, merged)) continue;
      const band = findBand(expectedMinutes(fit, ahead.get(stay) ?? 0), getResiduals(), tails, 0);
      if (band) open.set(stay, { ...band, deadline: stay.enteredAt + band.high * minuteMs });
    }
  };
  const letExpire = (until: Instant) => {
    const late = [...open]
      .filter(([, { deadline }]) => deadline < until)
      .sort(([, a], [, b]) => a.deadline - b.deadline);
    for (const [stay, given] of late) {
      tails = adaptTails(tails, 'above');
      // It is wrong whenever it merges, and counts once.
      open.set(stay, { ...given, deadline: Number.POSITIVE_INFINITY });
    }
  };
  for (const stay of ended) {
    letEnter(stay.leftAt);
    letExpire(stay.leftAt);
    const minutes = (stay.leftAt - stay.enteredAt) / minuteMs;
    const given = open.get(stay);
    open.delete(stay);
    if (stay.outcome !== 'merged') continue;
    if (given) {
      outcomes.push(minutes >= given.low && minutes <= given.high);
      if (given.deadline !== Number.POSITIVE_INFINITY) tails = adaptTails(tails, minutes < given.low ? 'below' : null);
    }
    merged.push({ ahead: ahead.get(stay) ?? 0, minutes });
    if (merged.length % refitEvery === 0) fit = fitWaits(merged);
    residuals = null;
  }
  letEnter(now);
  letExpire(now);
  const judged = outcomes.slice(-judgedAtMost);
  const coveredPct = percent(judged.filter(Boolean).length, judged.length);
  const recent = ended.filter(({ outcome, leftAt }) => outcome === 'merged' && leftAt > now - sampleMs).length;
  const isChanged = changedAt !== null && countMergedSince(ended, changedAt) < minMergedSince;
  const isStalled = findStall(timed, ended, now);
  const isUnreliable = judged.length >= minJudged && (coveredPct ?? 0) < leastCoveredPct;
  return {
    judged: judged.length,
    coveredPct,
    isStalled,
    estimate(entry) {
      if (recent < minMerged) return 'few_samples';
      if (isOutside(entry.ahead, merged)) return 'outside_experience';
      if (isStalled) return 'stalled';
      if (isChanged) return 'settings_changed';
      if (isUnreliable) return 'unreliable';
      const elapsed = Math.max(0, now - entry.enteredAt) / minuteMs;
      const band = findBand(expectedMinutes(fit, entry.ahead), getResiduals(), tails, elapsed);
      const chance = findChance(ended, elapsed);
      if (!band || !chance) return 'outwaited';
      const toInstant = (minutes: number) => entry.enteredAt + minutes * minuteMs;
      return {
        at: toInstant(band.middle),
        low: toInstant(band.low),
        high: toInstant(band.high),
        ...chance,
      };
    },
  };
}

const countMergedSince = (ended: readonly EndedStay[], since: Instant): number =>
  ended.filter(({ outcome, leftAt }) => outcome === 'merged' && leftAt >= since).length;

/** Whether so many were never nearly ahead of what was merged. */
const isOutside = (ahead: number, merged: readonly MergedWait[]): boolean =>
  !merged.slice(-experience).some((wait) => ahead <= 1.5 * wait.ahead);

/** How many were in the queue when each entered. */
export function countAhead(timed: readonly (Stay & { enteredAt: Instant })[]): ReadonlyMap<Stay, number> {
  let inside: Stay[] = [];
  return new Map(
    timed.map((stay) => {
      inside = inside.filter(({ leftAt }) => leftAt === null || leftAt > stay.enteredAt);
      const ahead = inside.length;
      inside.push(stay);
      return [stay, ahead];
    }),
  );
}

/** null where none was in the queue as long. */
function findChance(ended: readonly EndedStay[], elapsed: number): Pick<Eta, 'chancePct' | 'chanceInterval'> | null {
  const decided = ended
    .filter(({ outcome, group }) => outcome === 'merged' || isEjection(group))
    .filter(({ enteredAt, leftAt }) => (leftAt - enteredAt) / minuteMs > elapsed)
    .slice(-chanceSample);
  const merged = decided.filter(({ outcome }) => outcome === 'merged').length;
  const [chancePct, chanceInterval] = [percent(merged, decided.length), rateInterval(merged, decided.length, z90)];
  return chancePct === null || chanceInterval === null ? null : { chancePct, chanceInterval };
}

const gapsMs = 28 * dayMs;
/** The 95 % quantile of the normal distribution, for intervals of 90 %. */
const z90 = 1.6448536269514722;

/** Whether nothing has left for longer than ever in 28 days in which something waited. */
function findStall(timed: readonly (Stay & { enteredAt: Instant })[], ended: readonly EndedStay[], now: Instant) {
  let [longest, since, inside, next]: [number | null, Instant | null, number, number] = [null, null, 0, 0];
  const letEnter = (until: Instant) => {
    for (let stay = timed[next]; stay && stay.enteredAt <= until; stay = timed[++next]) {
      if (inside === 0) since = stay.enteredAt;
      inside++;
    }
  };
  for (const { leftAt } of ended) {
    letEnter(leftAt);
    if (since !== null && leftAt > now - gapsMs) longest = Math.max(longest ?? 0, leftAt - since);
    inside--;
    since = inside > 0 ? leftAt : null;
  }
  letEnter(now);
  // After weeks in which nothing left there is nothing to compare with.
  return since !== null && longest !== null && now - since > longest;
}
