import type { ChangeReads, Changes } from '../codehost/changes/client.ts';
import type { Repository } from '../metrics/kernel/facts.ts';
import { dayMs } from '../metrics/kernel/window.ts';
import { Problem } from '../platform/problem.ts';
import type { FactRepository, SyncState } from './fact-repository.ts';
import { countNew } from './is-contiguous.ts';

/** How old the commits of most branches are when they are merged. */
const branchMs = 14 * dayMs;

/**
 * The changes with the commits of merged branches. History is listed by when commits were made, so that those that came
 * with a merge commit are older than the last reading. Where more are on top of the branch than were found, it is
 * requested once more from two weeks before; what is older still is read with everything.
 */
export async function withMergedBranches(
  { codehost, factRepository }: { codehost: ChangeReads; factRepository: FactRepository },
  repository: Repository,
  syncStates: readonly SyncState[],
  changes: Changes,
): Promise<Changes> {
  const before = syncStates.find(({ kind }) => kind === 'commits') as SyncState<'commits'> | undefined;
  const change = changes.commits;
  if (!before || !change?.reached || change.added === null) return changes;
  if (change.added <= (await countNew(factRepository, repository, before, change.items))) return changes;
  const wanted = { commits: { since: before.through - branchMs, head: before.head } };
  try {
    const { commits } = await codehost.changes(repository, wanted);
    return commits ? { ...changes, commits } : changes;
  } catch (error) {
    if (error instanceof Problem) return changes;
    throw error;
  }
}
