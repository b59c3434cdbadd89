import type { HeadStatus, Instant } from './facts.ts';
import type { RunHealth } from './run-health.ts';

/** What is known of a repository when a list is put in order. */
export interface AttentionFacts {
  /** Owner and name, as shown; the last resort of the order. */
  name: string;
  headStatus: HeadStatus | null;
  health: RunHealth | null;
  pushedAt: Instant | null;
  archived: boolean;
  /** True when its runs are known to take longer than before; null or absent when nobody looked. */
  slowing?: boolean | null;
}

/** From "look here first" to "nothing to see". */
export const attentionLevels = ['failing', 'slowing', 'active', 'quiet', 'archived'] as const;
export type AttentionLevel = (typeof attentionLevels)[number];

export interface Attention {
  level: AttentionLevel;
  /** One plain sentence. */
  reason: string;
}

/** Why, and how much, a repository asks to be looked at. */
export function attentionOf(facts: AttentionFacts, now: Instant): Attention {
  if (facts.archived) return { level: 'archived', reason: 'Archived.' };
  const failing = failingReason(facts);
  if (failing !== null) return { level: 'failing', reason: failing };
  if (facts.slowing === true) return { level: 'slowing', reason: 'Runs take longer than before.' };
  if (facts.pushedAt === null) return { level: 'quiet', reason: 'No push known.' };
  const days = Math.max(0, Math.floor((now - facts.pushedAt) / dayMs));
  if (days > quietAfterDays) return { level: 'quiet', reason: `No push for ${days} days.` };
  return { level: 'active', reason: `${headSentence(facts)}Last push ${daysAgo(days)}.` };
}

/** What needs attention first; among equals the latest push, then the name. The given list stays as it is. */
export function byAttention<Facts extends AttentionFacts>(
  repositories: readonly Facts[],
  now: Instant,
): { repository: Facts; attention: Attention }[] {
  return repositories
    .map((repository) => ({ repository, attention: attentionOf(repository, now) }))
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
  if (headStatus === 'error') return 'Checks ended in an error on the default branch.';
  if (headStatus === 'success' || health?.label !== 'poor') return null;
  return `Recent runs often fail: health ${health.score} of 100.`;
}

function headSentence({ headStatus, health }: AttentionFacts): string {
  if (health?.label === 'poor') return `Green now, but recent runs often failed: health ${health.score} of 100. `;
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
