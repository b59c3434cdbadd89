import type { Context } from '../../access/context.ts';
import { mayUse } from '../../access/decision.ts';
import type { OpenPullRequest } from '../../metrics/kernel/delivery-facts.ts';
import { reviewWaitDays } from '../../metrics/people/profile.ts';
import { ifReadable } from '../kernel/coverage.ts';
import type { PersonFacts } from './facts.ts';

/** Repositories whose open pull requests are read for one person: each is a request of its own. */
const maxRepositories = 5;

/** How long reviews that are requested of the person have waited in these repositories, given as `owner/name`. */
export async function waitingReviews(
  names: readonly string[],
  { now, subject }: Pick<PersonFacts, 'now' | 'subject'>,
  context: Context,
): Promise<number[]> {
  if (!(await mayUse('prLifecycle', context))) return [];
  const codehost = await context.codehost();
  const listings = await Promise.all(
    names.slice(0, maxRepositories).map((name) => {
      const [owner = '', repo = ''] = name.split('/');
      return ifReadable(codehost.pullRequests.open({ owner, repo }));
    }),
  );
  const open = listings.flatMap((one): OpenPullRequest[] => one?.items ?? []);
  return reviewWaitDays(open, now, subject);
}
