import { createBackgroundLimits, withLimits } from '../platform/work-limits.ts';
import type { Context } from './context.ts';
import { isAboutCaller } from './decision.ts';
import type { Access } from './rules.ts';

/**
 * Rejects a caller whose token the platform no longer accepts. It is called where it has not answered with this token for
 * five minutes; while it cannot be reached, nobody is rejected.
 * @throws Problem `unauthenticated`
 */
export async function assertStillTaken(access: Access, context: Context): Promise<void> {
  if (!isAboutCaller(access.required(context), context)) return;
  const { token } = await context.actor();
  if (!context.services.isProofDue(token)) return;
  const codehost = await context.codehost();
  // It goes on when its caller went away or waits no more: a rejection ends the sessions all the same.
  await withLimits(createBackgroundLimits(), () => codehost.confirm());
}
