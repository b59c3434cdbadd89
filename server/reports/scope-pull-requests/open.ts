import type { Context } from '../../access/context.ts';
import { type OpenPullRequests, readOpenOfRepositories } from '../../facts/open-pull-requests.ts';
import type { CiScope } from '../ci/reading.ts';
import { cover } from '../ci/scope-coverage.ts';

/** By repository the pull requests that were open when they were last read; absent where they were not read lately. */
export type OpenOfScope = ReadonlyMap<number, OpenPullRequests>;

/** From what synchronization stored; of the sample organization, which has no database, from its own facts. */
export async function readOpen({ repositories }: CiScope, context: Context): Promise<OpenOfScope> {
  if (!context.isDemo)
    return readOpenOfRepositories([...repositories.keys()], context.store, context.services.clock.now());
  const codehost = await context.codehost();
  const read = await Promise.all(
    [...repositories.values()].map(async ({ id, name }) => {
      const [owner = '', repo = ''] = name.split('/');
      const { items, asOf, partial } = await codehost.pullRequests.open(
        await codehost.repositories.get({ owner, repo }),
      );
      return [id, { items, asOf, partial, complete: !partial }] as const;
    }),
  );
  return new Map(read);
}

/** Of which repositories open pull requests are known, each as far as it was read. */
export const coverOpen = (scope: CiScope, open: OpenOfScope) =>
  cover(scope, (id) => {
    const known = open.get(id);
    if (!known) return { included: false, reason: 'not_yet_read' };
    if (known.complete) return { included: true, reason: null };
    return { included: true, reason: known.partial ? 'page_cap' : 'sub_fetch_failed' };
  });
