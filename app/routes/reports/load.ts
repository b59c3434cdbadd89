import type { z } from 'zod';
import { findStartedSync } from '../../../server/api/sync/started.ts';
import { startSync } from '../../../server/api/sync/sync.ts';
import { type Panel, type PanelRequest, panel } from '../../../server/http/adapters.ts';
import { deferPanels } from '../../../server/http/deferred-panels.ts';
import { isOffered } from '../../../server/http/page-access.ts';
import { getComparison } from '../../../server/reports/comparison/operations.ts';
import { getCollection } from '../../../server/reports/data-coverage/operations.ts';
import { getStoredRuns, getTrends } from '../../../server/reports/history/operations.ts';
import { getSyncProgress } from '../../../server/reports/sync/operations.ts';
import { requestedScope } from '../../components/scope-filters.ts';
import { repositoryParams } from '../links.ts';
import { readMarks } from '../read-marks.ts';
import { hasTracker } from '../repo/tracker.ts';
import { readScopeNames, type ScopeLists } from '../scope-names.ts';
import {
  comparedMetrics,
  findChartPeriods,
  getSyncScope,
  isTooLong,
  requestedPage,
  toComparedDays,
  toTrendQuery,
} from './choices.ts';

const pageSize = 50;

type Trends = z.output<typeof getTrends.output>;

/** What is stored of the scope of the address, else of the first organization there is; null for none. */
export async function loadReport(pageRequest: PanelRequest, listing: Promise<ScopeLists>) {
  const query = pageRequest.context.url.searchParams;
  const requested = requestedScope(query);
  const owner = requested.owner ?? readScopeNames(await listing).owners[0];
  if (!owner) return null;
  const repo = requested.repo === null ? undefined : repositoryParams(requested.repo).repo;
  const paging = { limit: String(pageSize), offset: String((requestedPage(query) - 1) * pageSize) };
  const trends = toTrendQuery(query, repo === undefined);
  const scope = repo ? { repo: `${owner}/${repo}`, org: undefined } : { org: owner, repo: undefined };
  const charted = panel(getTrends, { ...pageRequest, extra: { owner, repo, ...trends } });
  const compare = async () => {
    const periods = toComparedDays(query) ?? findPeriodsOf(await charted, pageRequest);
    const extra = { owner, repo, metrics: comparedMetrics, ...periods };
    return periods && panel(getComparison, { ...pageRequest, extra });
  };
  const [daily, comparison, quarterly, runs, collection, marks] = await Promise.all([
    charted,
    compare(),
    repo ? panel(getTrends, { ...pageRequest, extra: { owner, repo, type: 'quarterly' } }) : null,
    repo ? panel(getStoredRuns, { ...pageRequest, extra: { owner, repo, ...paging } }) : null,
    panel(getCollection, { ...pageRequest, extra: repo ? { owner, repo, offset: '0' } : { owner, repo, ...paging } }),
    readMarks({ ...pageRequest, extra: { ...scope, range: trends.range } }),
  ]);
  const isTracked = await hasTracker({ context: pageRequest.context, params: { owner, repo } });
  return { owner, repo: requested.repo, daily, comparison, quarterly, runs, collection, marks, isTracked };
}

/** The days that a chart compares; null where it compares none, or more than a comparison takes. */
function findPeriodsOf(charted: Panel<Trends>, { context }: PanelRequest) {
  if (!charted.ok || charted.data.type === 'quarterly' || isTooLong(charted.data)) return null;
  return findChartPeriods(charted.data, context.services.clock.now());
}

/** The synchronization of that scope which was started last, and what is read of it in the background; null for who may not. */
export async function readSync(pageRequest: PanelRequest) {
  const { context } = pageRequest;
  if (context.isDemo || !(await isOffered(startSync, context))) return null;
  const scope = getSyncScope(context.url.searchParams);
  const extra = { owner: scope.org ?? scope.owner, repo: scope.repo };
  const [started, { panels: progress }] = await Promise.all([
    findStartedSync(context, scope),
    deferPanels({ ...pageRequest, extra, isOptional: true }, { progress: getSyncProgress }),
  ]);
  return { started, progress };
}
