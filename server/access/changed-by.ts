import type { ChangedBy } from '../store/audit.ts';
import type { Context } from './context.ts';

/** Who changes something by this request, as the audit log names them. */
export async function changedBy(context: Context): Promise<ChangedBy> {
  const { id, login } = await context.actor();
  return { actor: { id, login }, requestId: context.requestId, now: context.services.clock.now() };
}
