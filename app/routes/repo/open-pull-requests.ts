import { figures } from '../../../server/domain/quantity.ts';
import type { OpenPullRequests } from './panels.ts';

export const pullRequestFeature = {
  label: 'Pull request life cycle',
  shows: 'open pull requests by state, review and merge times',
};

/** What is missing where not everything about the open ones could be read. */
export function incomplete({ total_open: total, fetched_prs: read }: OpenPullRequests): string {
  return read < total
    ? `Only the oldest ${figures(read)} of ${figures(total)} open pull requests are loaded: counts are minimums.`
    : 'Partial data for long reviews: rounds are minimums, and times are approximate.';
}
