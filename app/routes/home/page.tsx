import type { ReactNode } from 'react';
import { data, redirect, useLocation } from 'react-router';
import { getAlerts } from '../../../server/alerts/operations/list.ts';
import { startSync } from '../../../server/api/sync/sync.ts';
import { type PanelRequest, type PanelsOf, submit } from '../../../server/http/adapters.ts';
import { getAlertStatus } from '../../../server/http/alert-status.ts';
import { deferPanels, deferStoredPanels } from '../../../server/http/deferred-panels.ts';
import { isOffered } from '../../../server/http/page-access.ts';
import { nonceContext, requestContext } from '../../../server/http/router-context.ts';
import { getRepositoryAttention } from '../../../server/reports/attention/operations.ts';
import { getOverview } from '../../../server/reports/overview/operations.ts';
import { getOrganizations } from '../../../server/reports/repositories/operations.ts';
import { Page } from '../../components/page.tsx';
import { hasOrganizationPages, usePageContext } from '../../components/page-context.ts';
import { PeriodBar } from '../../components/period-bar.tsx';
import { getPeriodFilters } from '../../components/period-filters.ts';
import { getOrganizationFilters } from '../../components/scope-filters.ts';
import { LoadingPanels, WhenReady } from '../../components/skeleton.tsx';
import { UnlessSaid } from '../../components/unless-said.tsx';
import { OpenAlerts } from '../alerts/open-alerts.tsx';
import { SyncForm } from '../reports/sync-form.tsx';
import { syncedHref } from '../reports/sync-progress.tsx';
import { SyncStatus } from '../reports/sync-status.tsx';
import { describeLackedOrganizations } from '../scope-names.ts';
import type { Route } from './+types/page';
import { readAdvisories } from './advisories.ts';
import { AttentionPanel, shownRepositories } from './attention.tsx';
import { CriticalAdvisories } from './critical-advisories.tsx';
import { FiguresPanel } from './figures.tsx';
import { HistoryPanel } from './overview.tsx';
import { dismissSetup, readSetup } from './setup.ts';
import { isNotSynced, SetupChecklist } from './setup-checklist.tsx';
import { getSyncedHref, readSync } from './sync.ts';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const moved = findMovedHref(pageRequest.context);
  if (moved) throw redirect(moved, 308);
  const optional = { ...pageRequest, isOptional: true };
  const listing = deferPanels(optional, { organizations: getOrganizations });
  const [attention, stored, organizations, advisories, alerts, sync, setup] = await Promise.all([
    deferStoredPanels(
      { ...pageRequest, extra: { per_page: String(shownRepositories), page: undefined } },
      { repositories: getRepositoryAttention },
    ),
    (await hasStoredFacts(pageRequest.context)) ? deferPanels(optional, { overview: getOverview }) : null,
    listing,
    readAdvisories(
      pageRequest,
      listing.then(({ panels }) => panels),
    ),
    readAlerts(optional),
    readSync(pageRequest),
    readSetup(pageRequest),
  ]);
  return {
    attention: attention.panels,
    stored: stored?.panels ?? null,
    organizations: organizations.panels,
    advisories,
    alerts,
    sync,
    setup,
    nonce: context.get(nonceContext),
  };
};

/** The filters of the list of repositories stood here before it had a page of its own. */
function findMovedHref({ url, isDemo }: PanelRequest['context']): string | null {
  const hasFilter = ['q', 'visibility', 'language', 'page'].some((name) => url.searchParams.has(name));
  return hasFilter ? `${isDemo ? '/demo' : ''}/repositories${url.search}` : null;
}

export const action = async ({ context, params, request }: Route.ActionArgs) => {
  const pageRequest = { context: context.get(requestContext), params, request };
  const form = await request.clone().formData();
  if (form.get('intent') === 'dismissSetup') return dismissSetup(pageRequest.context, form);
  // The first charts appear here; later the page of reports says what was synced.
  const isFirst = isNotSynced(await readSetup(pageRequest));
  const next = () => (isFirst ? syncedHref(form, '/') : getSyncedHref(pageRequest.context, form));
  const done = await submit(pageRequest, { sync: { operation: startSync, next } });
  return done instanceof Response ? done : data(done.data, { status: done.status });
};

/** The sample organization has its facts without a database. */
const hasStoredFacts = async (context: PanelRequest['context']) =>
  (context.isDemo || context.services.store !== null) && (await isOffered(getOverview, context));

/** Open alerts; null where there can be none, or the reader does not want to see them. */
async function readAlerts(pageRequest: PanelRequest) {
  const { isDemo, services } = pageRequest.context;
  if ((!isDemo && !services.store) || !(await isOffered(getAlerts, pageRequest.context))) return null;
  const extra = { events: '1', scope: undefined };
  const { panels } = await deferPanels({ ...pageRequest, extra }, { alerts: getAlerts });
  const toStatus = ({ alerts }: PanelsOf<{ alerts: typeof getAlerts }>) => getAlertStatus(alerts, services.clock.now());
  // In an object, because a promise that is returned would be awaited.
  return { status: panels instanceof Promise ? panels.then(toStatus) : toStatus(panels) };
}

export type HomePanels = {
  attention: Awaited<Route.ComponentProps['loaderData']['attention']>['repositories'];
  overview: NonNullable<Awaited<Route.ComponentProps['loaderData']['stored']>>['overview'];
};

export default function Home({ loaderData, actionData }: Route.ComponentProps) {
  const { attention, stored, organizations, advisories, alerts, sync, setup, nonce } = loaderData;
  const pageContext = usePageContext();
  const { base, signInHref } = pageContext;
  const { search } = useLocation();
  const here = `${base || '/'}${search}`;
  const query = new URLSearchParams(search);
  const org = query.get('org');
  const scope: Record<string, string> = org ? { org } : {};
  const syncForm = { action: getAction(org), scope, isRunning: sync.isStarted };
  const period = stored === null ? [] : getPeriodFilters(query);
  const fixed = stored === null ? [] : ['Including bots'];
  return (
    <Page
      title={org ?? 'Overview'}
      description="What needs attention, how the organization is doing, and 90 days of every repository."
      actions={
        <>
          {base ? (
            <p role="note">
              <strong>Sample data.</strong> <a href={signInHref}>Sign in to see your own</a>
            </p>
          ) : null}
          {org && hasOrganizationPages(org, pageContext) ? (
            <a href={`${base}/org/${org}`}>Organization report</a>
          ) : null}
          {sync.canSync && !isNotSynced(setup) && !syncForm.isRunning ? (
            <WhenReady data={attention} fallback={null} isFreshOnly>
              {(found) =>
                isEmpty(found) ? null : (
                  <SyncForm action={syncForm.action} scope={scope} submitted={actionData?.rejected} />
                )
              }
            </WhenReady>
          ) : null}
        </>
      }
    >
      <WhenReady data={sync.running} fallback={null}>
        {(running) => (
          <SyncStatus
            started={sync.started}
            progress={running}
            here={here}
            scope={scope}
            nonce={nonce}
            resultsHref={sync.resultsHref}
          />
        )}
      </WhenReady>
      {setup ? (
        <WhenReady data={attention} fallback={null} isFreshOnly>
          {(found) => (
            <SetupChecklist
              setup={setup}
              submitted={actionData?.rejected}
              sync={{ ...syncForm, hasRepositories: !isEmpty(found), isPartial: isPartial(found) }}
            />
          )}
        </WhenReady>
      ) : null}
      <WhenReady data={organizations} fallback={<PeriodBar search={search} filters={period} fixed={fixed} />}>
        {({ organizations: listed }) => {
          const lacked = describeLackedOrganizations({ organizations: listed });
          const logins = listed.ok ? listed.data.map(({ login }) => login) : [];
          return (
            <PeriodBar
              search={search}
              filters={[...period, ...getOrganizationFilters(query.get('org'), logins)]}
              fixed={[...fixed, ...lacked]}
            />
          );
        }}
      </WhenReady>
      <BesideNow
        now={
          <>
            {advisories ? (
              <WhenReady data={advisories.found} fallback={null}>
                {(found) => <CriticalAdvisories found={found} />}
              </WhenReady>
            ) : null}
            {alerts ? (
              <WhenReady data={alerts.status} fallback={null}>
                {(status) => (status.state === 'open' ? <OpenAlerts status={status} /> : null)}
              </WhenReady>
            ) : null}
            <WhenReady data={attention} fallback={<LoadingPanels titles={['Needs attention']} />}>
              {({ repositories }) => <AttentionPanel result={repositories} search={search} />}
            </WhenReady>
            {alerts ? (
              <WhenReady data={alerts.status} fallback={<LoadingPanels titles={['Alerts']} />}>
                {(status) => (status.state === 'open' ? null : <OpenAlerts status={status} />)}
              </WhenReady>
            ) : null}
          </>
        }
      >
        {stored ? (
          <WhenReady data={stored} fallback={<LoadingPanels titles={['CI by repository']} />}>
            {({ overview }) => <HistoryPanel result={overview} />}
          </WhenReady>
        ) : null}
      </BesideNow>
      {stored ? (
        <WhenReady data={stored} fallback={<LoadingPanels titles={['Key figures']} />}>
          {({ overview }) => (
            <UnlessSaid result={overview} first={attention} select={({ repositories }) => repositories}>
              <FiguresPanel result={overview} />
            </UnlessSaid>
          )}
        </WhenReady>
      ) : null}
    </Page>
  );
}

/** What needs the reader now comes first; what there is beside it begins at the same height. */
const BesideNow = ({ now, children }: { now: ReactNode; children: ReactNode }) => (
  <div className="beside-now">
    <div className="columns">{now}</div>
    <div>{children}</div>
  </div>
);

/** Whether it is known that the reader sees no repository there, so that none could be synchronized. */
const isEmpty = ({ repositories }: { repositories: HomePanels['attention'] }) =>
  repositories.ok ? repositories.data.all === 0 : repositories.problem.status === 404;

/** Whether some that there are are hidden from the reader's token, or could not be read. */
const isPartial = ({ repositories }: { repositories: HomePanels['attention'] }) =>
  repositories.ok && repositories.notes.partial;

/** Without `index` a form of this address would be its layout's. */
const getAction = (org: string | null) => (org ? `/?index&${new URLSearchParams({ org })}` : '/?index');
