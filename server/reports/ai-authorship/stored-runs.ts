import type { AttemptSum, StoredRuns } from '../../metrics/ai-authorship/comparison/measure-runs.ts';
import { findMinutePrice } from '../../metrics/cost/job-cost.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import type { Store } from '../../store/orm.ts';
import type { JobsPart } from '../../store/pull-request-runs.ts';
import type { ComparedRepository } from './cells.ts';

/** When some months begin, and by when what came of all of them counts. */
export interface MonthSpan {
  starts: readonly Instant[];
  settledAt: Instant;
}

/**
 * The stored runs for pull requests of a repository of the months of which all are stored; null
 * where there is none. Part of a month is none: what is read later would show what came of a few.
 */
export async function readRuns(
  repository: Pick<ComparedRepository, 'id' | 'private'>,
  { starts, settledAt }: MonthSpan,
  { runs }: Pick<Store, 'runs'>,
): Promise<StoredRuns | null> {
  const [state] = await runs.syncStates([repository.id]);
  if (!state || state.syncedThrough < settledAt) return null;
  const knownFrom = await runs.knownFrom(state.repoId);
  const stored = starts.filter((start) => knownFrom !== null && start >= knownFrom);
  if (stored.length === 0) return null;
  const window = { from: Math.min(...stored), to: settledAt };
  const attempts = await runs.ofPullRequests(state.repoId, window);
  return { window, attempts: attempts.map(({ parts, ...run }) => ({ ...run, cost: priceParts(parts, repository) })) };
}

/** At the list prices of the time; null where a job has no known duration or price. */
function priceParts(
  parts: readonly JobsPart[] | null,
  { private: isPrivate }: Pick<ComparedRepository, 'private'>,
): AttemptSum | null {
  if (parts === null) return null;
  const sum = { minutes: 0, usd: 0 };
  for (const { labels, startedAt, untimed, minutes } of parts) {
    if (untimed > 0) return null;
    if (minutes === 0) continue;
    const { usdPerMinute } = findMinutePrice({ labels: labels ?? [], startedAt }, { isPublic: !isPrivate });
    if (usdPerMinute === null) return null;
    sum.minutes += minutes;
    sum.usd += minutes * usdPerMinute;
  }
  return sum;
}
