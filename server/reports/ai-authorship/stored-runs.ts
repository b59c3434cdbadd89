import type { OutcomeSources } from '../../metrics/ai-authorship/comparison/measure-outcomes.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import type { Store } from '../../store/orm.ts';

/** When some months begin, and by when what came of all of them counts. */
export interface MonthSpan {
  starts: readonly Instant[];
  settledAt: Instant;
}

/**
 * The stored runs for pull requests of a repository, by the platform's id, of the months of which all are stored; null
 * where there is none. Part of a month is none: what is read later would show what came of a few.
 */
export async function readRuns(
  repositoryId: number,
  { starts, settledAt }: MonthSpan,
  { runs }: Pick<Store, 'runs'>,
): Promise<OutcomeSources['runs']> {
  const [state] = await runs.syncStates([repositoryId]);
  if (!state || state.syncedThrough < settledAt) return null;
  const knownFrom = await runs.knownFrom(state.repoId);
  const stored = starts.filter((start) => knownFrom !== null && start >= knownFrom);
  if (stored.length === 0) return null;
  const window = { from: Math.min(...stored), to: settledAt };
  return { window, attempts: await runs.ofPullRequests(state.repoId, window) };
}
