import type { PullRequest } from '../../server/metrics/kernel/delivery-facts.ts';
import { anActor, aPullRequest, aReview } from '../metrics/delivery-builders.ts';
import { day, hour, minute, randomOf } from '../metrics/worlds.ts';

/** What happened to a pull request, one after the other. */
interface Story {
  number: number;
  author: string;
  createdAt: number;
  isDraft: boolean;
  readyAt: number | null;
  looks: { by: string; at: number }[];
  endedAt: number | null;
  isMerged: boolean;
}

/** Pull requests of four weeks until `end`, of people and a bot. */
export function stories(seed: number, end: number): Story[] {
  const random = randomOf(seed);
  const hours = (most: number) => Math.floor(random() * most * 60) * minute;
  return Array.from({ length: 90 }, (_, index) => {
    const createdAt = end - 28 * day + hours(27 * 24);
    const isDraft = random() < 0.3;
    const readyAt = isDraft && random() < 0.8 ? createdAt + hours(70) : null;
    const looked = (readyAt ?? createdAt) + hours(index % 7 === 0 ? 90 : 20);
    const looks = random() < 0.7 ? [{ by: ['bo', 'cy', 'robot[bot]'][index % 3] as string, at: looked }] : [];
    const endedAt = random() < 0.9 ? looked + hours(50) : null;
    const author = random() < 0.15 ? 'robot[bot]' : 'ann';
    return { number: index + 1, author, createdAt, isDraft, readyAt, looks, endedAt, isMerged: random() < 0.7 };
  });
}

/** The pull requests as the platform shows them then: reported forwards, from what had happened. */
export function shownAt(all: readonly Story[], now: number): PullRequest[] {
  return all
    .filter(({ createdAt }) => createdAt <= now)
    .map(({ number, author, createdAt, isDraft, readyAt, looks, endedAt, isMerged }) => {
      const end = endedAt !== null && endedAt <= now ? endedAt : null;
      const isReady = readyAt !== null && readyAt <= now;
      const seen = looks.filter(({ at }) => at <= now);
      const moments = [createdAt, end ?? 0, isReady ? readyAt : 0, ...seen.map(({ at }) => at)];
      return aPullRequest({
        number,
        author: anActor(author),
        createdAt,
        updatedAt: Math.max(...moments),
        mergedAt: isMerged ? end : null,
        closedAt: end,
        isDraft: isDraft && !isReady,
        reviews: seen.map(({ by, at }) => aReview(by, 'commented', at)),
        clock: isReady ? [{ kind: 'ready_for_review' as const, at: readyAt, login: null }] : [],
      });
    });
}

/** Each night at this time of day, for so many nights until then. */
export const nightsUntil = (end: number, count: number, timeOfDay: number): number[] =>
  Array.from({ length: count }, (_, index) => Math.floor(end / day) * day - (count - 1 - index) * day + timeOfDay);

export const nightOfPullRequests = 4 * hour + 17 * minute;
export const nightOfCommits = 4 * hour + 47 * minute;
