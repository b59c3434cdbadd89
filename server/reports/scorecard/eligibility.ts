import type { Instant, Repository } from '../../metrics/kernel/facts.ts';
import { dayMs } from '../../metrics/kernel/window.ts';

export const skipReasons = ['archived', 'fork', 'empty', 'no_activity_90d', 'forbidden', 'failed'] as const;

/** A repository that has no score, and why. */
export interface Skipped {
  repo: string;
  reason: (typeof skipReasons)[number];
}

/** What of an organization is worth scoring: live code of its own, the latest push first. */
export function eligibleAmong(
  repositories: readonly Repository[],
  now: Instant,
): { candidates: Repository[]; skipped: Skipped[] } {
  const candidates: Repository[] = [];
  const skipped: Skipped[] = [];
  for (const repository of repositories) {
    const reason = whySkipped(repository, now);
    if (reason === null) candidates.push(repository);
    else skipped.push({ repo: repository.repo, reason });
  }
  candidates.sort((a, b) => (b.pushedAt ?? 0) - (a.pushedAt ?? 0) || a.repo.localeCompare(b.repo, 'en'));
  return { candidates, skipped };
}

export const activityDays = 90;

function whySkipped({ archived, fork, pushedAt, defaultBranch }: Repository, now: Instant): Skipped['reason'] | null {
  if (archived) return 'archived';
  if (fork) return 'fork';
  if (pushedAt === null || defaultBranch === null) return 'empty';
  return pushedAt < now - activityDays * dayMs ? 'no_activity_90d' : null;
}
