import type { Services } from '../access/context.ts';
import type { Instant } from '../metrics/kernel/facts.ts';
import { dayMs, hourMs } from '../metrics/kernel/window.ts';
import type { Store } from '../store/orm.ts';
import type { LookedThrough, UnaskedAttempt } from '../store/sampled-logs.ts';

/** So many at a time: what their logs name makes others of the same hour needless. */
const atOnce = 20;
/** Of runs that were created so long ago. */
const withinMs = 3 * dayMs;
/** Around a move that is alarming. */
const aroundMoveMs = 2 * dayMs;
/** So many are looked at in a minute: the next minute goes on behind them. */
const lookedAtOnce = 5000;

/**
 * Has logs read that nobody requested, before they are deleted: of attempts near an alarming move of a ref that their
 * repository uses, each that a run had; and by the setting of all, or of the first attempt of a workflow in an hour in which not every ref of
 * its repository was named by a log yet. Answers how many.
 */
export async function sampleLogs({
  store,
  env,
  clock,
}: Pick<Services, 'env' | 'clock'> & { store: Store }): Promise<number> {
  if (env.EXPOSURE_LOG_SAMPLE === 'off') return 0;
  const now = clock.now();
  const near = await listNearMoves(store, now);
  const wanted = near.length > 0 ? near : await listSample(env.EXPOSURE_LOG_SAMPLE, store, now);
  for (const [repositoryId, own] of Map.groupBy(wanted, (one) => one.repositoryId))
    await store.exposure.wantLogs(repositoryId, own, null);
  return wanted.length;
}

const listSample = async (sample: 'all' | 'first', store: Store, now: Instant): Promise<UnaskedAttempt[]> =>
  sample === 'all' ? store.exposure.unaskedAttempts(now - withinMs, atOnce, null) : listFirst(store, now);

const toKey = ({ actionKey, ref }: { actionKey: string; ref: string }) => `${actionKey} ${ref}`;

async function listNearMoves({ exposure }: Store, now: Instant): Promise<UnaskedAttempt[]> {
  const moves = await exposure.alarmingSince(now - withinMs - aroundMoveMs);
  if (moves.length === 0) return [];
  const usedBy = Map.groupBy(await exposure.movableUses(), toKey);
  const around = moves.flatMap((move) => {
    const repoIds = (usedBy.get(toKey(move)) ?? []).map(({ repoId }) => repoId);
    return repoIds.length === 0 ? [] : { repoIds, from: move.at - aroundMoveMs, to: move.at + aroundMoveMs };
  });
  return around.length === 0 ? [] : exposure.unaskedAround(atOnce, around);
}

/** How far a round through all attempts has come. */
interface Round {
  /** Of the facts when it began. */
  version: string | null;
  /** null at its end: the next begins when something has changed. */
  after: LookedThrough | null;
}

const roundKey = 'sampled-logs';

/** Goes on with the round through all attempts, or begins one where there is something new. */
async function listFirst(store: Store, now: Instant): Promise<UnaskedAttempt[]> {
  const version = (await store.versions.read(['facts'])).get('facts') ?? null;
  const before = (await store.answers.get<Round>(roundKey, now))?.value ?? null;
  if (before?.after === null && before.version === version) return [];
  const round = before?.after ? before : { version, after: null };
  const attempts = await store.exposure.unaskedAttempts(now - withinMs, lookedAtOnce, round.after);
  const first = attempts.length === 0 ? [] : await filterFirst(attempts, store, now);
  const wanted = first.slice(0, atOnce);
  const last = first.length > atOnce ? wanted.at(-1) : attempts.length === lookedAtOnce ? attempts.at(-1) : null;
  const after = last ? { endedAt: last.endedAt, runId: last.runId } : null;
  await store.answers.put(roundKey, { version: round.version, after }, now, withinMs);
  return wanted;
}

const hourOf = (at: Instant): number => Math.floor(at / hourMs);

async function filterFirst(
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
  // Logs name no called workflow.
  const usesOf = Map.groupBy(
    uses.filter(({ kind }) => kind === 'action'),
    ({ repoId }) => repoId,
  );
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
