import { data, useLocation } from 'react-router';
import { startSync } from '../../server/api/sync/sync.ts';
import { submit } from '../../server/http/adapters.ts';
import { deferAnswers, deferPanels } from '../../server/http/deferred-panels.ts';
import { nonceContext, requestContext } from '../../server/http/router-context.ts';
import { Page } from '../components/page.tsx';
import { usePageContext } from '../components/page-context.ts';
import { allRuns } from '../components/period-filters.ts';
import { requestedScope } from '../components/scope-filters.ts';
import { LoadingPanels, WhenReady } from '../components/skeleton.tsx';
import type { Route } from './+types/reports';
import { sectionCrumbs } from './links.ts';
import { NoScope } from './no-scope.tsx';
import { loadReport, readSync } from './reports/load.ts';
import { getTitles, type Report, StoredPanels, TrendPanels } from './reports/panels.tsx';
import { syncedHref } from './reports/sync-progress.tsx';
import { SyncSection } from './reports/sync-section.tsx';
import { ScopeBar } from './scope-bar.tsx';
import { scopeLists } from './scope-lists.ts';
import { ShareLink } from './share-link.tsx';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const { owner } = requestedScope(pageRequest.context.url.searchParams);
  // Beside what is looked at, the choice of others may be missing.
  const listing = deferPanels({ ...pageRequest, isOptional: owner !== null }, scopeLists);
  const loading = loadReport(
    pageRequest,
    listing.then(({ panels }) => panels),
  );
  const [lists, report, sync] = await Promise.all([
    listing,
    deferAnswers(pageRequest, loading, () => null),
    readSync(pageRequest),
  ]);
  return { lists: lists.panels, report: report.panels, sync, nonce: context.get(nonceContext) };
};

export const action = async ({ context, params, request }: Route.ActionArgs) => {
  const pageRequest = { context: context.get(requestContext), params, request };
  const next = (form: FormData) => syncedHref(form, '/reports');
  const done = await submit(pageRequest, { sync: { operation: startSync, next } });
  return done instanceof Response ? done : data(done.data, { status: done.status });
};

/** Trends of stored runs, and what has been read, of an organization or one of its repositories. */
export default function ReportsPage({ loaderData: { lists, report, sync, nonce }, actionData }: Route.ComponentProps) {
  const { search } = useLocation();
  const { base } = usePageContext();
  const query = new URLSearchParams(search);
  const { owner, repo } = requestedScope(query);
  const requested = repo ?? owner;
  const name = report instanceof Promise ? requested : getName(report);
  const loading = getTitles(repo === null);
  return (
    <Page
      title={getTitle(name)}
      heading={
        <WhenReady data={report} fallback={getTitle(name)}>
          {(found) => getTitle(getName(found))}
        </WhenReady>
      }
      lead="Trends from stored workflow runs."
      breadcrumbs={sectionCrumbs('Reports', `${base}/reports`, name && requested)}
    >
      <ScopeBar search={search} lists={lists} fixed={allRuns} hasAll={false} />
      <WhenReady data={report} fallback={<LoadingPanels titles={loading.trends} />}>
        {(found) => (found ? <TrendPanels report={found} /> : <NoScope lists={lists} />)}
      </WhenReady>
      {sync ? (
        <WhenReady data={report} fallback={null}>
          {(found) => (
            <SyncSection
              sync={sync}
              isOffered={found !== null && !isMissing(found)}
              submitted={actionData?.rejected}
              nonce={nonce}
            />
          )}
        </WhenReady>
      ) : null}
      {base ? <p className="source">Data is not synced in the demo.</p> : null}
      <WhenReady data={report} fallback={<LoadingPanels titles={loading.stored} />}>
        {(found) => (found ? <StoredPanels report={found} /> : null)}
      </WhenReady>
      <ShareLink />
    </Page>
  );
}

/** What the reader cannot see cannot be synchronized either. */
const isMissing = ({ daily }: Report): boolean => !daily.ok && daily.problem.status === 404;

const getName = (report: Report | null): string | null => report && (report.repo ?? report.owner);

const getTitle = (name: string | null): string => (name ? `Reports of ${name}` : 'Reports');
