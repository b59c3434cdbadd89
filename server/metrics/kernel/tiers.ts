import type { Calendar } from '../people/workday-hours.ts';
import { getDayWeekday } from '../people/workday-hours.ts';
import { dayMs, hourMs, type Window } from './window.ts';

/** Clusters of the DORA report of 2023, retired by DORA in 2025. */
export type Tier = 'elite' | 'high' | 'medium' | 'low';

/** What each tier means, in words. */
export const tierLevels = {
  frequency:
    'Elite: one or more per workday. High: one or more per 5 workdays. Medium: one or more per 22 workdays. Low: fewer. None for a repository younger than 14 days.',
  leadTime:
    'Elite: under 1 day. High: under 7 days. Medium: under 30 days. Low: 30 days or more. None below 5 pull requests.',
  changeFailure: 'Elite: up to 5 %. High: up to 10 %. Medium: up to 15 %. Low: more.',
  restore: 'Elite: under 1 hour. High: under 1 day. Medium: under 7 days. Low: 7 days or more.',
};

/** By successes per workday: daily, weekly, monthly. Null without a workday. */
export function frequencyTier(successes: number, workdays: number): Tier | null {
  if (workdays === 0) return null;
  if (successes >= workdays) return 'elite';
  if (5 * successes >= workdays) return 'high';
  return 22 * successes >= workdays ? 'medium' : 'low';
}

/** By the median, in ms. */
export function leadTimeTier(ms: number | null): Tier | null {
  return tierBelow(ms, [dayMs, 7 * dayMs, 30 * dayMs]);
}

/** By the unrounded rate, 0–100. */
export function changeFailureTier(rate: number | null): Tier | null {
  if (rate === null) return null;
  if (rate <= 5) return 'elite';
  if (rate <= 10) return 'high';
  return rate <= 15 ? 'medium' : 'low';
}

/** By the median, in ms. */
export function restoreTier(ms: number | null): Tier | null {
  return tierBelow(ms, [hourMs, dayMs, 7 * dayMs]);
}

/** The worst of the known tiers; null when fewer than two are known. */
export function overallTier(tiers: readonly (Tier | null)[]): Tier | null {
  const known = tiers.filter((tier) => tier !== null);
  return known.length < 2 ? null : (order.findLast((tier) => known.includes(tier)) ?? null);
}

/** Mondays to Fridays among the days that end with the window; public holidays are not known. */
export function workdaysIn({ from, to }: Window, calendar: Calendar): number {
  const days = calendar.lastDays(Math.max(1, Math.ceil((to - from) / dayMs)), to);
  return days.filter((day) => getDayWeekday(day) % 6 !== 0).length;
}

/** Under 14 days of age a repository has no frequency worth a tier. */
export function isOldEnough(repositoryCreatedAt: number | null, { to }: Window): boolean {
  return repositoryCreatedAt === null || to - repositoryCreatedAt >= 14 * dayMs;
}

const order: readonly Tier[] = ['elite', 'high', 'medium', 'low'];

function tierBelow(value: number | null, [elite, high, medium]: [number, number, number]): Tier | null {
  if (value === null) return null;
  if (value < elite) return 'elite';
  if (value < high) return 'high';
  return value < medium ? 'medium' : 'low';
}
