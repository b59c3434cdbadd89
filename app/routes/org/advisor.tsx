import { assertFound, deferPanels } from '../../../server/http/deferred-panels.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { getPlan } from '../../../server/reports/advisor/operations.ts';
import { Page } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Panel } from '../../components/panel.tsx';
import { LoadingPanels, WhenReady } from '../../components/skeleton.tsx';
import { crumbs, useOrganizationCrumb } from '../links.ts';
import type { Route } from './+types/advisor';
import { rowsOfPage, Savings } from './savings.tsx';
import { useOrganizationTabs } from './tabs.ts';

export const loader = async ({ context, params: { org } }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params: { org } };
  const { panels } = await deferPanels({ ...pageRequest, extra: { limit: String(rowsOfPage) } }, { plan: getPlan });
  assertFound(panels, [404]);
  return { panels };
};

const feature = { label: 'CI recommendations', shows: 'what could be changed in workflow files' };

/** What recommended changes of workflow files save in the repositories of an organization, the most first. */
export default function SavingsPage({ loaderData: { panels }, params: { org } }: Route.ComponentProps) {
  const { base } = usePageContext();
  const csvQuery = new URLSearchParams({ org, limit: String(rowsOfPage), format: 'csv' });
  return (
    <Page
      title={`CI savings in ${org}`}
      description="What recommended changes of workflow files save."
      breadcrumbs={crumbs(base, ...useOrganizationCrumb(org))}
      tabs={useOrganizationTabs(org, 'Savings')}
    >
      <WhenReady data={panels} fallback={<LoadingPanels titles={['Recommendations']} />}>
        {({ plan }) => (
          <Panel
            title="Recommendations"
            result={plan}
            feature={feature}
            whenPartial="Not every repository is listed: there may be more recommendations."
          >
            {(data) => <Savings data={data} csvHref={`${base}/api/advisor/plan?${csvQuery}`} />}
          </Panel>
        )}
      </WhenReady>
    </Page>
  );
}
