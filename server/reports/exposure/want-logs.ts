import { type Context, changedBy } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import { Problem } from '../../platform/problem.ts';
import { listOfKnownOwner, sameName } from '../repositories/visibility.ts';
import { type JudgedAttempt, judgeAttempts } from './judge-attempts.ts';
import { isInReach } from './reach/reach.ts';
import { type ExposureQuestion, toStretch, toSuspects } from './search-input.ts';
import type { WantedLogs } from './search-schema.ts';

/** So many are read within an hour or two of a token's quota. */
const maxWanted = 1000;
/** So many requests of an organization may be under way (contract of the three answers, section 1.11). */
const maxRunning = 3;
/** More than are read in a day do not wait, whoever asks for them. */
const maxWaiting = 5000;

/**
 * Has the logs read of attempts of which it is not certain whether they were affected. Nothing is requested of the
 * platform meanwhile.
 * @throws Problem where nobody reads logs here, or too many wait already: of the organization, or in all.
 */
export async function wantLogs(input: ExposureQuestion, context: Context): Promise<Domain<typeof WantedLogs>> {
  const { clock, env } = context.services;
  const { store } = context;
  if (!canReadLogs(context))
    throw new Problem(
      'service_token_missing',
      env.CODEHOST_TOKEN ? 'SCHEDULER is off: nothing reads logs.' : 'CODEHOST_TOKEN is not set: nothing reads logs.',
    );
  const now = clock.now();
  const { items: visible } = await listOfKnownOwner(input.org, context);
  const { attempts } = await judgeAttempts(toSuspects(input), toStretch(input, now), visible, context);
  const names = new Map(visible.map((one) => [one.id, `${one.owner}/${one.repo}`]));
  const { readable, next } = planReading(attempts.filter(isRequested(input, names)));
  if (next.length > 0) await assertFewRunning(input.org, context);
  const room = maxWaiting - (await store.exposure.countWaitingLogs());
  if (room <= 0 && next.length > 0)
    throw new Problem('rate_limited', `Logs of ${maxWaiting} attempts wait to be read: ask again when fewer do.`);
  const wanted = next.slice(0, Math.max(0, room));
  if (wanted.length > 0) await noteRequest(input, wanted.length, context);
  for (const [repositoryId, own] of Map.groupBy(wanted, ({ attempt }) => attempt.repositoryId))
    await store.exposure.wantLogs(
      repositoryId,
      own.map(({ attempt, startedAt }) => ({ ...attempt, endedAt: attempt.completedAt ?? startedAt })),
      now,
    );
  return { ok: true, wanted: wanted.length, left: readable.length - wanted.length };
}

async function assertFewRunning(owner: string, { store }: Context): Promise<void> {
  const running = await store.exposure.runningRequests(owner);
  if (running.length < maxRunning) return;
  throw new Problem(
    'rate_limited',
    `${running.length} requests of ${owner} are being read: ask again when one is done.`,
    {
      details: { running: running.map((at) => ({ requested_at: new Date(at).toISOString() })) },
    },
  );
}

/** Who has the service token read what is written down. */
async function noteRequest(input: ExposureQuestion, attempts: number, context: Context): Promise<void> {
  const { org, ...suspect } = input;
  const { actor, requestId, now } = await changedBy(context);
  const entry = {
    category: 'access' as const,
    action: 'exposure.logs_requested',
    actor,
    targetType: 'organization',
    target: org,
    before: null,
    after: { ...suspect, attempts },
    requestId,
    note: null,
  };
  await context.store.audit.append(entry, now);
}

/** Whether an attempt is among those that a question lists. */
export const isRequested =
  (
    { repo, verdict, secret }: Pick<ExposureQuestion, 'repo' | 'verdict' | 'secret'>,
    names: ReadonlyMap<number, string>,
  ) =>
  ({ attempt: { repositoryId }, judgement, reach }: JudgedAttempt): boolean =>
    (repo === undefined || sameName(names.get(repositoryId) ?? '', repo)) &&
    (verdict === undefined || judgement.verdict === verdict) &&
    (secret === undefined || isInReach(reach, secret));

/**
 * Whose logs may decide, first those that may have had it in reach, and of these the ones whose logs expire first; and
 * those of them that one request has read.
 */
export function planReading(attempts: readonly JudgedAttempt[]): { readable: JudgedAttempt[]; next: JudgedAttempt[] } {
  const readable = attempts
    .filter(isReadable)
    .sort((one, other) => rank(one) - rank(other) || one.startedAt - other.startedAt);
  return { readable, next: readable.slice(0, maxWanted) };
}

/** Whether somebody reads logs here. */
export const canReadLogs = ({ isDemo, services: { env, store } }: Context): boolean =>
  !isDemo && store !== null && Boolean(env.CODEHOST_TOKEN) && env.SCHEDULER !== 'off';

/** Whether its log may decide, and was not read yet, or could not be. */
const isReadable = ({ attempt, judgement: { verdict }, logState }: JudgedAttempt): boolean =>
  (logState === 'unread' || logState === 'unreadable') &&
  attempt.completedAt !== null &&
  (verdict === 'possible' || verdict === 'unknown');

/** Requests that it takes at least: for its record, for its jobs, and for each of these. */
export const countRequests = ({ logsLeft }: JudgedAttempt): number => 2 + (logsLeft ?? 1);

const rank = ({ judgement: { verdict } }: JudgedAttempt): number => (verdict === 'possible' ? 0 : 1);
