import type { Context } from '../../../server/access/context.ts';
import { syncNow } from '../../../server/api/sync/sync.ts';
import { type PanelRequest, panel } from '../../../server/http/adapters.ts';
import { isOffered } from '../../../server/http/page-access.ts';
import { getTrends } from '../../../server/reports/history/operations.ts';
import { getSyncProgress } from '../../../server/reports/sync/operations.ts';
import { outcomeHref, readOutcome } from '../reports/outcome.ts';
import { isGoingOn } from '../reports/sync-progress.tsx';

/** What the start page says of synchronization: whether the reader may start one, what came of it, what is running. */
export async function readSync(pageRequest: PanelRequest) {
  const [canSync, running] = await Promise.all([maySync(pageRequest.context), getRunningSync(pageRequest)]);
  return { canSync, running, outcome: canSync ? await readOutcome(pageRequest.context) : null };
}

const maySync = async (context: Context) =>
  !context.isDemo && context.services.store !== null && (await isOffered(syncNow, context));

async function getRunningSync(pageRequest: PanelRequest) {
  const { isDemo, services, url } = pageRequest.context;
  if (isDemo || !services.store || !(await isOffered(getSyncProgress, pageRequest.context))) return null;
  const extra = { owner: url.searchParams.get('org') || undefined, repo: undefined };
  const progress = await panel(getSyncProgress, { ...pageRequest, extra, isOptional: true });
  return progress.ok && isGoingOn(progress.data) ? progress.data : null;
}

/** Where a synchronization that was started here is followed. */
export const getSyncResultHref = async (context: Context, form: FormData, result: object) =>
  outcomeHref(context, form, result, (await isOffered(getTrends, context)) ? '/reports' : '/');
