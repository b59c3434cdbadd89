import type { z } from 'zod';
import type { Context } from '../../access/context.ts';
import { nameHost } from '../../platform/host-name.ts';
import { Problem } from '../../platform/problem.ts';
import type { SyncSteps } from '../../sync/sync-repositories.ts';
import type { SyncReport } from './sync.ts';

type Result = z.output<typeof SyncReport>;

type State =
  | { state: 'running'; steps: SyncSteps | null }
  | { state: 'done'; result: Result }
  | { state: 'failed'; error: string };

/** A synchronization that an account started from a page. `interrupted`: its process ended before it did. */
export type StartedSync = (State | { state: 'interrupted' }) & { at: number };

/** What is synchronized: an organization, a repository, or without either what the account has stored. */
export interface SyncScope {
  org?: string | undefined;
  owner?: string | undefined;
  repo?: string | undefined;
}

/** How long a page shows what a synchronization did. */
const shownMs = 600_000;
/** No repository takes longer than its share of a synchronization and the last of its requests. */
const silentMs = 120_000;

const toAccountKey = async (context: Context) => `sync-started:${(await context.actor()).id}`;

const toKey = async (context: Context, { org, owner, repo }: SyncScope) =>
  `${await toAccountKey(context)}:${(owner && repo ? `${owner}/${repo}` : (org ?? '')).toLowerCase()}`;

/**
 * Begins a synchronization behind the answer; false where the account has one of this scope running already. How far it
 * is and what came of it is stored for the account's pages.
 */
export async function beginSync(
  context: Context,
  scope: SyncScope,
  work: (report: (steps: SyncSteps) => void) => Promise<Result>,
): Promise<boolean> {
  const { services, store, requestId } = context;
  const [key, accountKey] = await Promise.all([toKey(context, scope), toAccountKey(context)]);
  const begun = Promise.withResolvers<boolean>();
  let stored: Promise<unknown> = Promise.resolve();
  const save = (state: State) => {
    const now = services.clock.now();
    const put = (at: string) => services.answers.put(at, state, now, now + shownMs);
    stored = stored.catch(() => undefined).then(() => Promise.all([key, accountKey].map(put)));
    return stored;
  };
  const carryOut = async () => {
    await save({ state: 'running', steps: null });
    begun.resolve(true);
    const report = (steps: SyncSteps) => void save({ state: 'running', steps }).catch(() => undefined);
    await save(await finish(context, () => work(report)));
  };
  services.background.begin(async () => {
    await store.leases.hold(key, requestId, carryOut).then(
      () => begun.resolve(false),
      (error: unknown) => {
        services.log.error({ err: error, request_id: requestId }, 'the state of a synchronization is not stored');
        begun.reject(error);
      },
    );
  });
  return begun.promise;
}

async function finish({ services: { log, env }, requestId }: Context, work: () => Promise<Result>): Promise<State> {
  try {
    return { state: 'done', result: await work() };
  } catch (error) {
    if (error instanceof Problem) return { state: 'failed', error: nameHost(error.message, env) };
    log.error({ err: error, request_id: requestId }, 'a synchronization failed');
    return { state: 'failed', error: `Something went wrong. Request ID: ${requestId}` };
  }
}

/** The synchronization of this scope that the account started last; null where none, or too long ago. */
export const findStartedSync = async (context: Context, scope: SyncScope): Promise<StartedSync | null> =>
  findSync(context, await toKey(context, scope));

/** Whether the synchronization is running that the account started last, whatever its scope. */
export const isSyncRunning = async (context: Context): Promise<boolean> =>
  (await findSync(context, await toAccountKey(context)))?.state === 'running';

async function findSync({ services: { answers, clock } }: Context, key: string): Promise<StartedSync | null> {
  const cached = await answers.get<State>(key);
  if (!cached) return null;
  const { value, madeAt: at } = cached;
  const isSilent = value.state === 'running' && clock.now() - at > silentMs;
  return isSilent ? { state: 'interrupted', at } : { ...value, at };
}
