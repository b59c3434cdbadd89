import type { Codehost } from '../../codehost/client/client.ts';

/** Whether many requests at once are no burden: they leave a fifth of the quota to people's own questions. */
export async function hasSpareQuota(codehost: Codehost): Promise<boolean> {
  const { core, graphql, disabled } = await codehost.rateLimits();
  return disabled || [core, graphql].every(({ limit, remaining }) => 5 * remaining > limit);
}
