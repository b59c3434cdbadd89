import { dayOfMonthText } from '../../domain/day-text.ts';
import type { HeadStatus, Instant } from '../kernel/facts.ts';
import type { Calendar } from '../people/workday-hours.ts';
import type { RunHealth } from './health.ts';
import { recentSlowdowns, type Slowdown } from './slowdowns.ts';

/** What is known of a repository when a list is put in order. */
export interface AttentionFacts {
  /** Owner and name, as shown; the last resort of the order. */
  name: string;
  headStatus: HeadStatus | null;
  health: RunHealth | null;
  pushedAt: Instant | null;
  archived: boolean;
  /** Its workflows that became slower, of any age; null when that is not known. */
  slowdowns: readonly Slowdown[] | null;
}

/** At which moment, and in which zone days are reported. */
export interface AttentionMoment {
  now: Instant;
  calendar: Calendar;
}

/** From "look here first" to "nothing to see". */
export const attentionLevels = ['failing', 'slowing', 'active', 'quiet', 'archived'] as const;
export type AttentionLevel = (typeof attentionLevels)[number];

export interface Attention {
  level: AttentionLevel;
  /** One plain sentence. */
  reason: string;
}

/** Why, and how much, a repository needs attention. */
export function computeAttention(facts: AttentionFacts, { now, calendar }: AttentionMoment): Attention {
  if (facts.archived) return { level: 'archived', reason: 'Archived.' };
  const failing = failingReason(facts);
  if (failing !== null) return { level: 'failing', reason: failing };
  const [slowest, ...others] = recentSlowdowns(facts.slowdowns ?? [], now);
  if (slowest) return { level: 'slowing', reason: slowingReason(slowest, others.length, calendar) };
  if (facts.pushedAt === null) return { level: 'quiet', reason: 'No push known.' };
  const days = Math.max(0, Math.floor((now - facts.pushedAt) / dayMs));
  if (days > quietAfterDays) return { level: 'quiet', reason: `No push for ${days} days.` };
  return { level: 'active', reason: `${headSentence(facts)}Last push ${daysAgo(days)}.` };
}

/** What needs attention first; among equals the latest push, then the name. The given list stays as it is. */
export function byAttention<Facts extends AttentionFacts>(
  repositories: readonly Facts[],
  moment: AttentionMoment,
): { repository: Facts; attention: Attention }[] {
  return repositories
    .map((repository) => ({ repository, attention: computeAttention(repository, moment) }))
    .sort(
      (a, b) =>
        rank(a.attention) - rank(b.attention) ||
        comparePushes(a.repository.pushedAt, b.repository.pushedAt) ||
        compareNames(a.repository.name, b.repository.name),
    );
}

const dayMs = 86_400_000;
const quietAfterDays = 90;

/** Without a checked head, the recent runs of the default branch speak for it. */
function failingReason({ headStatus, health }: AttentionFacts): string | null {
  if (headStatus === 'failure') return 'Checks fail on the default branch.';
  if (headStatus === 'error') return 'Checks errored on the default branch.';
  if (headStatus === 'success' || health?.label !== 'poor') return null;
  return `Recent runs often fail: run health ${health.score} of 100.`;
}

/** `CI takes 14 min instead of 9 min since 12 Nov.`, by the medians of the two levels. */
function slowingReason({ workflow, fromMs, toMs, since }: Slowdown, others: number, calendar: Calendar): string {
  const change = `takes ${timeText(toMs)} instead of ${timeText(fromMs)} since ${dayOfMonthText(calendar.getDay(since))}.`;
  const more = others === 1 ? ' 1 more workflow became slower.' : ` ${others} more workflows became slower.`;
  return `${workflow ?? 'A workflow without a name'} ${change}${others === 0 ? '' : more}`;
}

/** In its two largest parts: `45 s`, `3 min 20 s`, `2 h 5 min`. */
function timeText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  const first = parts.findIndex((part) => part > 0);
  if (first === -1) return '0 s';
  const texts = parts.map((part, index) => (part > 0 ? `${part} ${['h', 'min', 's'][index]}` : ''));
  return texts
    .slice(first, first + 2)
    .filter((text) => text !== '')
    .join(' ');
}

function headSentence({ headStatus, health }: AttentionFacts): string {
  if (health?.label === 'poor') return `Green now, but recent runs often failed: run health ${health.score} of 100. `;
  if (headStatus === 'pending') return 'Checks are running on the default branch. ';
  return headStatus === 'success' ? 'Checks pass on the default branch. ' : '';
}

function daysAgo(days: number): string {
  if (days === 0) return 'within a day';
  return days === 1 ? '1 day ago' : `${days} days ago`;
}

function rank({ level }: Attention): number {
  return attentionLevels.indexOf(level);
}

function comparePushes(a: Instant | null, b: Instant | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return b - a;
}

/** By code units, so that the order does not depend on the machine's language. */
function compareNames(a: string, b: string): number {
  const [left, right] = [a.toLowerCase(), b.toLowerCase()];
  if (left !== right) return left < right ? -1 : 1;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
