import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../access/context.ts';
import { withinTime } from '../platform/pending-requests.ts';
import { Problem } from '../platform/problem.ts';
import { assertWithinLimit } from '../platform/rate-limit.ts';
import { createRequestLimits, withLimits } from '../platform/work-limits.ts';

/** How much one access token may call at a time. */
export interface ToolLimits {
  /** @throws Problem `rate_limited`, `busy`, `upstream_unavailable` when the call takes too long */
  run<T>(context: Context, call: () => Promise<T>): Promise<T>;
}

const minuteMs = 60_000;
const maxAtOnce = 4;
const maxWaitMs = 2000;
/** As long as a panel of a page waits. */
const maxCallMs = 12_000;

export function createToolLimits(): ToolLimits {
  const running = new Map<number, number>();
  const isFree = (token: number) => (running.get(token) ?? 0) < maxAtOnce;
  const release = (token: number) => {
    const left = (running.get(token) ?? 1) - 1;
    if (left === 0) running.delete(token);
    else running.set(token, left);
  };
  return {
    async run(context, call) {
      const token = await tokenOf(context);
      await assertPerMinute(token, context);
      for (let waited = 0; !isFree(token) && waited < maxWaitMs; waited += 50)
        await sleep(50, undefined, { signal: context.signal });
      if (!isFree(token)) throw tooManyAtOnce();
      running.set(token, (running.get(token) ?? 0) + 1);
      try {
        // What it reads from GitHub ends earlier, so that older copies can still be answered.
        const limits = createRequestLimits(context.signal, context.services.readMs);
        return await withinTime(() => withLimits(limits, call), maxCallMs, tookTooLong);
      } finally {
        release(token);
      }
    },
  };
}

async function tokenOf(context: Context): Promise<number> {
  const { accessToken } = await context.actor();
  if (!accessToken) throw new Error('Only access tokens call tools.');
  return accessToken.id;
}

async function assertPerMinute(token: number, { services: { env, limits, clock } }: Context): Promise<void> {
  if (env.MCP_RATE_PER_MINUTE === 0) return;
  assertWithinLimit(await limits.hit(`mcp:${token}`, env.MCP_RATE_PER_MINUTE, minuteMs, clock.now()));
}

const tooManyAtOnce = () =>
  new Problem('busy', 'Four calls of this access token are running. Try again shortly.', {
    details: { retry_after_s: 2 },
  });

const tookTooLong = (cause: object) =>
  new Problem('upstream_unavailable', 'The answer took longer than 12 seconds. Try again: what was read is stored.', {
    details: { retry_after_s: 5 },
    cause,
  });
