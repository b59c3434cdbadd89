import type { z } from 'zod';
import { count } from '../../../server/domain/quantity.ts';
import type { ContributorProfile } from '../../../server/reports/profile/answer.ts';

export type Profile = z.output<typeof ContributorProfile>;

/** What is missing, and in which direction the figures err. */
export function missingNote({ coverage: { reasons }, restricted_contributions: hidden }: Profile): string {
  const lowerBoundNote = 'counts are at least what is shown.';
  const notes = {
    forbidden: hidden
      ? `${count(hidden, 'contribution')} of the last 52 weeks in repositories that you cannot see: ${lowerBoundNote}`
      : 'The platform does not let you read the commits, so figures from them are left out.',
    page_cap:
      'There is more than is read: the newest 100 commits in each of ten repositories, the first 50 reviews of a pull ' +
      'request. Figures from commits and reviews are at least what is shown.',
    search_cap: `There are more pull requests than the platform lists: ${lowerBoundNote}`,
    sub_fetch_failed: `The platform did not answer a part of the question: ${lowerBoundNote}`,
    rate_limited: `The platform’s quota ended the reading: ${lowerBoundNote}`,
    upstream_truncated: 'Commits of a bot belong to no account on the platform, so figures from them are left out.',
  };
  return reasons.map((reason) => notes[reason]).join(' ');
}

/** A sentence of both halves, so that a person is compared with themselves alone. */
export const halves = (recent: string, prior: string) => `Last 45 days: ${recent}. The 45 before: ${prior}.`;

/** As a heading, `Ana Lee (ana)`. */
export const fullName = ({ name, login }: Pick<Profile, 'name' | 'login'>) => (name ? `${name} (${login})` : login);
