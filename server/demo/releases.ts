import type { Release } from '../metrics/kernel/delivery-facts.ts';
import type { Instant } from '../metrics/kernel/facts.ts';
import { day, hour } from './calendar.ts';
import type { WorldCommit } from './commits.ts';

/** A release every so many days, a few hours after the commit it is made of; each fourth was tried out before. */
export function createReleases(commits: WorldCommit[], every: number | null, now: Instant): Release[] {
  if (every === null || commits.length === 0) return [];
  const oldest = commits.at(-1)?.committedAt ?? now;
  const count = Math.floor((now - oldest) / (every * day));
  const published = Array.from({ length: count }, (_, index) => {
    const due = now - (index + 0.4) * every * day;
    const newest = commits.find((one) => one.committedAt <= due)?.committedAt ?? oldest;
    return { minor: count - index + 3, at: Math.min(newest + 2 * hour, now - hour) };
  });
  const all = published.flatMap(({ minor, at }) => [
    release(`v4.${minor}.0`, at),
    ...(minor % 4 === 0 ? [{ ...release(`v4.${minor}.0-rc.1`, at - 20 * hour), isPrerelease: true }] : []),
  ]);
  return all.sort((one, other) => (other.publishedAt ?? 0) - (one.publishedAt ?? 0));
}

const release = (tag: string, publishedAt: Instant): Release => ({
  tag,
  publishedAt,
  isPrerelease: false,
  isDraft: false,
  htmlUrl: '#',
});
