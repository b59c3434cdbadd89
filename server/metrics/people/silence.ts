import type { Commit } from '../kernel/delivery-facts.ts';
import type { Instant } from '../kernel/facts.ts';
import { isWithin, lastDaysWindow } from '../kernel/window.ts';
import type { Author, People } from './people.ts';

/** A silence lasts so long. */
export const cliffRecentDays = 14;

/** Earlier commits that make a silence remarkable: three, or three of four weeks in a longer window. */
export function cliffPriorMinimum(windowDays: number): number {
  return Math.max(3, Math.ceil((3 * (windowDays - cliffRecentDays)) / 28));
}

/** The persons of whom a commit came to the branch in the recent days: a rebase merge keeps when it was written. */
export function findLanding(commits: readonly Commit[], now: Instant, people: People): ReadonlySet<string> {
  const recent = lastDaysWindow(cliffRecentDays, now);
  return new Set(
    commits
      .filter(
        ({ parents, committedAt, isAuthorUnread }) => parents <= 1 && !isAuthorUnread && isWithin(committedAt, recent),
      )
      .map(people.toAuthorKey),
  );
}

/** The persons of whom another one has the same account: it was renamed, and facts of before keep its old login. */
export function findRenamed(authors: readonly Author[], people: People): ReadonlySet<string> {
  const keysById = new Map<string, Set<string>>();
  for (const each of authors) {
    const id = /\/u\/(\d+)(?!\d)/.exec(each.author?.avatarUrl ?? '')?.[1];
    if (id === undefined) continue;
    const keys = keysById.get(id) ?? new Set<string>();
    keysById.set(id, keys.add(people.toAuthorKey(each)));
  }
  return new Set([...keysById.values()].flatMap((keys) => (keys.size > 1 ? [...keys] : [])));
}
