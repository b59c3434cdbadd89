import { z } from 'zod';
import type { Clock } from '../../platform/clock.ts';
import { Problem } from '../../platform/problem.ts';
import type { Codehost, Quota } from './client.ts';
import type { Reader } from './reader.ts';

/** Reads the token's budgets: free of charge, also when they are used up; cached for 30 seconds. */
export const createRateLimits =
  (reader: Reader, clock: Clock): Codehost['rateLimits'] =>
  async () => {
    try {
      const { value, asOf } = await reader.read({
        operation: 'get rate limits',
        route: 'GET /rate_limit',
        params: {},
        resource: 'free',
        read: (data) => limitsSchema.parse(data).resources,
        freshMs: () => cacheTtlMs,
        errorTtlMs: cacheTtlMs,
        staleIfError: false,
      });
      const { core = none, graphql = none, search = none } = value;
      return { core, graphql, search, disabled: false, checkedAt: asOf };
    } catch (error) {
      // A server with rate limits switched off has no such page.
      if (!(error instanceof Problem) || error.code !== 'not_found') throw error;
      return { core: none, graphql: none, search: none, disabled: true, checkedAt: clock.now() };
    }
  };

const cacheTtlMs = 30_000;
const none: Quota = { limit: 0, remaining: 0, reset: 0, used: 0 };

const quota = z
  .object({
    limit: z.number(),
    remaining: z.number(),
    reset: z.number(),
    used: z.number().optional(),
  })
  .transform((read): Quota => ({ ...read, used: read.used ?? read.limit - read.remaining }))
  .optional();

const limitsSchema = z.object({ resources: z.object({ core: quota, graphql: quota, search: quota }) });

/** Whether many requests at once are no burden: they leave this share of the quota, a fifth, to people's own questions. */
export async function hasSpareQuota(codehost: Codehost, reservedShare = 0.2): Promise<boolean> {
  const { core, graphql, disabled } = await codehost.rateLimits();
  return disabled || [core, graphql].every(({ limit, remaining }) => remaining > reservedShare * limit);
}
