import { count } from '../../../../server/domain/quantity.ts';
import type { Contributors } from './operations.ts';

/** What could not be read of the pull requests, and in which direction the numbers err. */
export function whatIsMissing({ coverage, prs_opened_in_window: opened, window_days: days }: Contributors): string {
  const { reasons, reviews_truncated_prs: truncated, read, expected } = coverage;
  const has = (reason: (typeof reasons)[number]) => reasons.includes(reason);
  const uncounted = days !== null && opened === null;
  const isTruncated = has('search_cap') || has('page_cap');
  return [
    isTruncated
      ? `Only the newest ${count(read, 'pull request')}${expected === null ? '' : ` of ${expected}`} could be read, so counts are at least these and earlier work is missing.`
      : '',
    uncounted ? 'It could not be read who opened what is still open, so opened pull requests are not told.' : '',
    !uncounted && !isTruncated && (has('sub_fetch_failed') || has('rate_limited'))
      ? 'Some pull requests could not be read, so counts are at least these.'
      : '',
    moreReviews(truncated),
    truncated === 0 && has('upstream_truncated')
      ? 'The platform counts another number of opened pull requests than it lists, so opened ones per person may be off by a few.'
      : '',
  ]
    .filter(Boolean)
    .join(' ');
}

/** Said of pull requests whose reviews could not all be read; nothing without any. */
export const moreReviews = (pullRequests: number): string =>
  pullRequests > 0
    ? `${count(pullRequests, 'pull request has', 'pull requests have')} more reviews than were read: reviews given are at least these, and a late review may be missing.`
    : '';
