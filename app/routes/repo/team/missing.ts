import { count } from '../../../../server/domain/quantity.ts';
import type { Contributors, TeamFigures } from './operations.ts';

/** What could not be read of the pull requests, and in which direction the numbers err. */
export function whatIsMissing({ coverage, prs_opened_in_window: opened, window_days: days }: Contributors): string {
  const { reasons, reviews_truncated_prs: truncated, read, expected } = coverage;
  const has = (reason: (typeof reasons)[number]) => reasons.includes(reason);
  const uncounted = days !== null && opened === null;
  const isTruncated = has('search_cap') || has('page_cap');
  return [
    isTruncated
      ? `Only the newest ${count(read, 'pull request')}${expected === null ? '' : ` of ${expected}`} could be loaded: counts are minimums.`
      : '',
    uncounted ? 'Authors of open pull requests could not be loaded, so opened pull requests are not shown.' : '',
    !uncounted && !isTruncated && (has('sub_fetch_failed') || has('rate_limited'))
      ? 'Some pull requests could not be loaded: counts are minimums.'
      : '',
    moreReviews(truncated),
    truncated === 0 && has('upstream_truncated') ? 'Opened pull requests per person may be off by a few.' : '',
  ]
    .filter(Boolean)
    .join(' ');
}

/** Said of pull requests whose reviews could not all be read; nothing without any. */
export const moreReviews = (pullRequests: number): string =>
  pullRequests > 0
    ? `${count(pullRequests, 'pull request has', 'pull requests have')} more reviews than were loaded: review counts are minimums.`
    : '';

/** Why no review is shown: there was none, or it is not known of anybody. */
export const noReviews = (data: Pick<TeamFigures, 'contributors'>): string =>
  areReviewsUnread(data) ? 'Reviews could not be loaded.' : 'No reviews by others.';

/** Whether it is known of nobody how many reviews they gave. */
export const areReviewsUnread = ({ contributors }: Pick<TeamFigures, 'contributors'>): boolean =>
  contributors.length > 0 && contributors.every(({ reviews_given: given }) => given === null);
