import { createEvaluateAfterSync } from '../../server/alerts/evaluate-after-sync.ts';
import type { Codehost } from '../../server/codehost/client/client.ts';
import type { Clock } from '../../server/platform/clock.ts';
import { readEnv } from '../../server/platform/env.ts';
import { createLog } from '../../server/platform/log.ts';
import type { Store } from '../../server/store/orm.ts';
import type { StoredRun } from '../../server/store/stored-run.ts';
import { type SyncRequest, syncRepositories } from '../../server/sync/sync-repositories.ts';
import { inCreatedRange } from '../codehost-double/created-range.ts';
import type { Double } from '../codehost-double/double.ts';
import { type DoubleRepository, latestRuns, repositoryOf } from '../codehost-double/world.ts';
import { recount } from '../store/recount.ts';

export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

export const environment = (env: Record<string, string> = {}) =>
  readEnv({ NODE_ENV: 'test', SESSION_SECRET: 'k3Jd92lsQpeR8vTz0xWn5yBcGhUaFmXo', ...env });

interface Staged {
  codehost: Codehost;
  store: Store;
  clock: Clock;
  env?: Record<string, string>;
}

/** Synchronizes repositories of the double's world by name, as a request of a person does. */
export async function synchronize(
  double: Pick<Double, 'world'>,
  names: string[],
  { codehost, store, clock, env = {} }: Staged,
  rest: Partial<SyncRequest> = {},
) {
  const repositories = names.map((name) => repositoryOf(double.world, name).facts);
  const shared = { env: environment(env), clock, log: createLog('silent') };
  const services = { ...shared, evaluateAfterSync: createEvaluateAfterSync({ ...shared, store, queue: null }) };
  return syncRepositories(services, {
    codehost,
    store,
    repositories,
    trackedBy: 'ann',
    source: 'sync',
    budgetMs: 50_000,
    signal: AbortSignal.any([]),
    ...rest,
  });
}

/** Reads of runs straight from a world, by the platform's rules, without the way over HTTP. */
export function runsOf(repository: DoubleRepository, before: () => void = () => undefined): Codehost['runs'] {
  const attempts = (id: number) => repository.runs.get(id) ?? [];
  const answerAfter = async <T>(answer: () => T): Promise<T> => {
    before();
    return answer();
  };
  const unexpected = () => Promise.reject(new Error('not asked by a synchronization'));
  return {
    ofWorkflow: unexpected,
    ofBranch: unexpected,
    recent: unexpected,
    completed: unexpected,
    countSince: unexpected,
    window: (_name, from, to, page) =>
      answerAfter(() => {
        const range = `${new Date(floorToSecond(from)).toISOString()}..${new Date(floorToSecond(to)).toISOString()}`;
        const runs = latestRuns(repository).filter((run) => inCreatedRange(run.createdAt, range));
        return { totalCount: runs.length, runs: runs.slice(0, 1000).slice((page - 1) * 100, page * 100), unread: 0 };
      }),
    get: (_name, id) => answerAfter(() => attempts(id).at(-1) ?? null),
    attempt: (_name, id, attempt) => answerAfter(() => attempts(id).find((run) => run.attempt === attempt) ?? null),
  };
}

const floorToSecond = (instant: number) => Math.floor(instant / second) * second;

type Comparable = Pick<StoredRun, 'id' | 'attempt' | 'status' | 'conclusion' | 'createdAt' | 'startedAt' | 'updatedAt'>;

const comparable = ({ id, attempt, status, conclusion, createdAt, startedAt, updatedAt }: Comparable): Comparable => ({
  id,
  attempt,
  status,
  conclusion,
  createdAt,
  startedAt,
  updatedAt,
});

const inOrder = (runs: Comparable[]) => runs.map(comparable).sort((a, b) => a.id - b.id || a.attempt - b.attempt);

/** Every attempt the platform has. */
export const platformRuns = (repository: DoubleRepository) => inOrder([...repository.runs.values()].flat());

/** Every attempt the store has. */
export const storedRuns = async (store: Store, repoId: number) =>
  inOrder(await store.runs.attempts(repoId, { since: 0, limit: 100_000 }));

/** The rollups of a repository, and the same counted the slow way. */
export async function rollupsAndRecount(store: Store, repoId: number) {
  const window = { from: '2020-01-01', to: '2035-12-31', timezone: 'UTC' };
  const daily = await store.trends.daily([repoId], window);
  const runs = await store.runs.recent(repoId, { limit: 100_000 });
  return { daily, recounted: recount(runs, 'UTC') };
}

export async function repoIdOf(store: Store, name: string): Promise<number> {
  const tracked = await store.repositories.tracked();
  const known = tracked.find(({ owner, repo }) => `${owner}/${repo}`.toLowerCase() === name.toLowerCase());
  if (!known) throw new Error(`${name} is not stored`);
  return known.id;
}
