import { createBackgroundLimits, withLimits } from '../platform/work-limits.ts';
import type { Actor, Context } from './context.ts';
import { isAboutCaller } from './decision.ts';
import type { Access } from './rules.ts';

/**
 * Rejects a caller whose token the platform no longer accepts, where the request is about who they are.
 * @throws Problem `unauthenticated`
 */
export async function assertStillTaken(access: Access, context: Context): Promise<void> {
  if (isAboutCaller(access.required(context), context)) await getConfirmedActor(context);
}

/**
 * The caller, whose token is checked at the platform where that has not answered with it for five minutes; while it
 * cannot be reached, nobody is rejected.
 * @throws Problem `unauthenticated`
 */
export async function getConfirmedActor(context: Context): Promise<Actor> {
  const actor = await context.actor();
  if (!context.services.isProofDue(actor.token)) return actor;
  const codehost = await context.codehost();
  // It goes on when its caller went away or waits no more: a rejection ends the sessions all the same.
  await withLimits(createBackgroundLimits(), () => codehost.confirm());
  return actor;
}
