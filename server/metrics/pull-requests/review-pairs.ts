import { type ContributorSample, sampleRoster } from '../people/contributors.ts';
import { compareLogins, ghostLogin, type People } from '../people/people.ts';
import { humanReviews } from './reviews.ts';

/** How many pull requests of an author a person reviewed. */
export interface ReviewPair {
  /** null where it could not be read. */
  author: string | null;
  reviewer: string;
  count: number;
}

/** Every author and human reviewer, most first. A deleted author is `ghost`; a deleted reviewer forms no pair, reviews that could not be read neither. */
export function reviewPairs(sample: ContributorSample, people: People): ReviewPair[] {
  const roster = sampleRoster(sample, people);
  const counts = new Map<string, { author: string | null; isAuthorUnread: boolean; reviewer: string; count: number }>();
  for (const pullRequest of sample.reviewed) {
    const author = pullRequest.author && people.toKey(pullRequest.author);
    const isAuthorUnread = pullRequest.isAuthorUnread === true;
    const reviewers = (humanReviews(pullRequest, people) ?? []).flatMap(({ reviewer }) => reviewer ?? []);
    for (const reviewer of new Set(reviewers.map(people.toKey))) {
      const pair = JSON.stringify([author, isAuthorUnread, reviewer]);
      const count = (counts.get(pair)?.count ?? 0) + 1;
      counts.set(pair, { author, isAuthorUnread, reviewer, count });
    }
  }
  const getLogin = (key: string | null) => (key === null ? ghostLogin : (roster.get(key)?.login ?? ghostLogin));
  return [...counts.values()]
    .map(({ author, isAuthorUnread, reviewer, count }) => ({
      author: isAuthorUnread ? null : getLogin(author),
      reviewer: getLogin(reviewer),
      count,
    }))
    .sort(
      (a, b) =>
        b.count - a.count || compareLogins(a.author ?? '', b.author ?? '') || compareLogins(a.reviewer, b.reviewer),
    );
}

/** Who carries the reviews, and whose work a single person sees. Starting points for a talk, not verdicts. */
export interface ReviewLoad {
  /** Logins with more than 40 % of all reviews, or more than twice the mean reviewer. */
  overloaded: string[];
  /** Authors with at least three reviewed pull requests, of which one person reviewed at least 80 %. */
  soleReviewer: { author: string; reviewer: string; count: number; reviewed: number }[];
}

/** `reviewedPrs` holds, per author's login, how many of their pull requests were reviewed. */
export function reviewLoad(pairs: readonly ReviewPair[], reviewedPrs: ReadonlyMap<string, number>): ReviewLoad {
  const given = new Map<string, number>();
  for (const { reviewer, count } of pairs) given.set(reviewer, (given.get(reviewer) ?? 0) + count);
  const total = [...given.values()].reduce((sum, count) => sum + count, 0);
  const isOverloaded = (count: number) => 100 * count > 40 * total || count * given.size > 2 * total;
  return {
    overloaded: [...given]
      .filter(([, count]) => isOverloaded(count))
      .map(([login]) => login)
      .sort(compareLogins),
    soleReviewer: pairs
      .flatMap(({ author, reviewer, count }) =>
        author === null ? [] : [{ author, reviewer, count, reviewed: reviewedPrs.get(author) ?? 0 }],
      )
      .filter(({ count, reviewed }) => reviewed >= 3 && 100 * count >= 80 * reviewed)
      .sort((a, b) => compareLogins(a.author, b.author) || compareLogins(a.reviewer, b.reviewer)),
  };
}
