import { useLocation } from 'react-router';
import type { z } from 'zod';
import { deferPanels } from '../../../server/http/deferred-panels.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { getScopeDeployments } from '../../../server/reports/scope-deployments/operations.ts';
import { Moment } from '../../components/moment.tsx';
import { Page } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Columns, Section } from '../../components/panel.tsx';
import { describeUnoffered } from '../../components/period-filters.ts';
import { LoadingPanels, WhenReady } from '../../components/skeleton.tsx';
import { sectionCrumbs } from '../links.ts';
import { redirectToRepository } from '../moved-scope.ts';
import { ScopeBar } from '../scope-bar.tsx';
import { ScopeCoverage } from '../scope-coverage.tsx';
import { ScopeFigures } from '../scope-figures.tsx';
import { scopeLists } from '../scope-lists.ts';
import type { Route } from './+types/page';
import { Answer } from './answer.tsx';
import { OutcomeBars } from './bars.tsx';
import { Cards } from './cards.tsx';
import { DeploymentDays } from './days.tsx';
import { RepositoryTable } from './table.tsx';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  redirectToRepository(pageRequest.context, 'deployments');
  const [answer, lists] = await Promise.all([
    deferPanels(pageRequest, operations),
    deferPanels({ ...pageRequest, isOptional: true }, scopeLists),
  ]);
  return { panels: answer.panels, lists: lists.panels };
};

const operations = { deployments: getScopeDeployments };

export type Deployments = z.output<(typeof getScopeDeployments)['output']>;

/** Production deployments of every repository of the scope: how often, how many fail, and which one is failing now. */
export default function DeploymentsPage({ loaderData: { panels, lists } }: Route.ComponentProps) {
  const { base } = usePageContext();
  const { search } = useLocation();
  const query = new URLSearchParams(search);
  const org = query.get('org');
  return (
    <Page
      title={org ? `Deployments of ${org}` : 'Deployments'}
      description="Deployment frequency, failures and time to restore of production, by repository."
      lead={
        <WhenReady data={panels} fallback={<span className="muted">Loading</span>}>
          {({ deployments }) => (deployments.ok ? <Answer data={deployments.data} /> : null)}
        </WhenReady>
      }
      breadcrumbs={sectionCrumbs('Deployments', `${base}/deployments`, org)}
    >
      <ScopeBar
        search={search}
        lists={lists}
        period={[]}
        fixed={[
          'Last 30 days vs previous 30 days',
          ...describeUnoffered(query, ['30'], { because: '60 days are stored', compared: null }),
        ]}
      />
      <WhenReady data={panels} fallback={<LoadingPanels titles={['Totals', 'Repositories']} />}>
        {({ deployments }) => (
          <ScopeFigures result={deployments} feature={feature} lists={lists}>
            {(data) => <Figures data={data} search={search} />}
          </ScopeFigures>
        )}
      </WhenReady>
    </Page>
  );
}

const feature = { label: 'Deployments', shows: 'deployments by environment, failures and time to restore' };

function Figures({ data, search }: { data: Deployments; search: string }) {
  return (
    <>
      <ScopeCoverage data={data} covered={{ Deployments: data.covered }} labels={reasons}>
        <p>
          Opening the deployments of a repository reads them, and sync keeps them up to date
          {data.as_of === null ? (
            '.'
          ) : (
            <>
              ; shown as of <Moment at={data.as_of} />.
            </>
          )}
        </p>
      </ScopeCoverage>
      <Columns>
        <Section title="Totals">
          <Cards data={data} />
        </Section>
        <OutcomeBars data={data} />
      </Columns>
      <DeploymentDays data={data} />
      <Section title="Repositories" id="repositories">
        <RepositoryTable data={data} search={search} />
      </Section>
    </>
  );
}

const reasons = { sub_fetch_failed: 'no environment is named production, or statuses could not be read' };
