import type { Context } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import { Problem } from '../../platform/problem.ts';
import { listVisibleRepositories, sameName } from '../repositories/visibility.ts';
import { type JudgedAttempt, judgeAttempts } from './judge-attempts.ts';
import { type ExposureQuestion, toStretch, toSuspect } from './search-input.ts';
import type { WantedLogs } from './search-schema.ts';

/** So many are read within an hour or two of a token's quota. */
const maxWanted = 1000;

/**
 * Has the logs read of attempts of which it is not certain whether they were affected, first those that had it in reach,
 * and of these the ones whose logs expire first. Nothing is requested of the platform meanwhile.
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
  const { items: visible } = await listVisibleRepositories(input.org, context);
  const { attempts } = await judgeAttempts(toSuspect(input), toStretch(input, now), visible, context);
  const names = new Map(visible.map((one) => [one.id, `${one.owner}/${one.repo}`]));
  const chosen = attempts.filter(
    (one) =>
      isReadable(one) &&
      (input.repo === undefined || sameName(names.get(one.attempt.repositoryId) ?? '', input.repo)) &&
      (input.verdict === undefined || one.judgement.verdict === input.verdict),
  );
  const wanted = chosen
    .sort((one, other) => rank(one) - rank(other) || one.startedAt - other.startedAt)
    .slice(0, maxWanted);
  for (const [repositoryId, own] of Map.groupBy(wanted, ({ attempt }) => attempt.repositoryId))
    await store.exposure.wantLogs(
      repositoryId,
      own.map(({ attempt, startedAt }) => ({ ...attempt, endedAt: attempt.completedAt ?? startedAt })),
      now,
    );
  return { ok: true, wanted: wanted.length, left: chosen.length - wanted.length };
}

/** Whether somebody reads logs here. */
export const canReadLogs = ({ isDemo, services: { env, store } }: Context): boolean =>
  !isDemo && store !== null && Boolean(env.CODEHOST_TOKEN) && env.SCHEDULER !== 'off';

/** Whether its log may decide, and was not read yet, or could not be. */
export const isReadable = ({ attempt, judgement: { verdict }, logState }: JudgedAttempt): boolean =>
  (logState === 'unread' || logState === 'unreadable') &&
  attempt.completedAt !== null &&
  (verdict === 'possible' || verdict === 'unknown');

/** Requests that it takes at least: for its record, for its jobs, and for each of these. */
export const countRequests = ({ attempt: { jobs } }: JudgedAttempt): number => 2 + (jobs ?? 1);

const rank = ({ judgement: { verdict } }: JudgedAttempt): number => (verdict === 'possible' ? 0 : 1);
