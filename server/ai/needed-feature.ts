import type { Context } from '../access/context.ts';
import { mayUse } from '../access/decision.ts';
import type { FeatureKey } from '../access/features.ts';
import { Problem } from '../platform/problem.ts';

/**
 * A text tells nobody what the pages would not. Throws `forbidden` where the caller lacks the feature that it is about,
 * or `insufficient_scope` where only their access token does.
 */
export async function assertMayUse(key: FeatureKey, message: string, context: Context): Promise<void> {
  if (await mayUse(key, context)) return;
  const { accessToken, granted } = await context.actor();
  throw new Problem(accessToken && granted.includes(key) ? 'insufficient_scope' : 'forbidden', message, { flag: key });
}
