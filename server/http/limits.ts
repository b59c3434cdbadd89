import type { Context, Reply } from '../access/context.ts';
import { tokenHash } from '../access/session.ts';
import type { Limit } from '../api/operation.ts';
import { assertWithinLimit, ceilSeconds } from '../platform/rate-limit.ts';

/** Counts a request against an operation's limit and reports to the caller what is left. */
export async function count(limit: Limit, context: Context, reply: Reply): Promise<void> {
  const { limits, clock, env } = context.services;
  const times = typeof limit.times === 'number' ? limit.times : limit.times(env);
  if (times === 0 || (limit.applies && !(await limit.applies(context)))) return;
  const who = await counted(limit.per, context);
  const verdict = await limits.hit(`${limit.bucket}:${who}`, times, limit.windowMs, clock.now());
  reply.headers.set('RateLimit-Limit', String(verdict.limit));
  reply.headers.set('RateLimit-Remaining', String(verdict.remaining));
  reply.headers.set('RateLimit-Reset', String(ceilSeconds(verdict.resetMs)));
  assertWithinLimit(verdict);
}

/** Whose requests are counted together. A token is identified by its hash. */
async function counted(per: Limit['per'], context: Context): Promise<string> {
  if (per === 'address') return context.address;
  const { id, token, accessToken } = await context.actor();
  if (per === 'account') return String(id);
  return accessToken ? `access-token:${accessToken.id}` : tokenHash(token).toString('hex').slice(0, 32);
}
