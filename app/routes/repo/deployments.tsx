import { useLocation } from 'react-router';
import type { PanelsOf } from '../../../server/http/adapters.ts';
import { assertFound, deferPanels } from '../../../server/http/deferred-panels.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { getDeployments } from '../../../server/reports/deployments/operations.ts';
import { FactsAsOf } from '../../components/data-coverage-link.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Panel, Section } from '../../components/panel.tsx';
import { PeriodBar } from '../../components/period-bar.tsx';
import { LoadingPanels, WhenReady } from '../../components/skeleton.tsx';
import { useProfileHref } from '../people/person-href.ts';
import type { Route } from './+types/deployments';
import { DeploymentFigures } from './deployments-figures.tsx';
import { DeploymentSource } from './deployments-source.tsx';
import { EnvironmentTable, RecentDeployments } from './deployments-tables.tsx';
import type { RepositoryPath } from './panels.ts';
import { RepositoryPage } from './repository-page.tsx';
import { hasTracker } from './tracker.ts';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const { panels } = await deferPanels(pageRequest, { deployments: getDeployments });
  assertFound(panels);
  return { panels, isTracked: await hasTracker(pageRequest) };
};

type Answer = PanelsOf<{ deployments: typeof getDeployments }>['deployments'];
export type Deployments = Extract<Answer, { ok: true }>['data'];
export type Environment = Deployments['by_environment'][number];

/** What was deployed where in the last 30 days, and how it went. */
export default function DeploymentsPage({ loaderData: { panels, isTracked }, params }: Route.ComponentProps) {
  const { zone } = usePageContext();
  const { search } = useLocation();
  return (
    <RepositoryPage
      repository={params}
      tab="Deployments"
      lead={`Deployments of the last 30 days by environment. Time zone: ${zone}.`}
      isTracked={isTracked}
      panels={panels}
    >
      <PeriodBar
        search={search}
        fixed={['Last 30 days', 'Compared with the previous 30 days']}
        window={{ range: '30', compared: null, because: 'statuses are read live' }}
      />
      <WhenReady
        data={panels}
        fallback={<LoadingPanels titles={['Environment', 'Environments', 'Recent deployments']} />}
      >
        {({ deployments }) => <Found result={deployments} repository={params} />}
      </WhenReady>
    </RepositoryPage>
  );
}

function Found({ result, repository }: { result: Answer; repository: RepositoryPath }) {
  const { base } = usePageContext();
  const { search } = useLocation();
  const getProfileHref = useProfileHref(repository.owner);
  const found = result.ok && result.data.source === 'deployments' ? result.data : null;
  const csvHref = `${base}/api/codehost/deployments?${new URLSearchParams({ ...repository, format: 'csv' })}`;
  return (
    <>
      <Panel
        title="Environment"
        result={result}
        feature={{ label: 'Deployments', shows: 'deployments and their results' }}
        whenPartial="Not all deployments of 30 days could be loaded: counts are minimums, and rates cover the days loaded."
      >
        {(data) => (
          <>
            <DeploymentSource data={data} />
            {data.source === 'deployments' ? (
              <DeploymentFigures data={data} search={search} repository={repository} />
            ) : null}
            <FactsAsOf at={data.generated_at} {...repository} />
          </>
        )}
      </Panel>
      {found ? (
        <>
          <Section title="Environments">
            <EnvironmentTable data={found} search={search} csvHref={csvHref} />
          </Section>
          <Section title="Recent deployments">
            <RecentDeployments data={found} getProfileHref={getProfileHref} />
          </Section>
        </>
      ) : null}
    </>
  );
}
