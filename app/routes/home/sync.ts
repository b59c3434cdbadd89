import type { Context } from '../../../server/access/context.ts';
import { findStartedSync, isSyncRunning, type StartedSync } from '../../../server/api/sync/started.ts';
import { startSync } from '../../../server/api/sync/sync.ts';
import type { PanelRequest, PanelsOf } from '../../../server/http/adapters.ts';
import { type Deferred, deferPanels } from '../../../server/http/deferred-panels.ts';
import { isOffered } from '../../../server/http/page-access.ts';
import { getTrends } from '../../../server/reports/history/operations.ts';
import { getSyncProgress } from '../../../server/reports/sync/operations.ts';
import { reportsHref } from '../../components/data-coverage-link.tsx';
import { isGoingOn, type Progress, syncedHref } from '../reports/sync-progress.tsx';

/**
 * What the start page says of synchronization: whether the reader may start one, whether one is running that they
 * started on any page, how far it is, and what is read in the background, which may follow the page. What came of it
 * stands on the page of reports where the reader has that; here, only that it failed.
 */
export async function readSync(pageRequest: PanelRequest) {
  const [canSync, { running }] = await Promise.all([maySync(pageRequest.context), getRunningSync(pageRequest)]);
  if (!canSync) return { canSync, running, isStarted: false, started: null, resultsHref: null };
  const { url } = pageRequest.context;
  const org = url.searchParams.get('org') || undefined;
  const [found, isAnyRunning, hasReports] = await Promise.all([
    findStartedSync(pageRequest.context, { org }),
    isSyncRunning(pageRequest.context),
    isOffered(getTrends, pageRequest.context),
  ]);
  const isRunning = found?.state === 'running';
  return {
    canSync,
    running,
    isStarted: isRunning || isAnyRunning,
    started: hasReports && !isRunning && !hasFailed(found) ? null : found,
    resultsHref: hasReports ? `${org ? reportsHref({ owner: org, repo: null }) : '/reports'}#sync` : null,
  };
}

/** Whether it left anything that pressing the button again may not mend. */
const hasFailed = (found: StartedSync | null) =>
  found?.state === 'done' ? found.result.repos_failed > 0 : found !== null;

const maySync = async (context: Context) =>
  !context.isDemo && context.services.store !== null && (await isOffered(startSync, context));

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
export const getSyncedHref = async (context: Context, form: FormData) =>
  syncedHref(form, (await isOffered(getTrends, context)) ? '/reports' : '/');
