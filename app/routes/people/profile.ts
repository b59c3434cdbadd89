import type { z } from 'zod';
import { count } from '../../../server/domain/quantity.ts';
import type { ContributorProfile } from '../../../server/reports/profile/answer.ts';

export type Profile = z.output<typeof ContributorProfile>;

/** What is missing, and in which direction the figures err. */
export function missingNote({ coverage: { reasons }, restricted_contributions: hidden }: Profile): string {
  const lowerBoundNote = 'counts are minimums.';
  const notes = {
    forbidden: hidden
      ? `${count(hidden, 'contribution')} of the last 52 weeks in repositories you cannot see: ${lowerBoundNote}`
      : 'You cannot read the commits, so figures based on them are not available.',
    page_cap: `Newest 100 commits of ten repositories, 50 reviews per pull request: ${lowerBoundNote}`,
    search_cap: `Not all pull requests are listed: ${lowerBoundNote}`,
    sub_fetch_failed: `Some data could not be loaded: ${lowerBoundNote}`,
    rate_limited: `The API rate limit was reached: ${lowerBoundNote}`,
    upstream_truncated: 'Commits of bots have no account, so figures based on them are not available.',
  };
  return reasons.map((reason) => notes[reason]).join(' ');
}

/** A sentence of both halves, so that a person is compared with themselves alone. */
export const halves = (recent: string, prior: string) => `45 days: ${recent}, before: ${prior}`;

/** What the bar of a page about one person says: both halves are of the same 90 days, whichever range is chosen. */
export const twoHalves = {
  fixed: ['Last 45 days vs previous 45 days'],
  window: { shown: '45 days', compared: null, because: 'a person is compared with their own past' },
};

/** As a heading, `Ana Lee (ana)`. */
export const fullName = ({ name, login }: Pick<Profile, 'name' | 'login'>) => (name ? `${name} (${login})` : login);
