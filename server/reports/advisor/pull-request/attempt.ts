import { setTimeout as sleep } from 'node:timers/promises';
import type { Context, Reply } from '../../../access/context.ts';
import type { OpenedPullRequest, WantedPullRequest } from '../../../advisor/opened-pull-requests.ts';
import { dayMs, hourMs } from '../../../metrics/kernel/window.ts';
import type { Claim } from '../../../platform/claims.ts';
import { Problem } from '../../../platform/problem.ts';

const pauseMs = 200;
/** So long a second press of the button waits for what comes of the first. */
const timeoutMs = 5000;

export const running = () =>
  new Problem('in_progress', 'This pull request is being opened at the moment. Ask again in 2 s.', {
    details: { retry_after_s: 2 },
  });

/** Takes the claim, or waits for whoever has it. Throws `in_progress` and `idempotency_conflict`. */
export async function claimOnce(
  wanted: WantedPullRequest,
  { services: { pullRequests, clock }, signal }: Context,
): Promise<Exclude<Claim<OpenedPullRequest, WantedPullRequest>, { kind: 'conflict' | 'running' }>> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const claim = await pullRequests.claim(wanted, clock.now());
    if (claim.kind === 'conflict')
      throw new Problem('idempotency_conflict', 'This idempotency key was used for another pull request before.');
    if (claim.kind !== 'running') return claim;
    if (performance.now() > end || signal.aborted) throw running();
    await sleep(pauseMs);
  }
}

/** Of one address in an hour, and of one account in a day. */
const hourlyLimit = 5;
const dailyLimit = 20;

/** Counts what is about to be sent. Throws `rate_limited`. */
export async function countAttempt({ address, services: { limits, clock } }: Context, userId: number, reply: Reply) {
  const ofAddress = await limits.hit(`advisor-pull-request:${address}`, hourlyLimit, hourMs, clock.now());
  reply.headers.set('X-RateLimit-Limit', String(hourlyLimit));
  reply.headers.set('X-RateLimit-Remaining', String(ofAddress.remaining));
  if (!ofAddress.allowed) throw limited(`${hourlyLimit} pull requests per hour from one address`, ofAddress.resetMs);
  const ofAccount = await limits.hit(`advisor-pull-request:account:${userId}`, dailyLimit, dayMs, clock.now());
  if (!ofAccount.allowed) throw limited(`${dailyLimit} pull requests per day from one account`, ofAccount.resetMs);
}

function limited(what: string, resetMs: number): Problem {
  const wait = Math.max(1, Math.ceil(resetMs / 1000));
  return new Problem('rate_limited', `At most ${what} can be opened. Try again in ${wait} s.`, {
    details: { retry_after_s: wait },
  });
}
