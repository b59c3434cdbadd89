import type { Instant } from '../kernel/facts.ts';
import { mean, roundTo } from '../kernel/statistics.ts';
import { dayMs } from '../kernel/window.ts';
import { isCoverable, isMinutes, netAmount, quotaMultiplier, sumBy, sumMinutes, type UsageItem } from './billing.ts';

/** A calendar month of a bill; bills run in UTC. */
export interface BillingMonth {
  year: number;
  /** 1 to 12. */
  month: number;
}

/** What is likely, with how far off it may be: 95 of 100 months like this one so far end within. */
export interface Range {
  low: number;
  high: number;
}

export interface BurnRate {
  /** Day of the month, the running one included. */
  daysElapsed: number;
  daysTotal: number;
  /** Share of the month that has begun, 0–1. */
  progress: number;
  currentMinutes: number;
  /** Minutes per day so far. */
  dailyBurnRate: number;
  projectedMinutes: number;
  projectedNetAmount: number;
  /** null up to day 5, and where usage by day is not known; that of the net amount also where included minutes run out. */
  minutesRange: Range | null;
  netRange: Range | null;
  /** Why a range is null. */
  rangeMissing: string | null;
  /** Minutes so far as included minutes are used up: standard runners alone, weighted by operating system. */
  quotaMinutes: number;
  /** Weighted minutes at the end of the month beyond those included; null when these are not known. */
  projectedOverage: number | null;
  /** USD, the same share of what standard runners would cost. */
  projectedOverageCost: number | null;
  status: 'ok' | 'warning' | 'critical' | 'unknown';
}

/** How the running month goes on if its days stay as they were; null for any other month. */
export function burnRate(
  items: readonly UsageItem[],
  { month, included, now }: { month: BillingMonth; included: number | null; now: Instant },
): BurnRate | null {
  if (!isRunning(month, now)) return null;
  const daysElapsed = new Date(now).getUTCDate();
  const daysTotal = daysIn(month);
  const toEnd = (value: number) => (value / daysElapsed) * daysTotal;
  const minutes = sumBy(items.filter(isMinutes), ({ quantity }) => quantity);
  const net = sumBy(items, (item) => item.netAmount);
  const standard = items.filter(isCoverable);
  const quotaMinutes = sumBy(standard, (item) => item.quantity * quotaMultiplier(item));
  const overage = included === null ? null : Math.max(0, toEnd(quotaMinutes) - included);
  const gross = sumBy(standard, (item) => item.grossAmount);
  return {
    daysElapsed,
    daysTotal,
    currentMinutes: roundTo(minutes, 2),
    progress: roundTo(daysElapsed / daysTotal, 2),
    dailyBurnRate: roundTo(minutes / daysElapsed, 2),
    projectedMinutes: roundTo(toEnd(minutes), 2),
    projectedNetAmount: roundTo(toEnd(net), 2),
    ...computeRanges(items, month, { daysElapsed, runsOut: overage !== null && overage > 0 }),
    quotaMinutes: roundTo(quotaMinutes, 2),
    projectedOverage: overage === null ? null : roundTo(overage, 2),
    projectedOverageCost: overage === null ? null : roundTo(overage && (overage / quotaMinutes) * gross, 2),
    status: getStatus(toEnd(quotaMinutes), included),
  };
}

/** Above 1.2 times the included minutes it is critical, above 0.9 times a warning. */
function getStatus(projected: number, included: number | null): BurnRate['status'] {
  if (included === null) return 'unknown';
  if (projected > 1.2 * included) return 'critical';
  return projected > 0.9 * included ? 'warning' : 'ok';
}

export function isRunning({ year, month }: BillingMonth, now: Instant): boolean {
  const today = new Date(now);
  return today.getUTCFullYear() === year && today.getUTCMonth() + 1 === month;
}

export const daysIn = ({ year, month }: BillingMonth): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

export const getMonthStart = ({ year, month }: BillingMonth): Instant => Date.UTC(year, month - 1, 1);

const lastUncertainDay = 5;

/** While included minutes last, days cost nothing: what they say of the net amount ends with these minutes. */
const untilPaid = 'Included minutes run out before the month ends: the net amount will be higher.';

/** `runsOut`: whether included minutes are expected not to last to the end of the month. */
function computeRanges(
  items: readonly UsageItem[],
  month: BillingMonth,
  { daysElapsed, runsOut }: { daysElapsed: number; runsOut: boolean },
) {
  const none = { minutesRange: null, netRange: null };
  if (daysElapsed <= lastUncertainDay) return { ...none, rangeMissing: 'Needs six days of data.' };
  const days = usageByDay(items, month, daysElapsed);
  if (days === null) return { ...none, rangeMissing: 'Daily usage is not available.' };
  const left = daysIn(month) - daysElapsed;
  return {
    minutesRange: computeRange(
      days.map(({ minutes }) => minutes),
      left,
    ),
    netRange: runsOut
      ? null
      : computeRange(
          days.map((ofDay) => ofDay.netAmount),
          left,
        ),
    rangeMissing: runsOut ? untilPaid : null,
  };
}

export interface DayUsage {
  day: Instant;
  minutes: number;
  netAmount: number;
}

/** Each of the month's first `count` days, also those without usage; null where usage is not reported by day. */
export function usageByDay(items: readonly UsageItem[], month: BillingMonth, count: number): DayUsage[] | null {
  const reportedDays = new Set(items.map(({ day }) => day));
  // A month that is reported in one sum has the date of one day.
  if (reportedDays.has(null) || (reportedDays.size === 1 && count > 1)) return null;
  return Array.from({ length: count }, (_, index) => {
    const day = getMonthStart(month) + index * dayMs;
    const ofDay = items.filter((item) => item.day === day);
    return { day, minutes: sumMinutes(ofDay), netAmount: netAmount(ofDay).value ?? 0 };
  });
}

/**
 * The sum at the end of the month as a 95 % prediction: the days left vary like the days so far, and the mean of these
 * is itself uncertain. Never below what is used already.
 */
function computeRange(days: readonly number[], left: number): Range {
  const centre = mean(days) ?? 0;
  const used = days.reduce((sum, value) => sum + value, 0);
  const variance = days.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (days.length - 1);
  const spread = 1.96 * Math.sqrt(variance * (left + left ** 2 / days.length));
  const expected = used + centre * left;
  return { low: roundTo(Math.max(used, expected - spread), 2), high: roundTo(expected + spread, 2) };
}
