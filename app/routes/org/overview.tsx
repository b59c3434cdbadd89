import { useLocation } from 'react-router';
import { assertFound, deferPanels } from '../../../server/http/deferred-panels.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { getOrgOverview } from '../../../server/reports/organization/operations.ts';
import { Link } from '../../charts/link.tsx';
import { Page } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { LoadingPanels, WhenReady } from '../../components/skeleton.tsx';
import { crumbs } from '../links.ts';
import { ShareLink } from '../share-link.tsx';
import type { Route } from './+types/overview';
import {
  figureRepositories,
  Listed,
  listPrivate,
  OverviewBar,
  OverviewPanels,
  requestedRows,
} from './overview-panels.tsx';
import { useOrganizationTabs } from './tabs.ts';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const rows = requestedRows(pageRequest.context.url.searchParams);
  const figures = rows === null ? pageRequest : { ...pageRequest, extra: { limit: String(figureRepositories) } };
  const [answers, listed] = await Promise.all([
    deferPanels(figures, { overview: getOrgOverview }),
    rows !== null && rows > figureRepositories ? deferPanels(pageRequest, { overview: getOrgOverview }) : null,
  ]);
  assertFound(answers.panels, [404]);
  return { panels: answers.panels, listed: listed?.panels ?? null };
};

export default function OrganizationPage({ loaderData: { panels, listed }, params: { org } }: Route.ComponentProps) {
  const { base } = usePageContext();
  const { search } = useLocation();
  return (
    <Page
      title={org}
      lead="Workflow runs of the last 30 days in recently active repositories."
      breadcrumbs={crumbs(base)}
      tabs={useOrganizationTabs(org, 'Overview')}
      actions={<Link href={`${base}/repositories?org=${org}`}>All repositories</Link>}
    >
      <OverviewBar search={search} />
      <WhenReady
        data={panels}
        fallback={<LoadingPanels titles={['Last 30 days', 'Lowest success rates', 'Repositories']} />}
      >
        {({ overview }) => <OverviewPanels result={overview} />}
      </WhenReady>
      <WhenReady data={listed ?? panels} fallback={null}>
        {({ overview }) => <Listed result={overview} />}
      </WhenReady>
      <WhenReady data={panels} fallback={null}>
        {({ overview }) => (
          <WhenReady data={listed ?? panels} fallback={null}>
            {(rows) => <ShareLink privateNames={[overview, rows.overview].flatMap(listPrivate)} />}
          </WhenReady>
        )}
      </WhenReady>
    </Page>
  );
}
