import type { Context } from '../../../server/access/context.ts';
import { syncNow } from '../../../server/api/sync/sync.ts';
import type { PanelRequest, PanelsOf } from '../../../server/http/adapters.ts';
import { type Deferred, deferPanels } from '../../../server/http/deferred-panels.ts';
import { isOffered } from '../../../server/http/page-access.ts';
import { getTrends } from '../../../server/reports/history/operations.ts';
import { getSyncProgress } from '../../../server/reports/sync/operations.ts';
import { outcomeHref, readOutcome } from '../reports/outcome.ts';
import { isGoingOn, type Progress } from '../reports/sync-progress.tsx';

/**
 * What the start page says of synchronization: whether the reader may start one, what came of it, and what is running,
 * which may follow the page.
 */
export async function readSync(pageRequest: PanelRequest) {
  const [canSync, { running }] = await Promise.all([maySync(pageRequest.context), getRunningSync(pageRequest)]);
  return { canSync, running, outcome: canSync ? await readOutcome(pageRequest.context) : null };
}

const maySync = async (context: Context) =>
  !context.isDemo && context.services.store !== null && (await isOffered(syncNow, context));

async function getRunningSync(pageRequest: PanelRequest): Promise<{ running: Deferred<Progress | null> }> {
  const { isDemo, services, url } = pageRequest.context;
  if (isDemo || !services.store || !(await isOffered(getSyncProgress, pageRequest.context))) return { running: null };
  const extra = { owner: url.searchParams.get('org') || undefined, repo: undefined };
  const { panels } = await deferPanels({ ...pageRequest, extra, isOptional: true }, { progress: getSyncProgress });
  const findRunning = ({ progress }: PanelsOf<{ progress: typeof getSyncProgress }>) =>
    progress.ok && isGoingOn(progress.data) ? progress.data : null;
  return { running: panels instanceof Promise ? panels.then(findRunning) : findRunning(panels) };
}

/** Where a synchronization that was started here is followed. */
export const getSyncResultHref = async (context: Context, form: FormData, result: object) =>
  outcomeHref(context, form, result, (await isOffered(getTrends, context)) ? '/reports' : '/');
