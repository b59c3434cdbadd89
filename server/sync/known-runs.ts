import { LRUCache } from 'lru-cache';
import type { Codehost } from '../codehost/client/client.ts';
import type { Instant, RepositoryName, WorkflowRun } from '../metrics/kernel/facts.ts';
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
}

const day = 86_400_000;
/** An attempt may live 35 days. */
const attemptLife = 36 * day;
/** A run can be re-run for 30 days, and the last attempt lives on from there. */
const runLife = 30 * day + attemptLife;

const refreshLimit = 50;
const openLimit = 500;

/**
 * Requests again the runs that had not ended when they were last seen, the longest unseen first. false when time ended.
 */
export async function refreshUnfinished(completion: Completion): Promise<boolean> {
  const { store, codehost, repoId, name, startedAt, refreshAfterMs, mayContinue, storeRuns } = completion;
  const open = await store.runs.unfinished(repoId, startedAt - runLife, openLimit);
  const due = open.filter(
    (run) => run.syncedAt < startedAt - refreshAfterMs && (run.startedAt ?? run.createdAt) >= startedAt - attemptLife,
  );
  for (const { id, createdAt } of due.slice(0, refreshLimit)) {
    if (!mayContinue()) return false;
    const run = await codehost.runs.get(name, id);
    if (run) await storeRuns([run]);
    else await forgetGone(completion, id, createdAt);
  }
  return true;
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
  const { store, codehost, repoId, name, startedAt, mayContinue, storeEarlier } = completion;
  const missing = await store.runs.missingAttempts(repoId, startedAt - runLife, missingLimit);
  const wanted = missing.filter((one) => !absent.has(toKey(repoId, one)));
  for (const one of wanted.slice(0, attemptLimit)) {
    if (!mayContinue()) return false;
    const attempt = await codehost.runs.attempt(name, one.id, one.attempt);
    if (attempt) await storeEarlier(attempt);
    else absent.set(toKey(repoId, one), true);
  }
  return wanted.length <= attemptLimit;
}

const toKey = (repoId: number, { id, attempt }: { id: number; attempt: number }) => `${repoId}/${id}/${attempt}`;
