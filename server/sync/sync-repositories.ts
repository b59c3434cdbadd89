import pMap from 'p-map';
import type { Repository } from '../metrics/kernel/facts.ts';
import { stopwatch } from '../platform/clock.ts';
import { type RepositorySync, type SyncOf, type SyncServices, syncRepository } from './sync-repository.ts';

export interface SyncResult {
  durationMs: number;
  /** Repositories that were not begun. */
  remaining: number;
  /** true while anything is left to read. */
  partial: boolean;
  /** true when the platform gives no more for now: to go on at once would bring nothing. */
  quotaSpent: boolean;
  results: RepositorySync[];
}

/** How far a synchronization of several repositories has come. */
export interface SyncSteps {
  total: number;
  done: number;
  /** `owner/name` of those that are being read. */
  current: string[];
  /** The one after them; null when all have begun. */
  next: string | null;
}

export interface SyncRequest extends SyncOf {
  repositories: readonly Repository[];
  /** Called whenever a repository begins. */
  report?(steps: SyncSteps): void;
  /** No repository and no request is begun after this long. */
  budgetMs: number;
  /** Nor after this is raised: what was read by then is stored, and the next call goes on there. */
  signal: AbortSignal;
}

/**
 * Synchronizes repositories, four side by side, and keeps a row about it. One that fails does not stop the others; a
 * spent quota does.
 * @throws Problem when the platform rejects the token.
 */
export async function syncRepositories(services: SyncServices, request: SyncRequest): Promise<SyncResult> {
  const { clock } = services;
  const { jobRuns } = request.store;
  // Not the slot of a day: what one person requested does not replace the nightly work.
  const row = await jobRuns.start({ job: 'runs-sync', slot: 'manual', trigger: 'manual', now: clock.now() });
  try {
    const result = await syncAll(services, request);
    const failed = result.results.filter(({ status }) => status === 'error').length;
    const summary = { repositories: result.results.length, failed, remaining: result.remaining };
    await jobRuns.finish(row, { status: result.partial ? 'partial' : 'done', summary, now: clock.now() });
    return result;
  } catch (error) {
    await jobRuns.finish(row, { status: 'failed', summary: {}, now: clock.now() }).catch(() => undefined);
    throw error;
  }
}

async function syncAll(services: SyncServices, request: SyncRequest): Promise<SyncResult> {
  const elapsed = stopwatch(services.clock);
  let quotaSpent = false;
  const fatal: unknown[] = [];
  const mayContinue = () =>
    !quotaSpent && fatal.length === 0 && !request.signal.aborted && elapsed() < request.budgetMs;
  const names = request.repositories.map(({ owner, repo }) => `${owner}/${repo}`);
  const current = new Set<string>();
  let begun = 0;
  const attempt = async (repository: Repository, index: number) => {
    if (!mayContinue()) return null;
    const name = names[index] as string;
    current.add(name);
    begun += 1;
    request.report?.({
      total: names.length,
      done: begun - current.size,
      current: [...current],
      next: names[begun] ?? null,
    });
    try {
      const result = await syncRepository(services, request, repository, mayContinue);
      quotaSpent ||= result.code === 'upstream_rate_limited';
      return result;
    } catch (error) {
      fatal.push(error);
      return null;
    } finally {
      current.delete(name);
    }
  };
  const all = await pMap(request.repositories, attempt, { concurrency: 4 });
  // The others have come to their end by now, so that nothing goes on behind the answer.
  if (fatal.length > 0) throw fatal[0];
  const results = all.filter((one) => one !== null);
  const remaining = all.length - results.length;
  const partial = remaining > 0 || results.some(({ status }) => status === 'partial');
  return { durationMs: elapsed(), remaining, partial, quotaSpent, results };
}
