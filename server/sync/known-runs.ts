import { LRUCache } from 'lru-cache';
import type { Codehost } from '../codehost/client/client.ts';
import type { Instant, RepositoryName, WorkflowRun } from '../metrics/kernel/facts.ts';
import { Problem } from '../platform/problem.ts';
import type { Store } from '../store/orm.ts';

/** Brings runs up to date that the store knows to be incomplete. */
export interface Completion {
  codehost: Codehost;
  store: Store;
  repoId: number;
  name: RepositoryName;
  /** What was seen since then is not requested again. */
  startedAt: Instant;
  /** Nor is an unfinished run that was seen less long ago. */
  refreshAfterMs: number;
  mayContinue(): boolean;
  storeRuns(runs: WorkflowRun[]): Promise<void>;
  /** Stores an attempt that is not the latest of its run. */
  storeEarlier(attempt: WorkflowRun): Promise<void>;
  /** Why one of them could not be read. */
  skip(problem: Problem): void;
}

const day = 86_400_000;
/** An attempt may live 35 days. */
const attemptLife = 36 * day;
/** A run can be re-run for 30 days, and the last attempt lives on from there. */
const runLife = 30 * day + attemptLife;

const refreshLimit = 50;
const openLimit = 500;

/** So many in a row are no matter of the single run. */
const maxFailures = 3;

/** What the platform did not give lately, though it gave others. */
const failed = new LRUCache<string, true>({ max: 10_000, ttl: day });

/**
 * Reads at most so many of them. One that the platform does not give is skipped, and comes last for a day, so that it
 * holds up no other. false when time ended.
 * @throws Problem when the platform gives none.
 */
async function readEach<One extends { id: number; attempt: number }>(
  all: readonly One[],
  limit: number,
  { repoId, mayContinue, skip }: Completion,
  readOne: (one: One) => Promise<void>,
): Promise<boolean> {
  const hasFailed = (one: One) => Number(failed.has(toKey(repoId, one)));
  let failures = 0;
  for (const one of all.toSorted((a, b) => hasFailed(a) - hasFailed(b)).slice(0, limit)) {
    if (!mayContinue()) return false;
    try {
      await readOne(one);
      failures = 0;
    } catch (error) {
      if (!(error instanceof Problem) || ofToken.has(error.code) || ++failures === maxFailures) throw error;
      failed.set(toKey(repoId, one), true);
      skip(error);
    }
  }
  return true;
}

/** Problems of the token, whatever is requested with it. */
const ofToken: ReadonlySet<string> = new Set(['unauthenticated', 'upstream_rate_limited']);

/**
 * Requests again the runs that had not ended when they were last seen, the longest unseen first. false when time ended.
 */
export async function refreshUnfinished(completion: Completion): Promise<boolean> {
  const { store, codehost, repoId, name, startedAt, refreshAfterMs, storeRuns } = completion;
  const open = await store.runs.unfinished(repoId, startedAt - runLife, openLimit);
  const due = open.filter(
    (run) => run.syncedAt < startedAt - refreshAfterMs && (run.startedAt ?? run.createdAt) >= startedAt - attemptLife,
  );
  return readEach(due, refreshLimit, completion, async ({ id, createdAt }) => {
    const run = await codehost.runs.get(name, id);
    if (run) await storeRuns([run]);
    else await forgetGone(completion, id, createdAt);
  });
}

/** A repository that is hidden by now has no runs either: only a list without the run proves that it was deleted. */
async function forgetGone({ codehost, store, repoId, name }: Completion, id: number, createdAt: Instant) {
  const { runs, totalCount } = await codehost.runs.window(name, createdAt, createdAt, 1);
  if (runs.length >= totalCount && runs.every((run) => run.id !== id)) await store.runs.gone(repoId, id);
}

const attemptLimit = 50;
const missingLimit = 1000;

/** Attempts that the platform does not have. */
const absent = new LRUCache<string, true>({ max: 10_000, ttl: day });

/**
 * The platform lists only the latest attempt of a run; earlier ones are fetched once and never change.
 * false when some are left.
 */
export async function storeEarlierAttempts(completion: Completion): Promise<boolean> {
  const { store, codehost, repoId, name, startedAt, storeEarlier } = completion;
  const missing = await store.runs.missingAttempts(repoId, startedAt - runLife, missingLimit);
  const wanted = missing.filter((one) => !absent.has(toKey(repoId, one)));
  const isInTime = await readEach(wanted, attemptLimit, completion, async (one) => {
    const attempt = await codehost.runs.attempt(name, one.id, one.attempt);
    if (attempt) await storeEarlier(attempt);
    else absent.set(toKey(repoId, one), true);
  });
  return isInTime && wanted.length <= attemptLimit;
}

const toKey = (repoId: number, { id, attempt }: { id: number; attempt: number }) => `${repoId}/${id}/${attempt}`;
