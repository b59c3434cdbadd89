import type { Services } from '../access/context.ts';
import type { Instant } from '../metrics/kernel/facts.ts';
import { dayMs, hourMs } from '../metrics/kernel/window.ts';
import type { Store } from '../store/orm.ts';
import type { UnaskedAttempt } from '../store/sampled-logs.ts';

/** So many at a time: what their logs name makes others of the same hour needless. */
const atOnce = 20;
/** Of runs that were created so long ago. */
const withinMs = 3 * dayMs;
/** Around a move that is alarming. */
const aroundMoveMs = 2 * dayMs;
const maxLookedAt = 5000;

/**
 * Has logs read that nobody asked for, before they are deleted: of attempts near an alarming move of a ref that their
 * repository uses; and by the setting of all, or of the first attempt of a workflow in an hour in which not every ref of
 * its repository was named by a log yet. Answers how many.
 */
export async function sampleLogs({
  store,
  env,
  clock,
}: Pick<Services, 'env' | 'clock'> & { store: Store }): Promise<number> {
  if (env.EXPOSURE_LOG_SAMPLE === 'off') return 0;
  const now = clock.now();
  const { exposure } = store;
  const attempts = await exposure.unaskedAttempts(now - withinMs, maxLookedAt);
  if (attempts.length === 0) return 0;
  const near = await listNearMoves(attempts, store, now);
  const chosen =
    near.length > 0 ? near : env.EXPOSURE_LOG_SAMPLE === 'all' ? attempts : await listFirst(attempts, store, now);
  const wanted = chosen.slice(0, atOnce);
  for (const [repositoryId, own] of Map.groupBy(wanted, (one) => one.repositoryId))
    await exposure.wantLogs(repositoryId, own, now);
  return wanted.length;
}

const toKey = ({ actionKey, ref }: { actionKey: string; ref: string }) => `${actionKey} ${ref}`;

async function listNearMoves(
  attempts: readonly UnaskedAttempt[],
  { exposure }: Store,
  now: Instant,
): Promise<UnaskedAttempt[]> {
  const moves = await exposure.alarmingSince(now - withinMs - aroundMoveMs);
  if (moves.length === 0) return [];
  const usesOf = Map.groupBy(await exposure.movableUses(), ({ repoId }) => repoId);
  return attempts.filter(({ repoId, startedAt }) => {
    const used = new Set((usesOf.get(repoId) ?? []).map(toKey));
    return moves.some((move) => Math.abs(move.at - startedAt) <= aroundMoveMs && used.has(toKey(move)));
  });
}

const hourOf = (at: Instant): number => Math.floor(at / hourMs);

async function listFirst(
  attempts: readonly UnaskedAttempt[],
  { exposure }: Store,
  now: Instant,
): Promise<UnaskedAttempt[]> {
  const since = now - withinMs;
  const [starts, named, uses] = [
    await exposure.loggedStarts(since),
    await exposure.namedSince(since),
    await exposure.movableUses(),
  ];
  const seen = new Set(starts.map(toStart));
  const known = new Set(named.map((one) => `${toKey(one)} ${hourOf(one.at)}`));
  const usesOf = Map.groupBy(uses, ({ repoId }) => repoId);
  return attempts.filter((one) => {
    const start = toStart(one);
    const isNew = (usesOf.get(one.repoId) ?? []).some((use) => !known.has(`${toKey(use)} ${hourOf(one.startedAt)}`));
    if (seen.has(start) || !isNew) return false;
    seen.add(start);
    return true;
  });
}

const toStart = ({ repoId, workflowId, startedAt }: Pick<UnaskedAttempt, 'repoId' | 'workflowId' | 'startedAt'>) =>
  `${repoId} ${workflowId} ${hourOf(startedAt)}`;
