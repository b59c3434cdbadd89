import { useLocation } from 'react-router';
import type { PanelsOf } from '../../../server/http/adapters.ts';
import { assertFound, deferStoredPanels } from '../../../server/http/deferred-panels.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { getDeployments } from '../../../server/reports/deployments/operations.ts';
import { usePageContext } from '../../components/page-context.ts';
import { LoadingPanels, WhenReady } from '../../components/skeleton.tsx';
import { ShareLink } from '../share-link.tsx';
import type { Route } from './+types/deployments';
import { DeploymentPanels, DeploymentsBar } from './deployments-panels.tsx';
import { RepositoryPage } from './repository-page.tsx';
import { hasTracker } from './tracker.ts';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const { panels } = await deferStoredPanels(pageRequest, { deployments: getDeployments });
  assertFound(panels);
  return { panels, isTracked: await hasTracker(pageRequest) };
};

export type DeploymentsAnswer = PanelsOf<{ deployments: typeof getDeployments }>['deployments'];
export type Deployments = Extract<DeploymentsAnswer, { ok: true }>['data'];
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
      <DeploymentsBar search={search} />
      <WhenReady
        data={panels}
        fallback={<LoadingPanels titles={['Environment', 'Environments', 'Recent deployments']} />}
      >
        {({ deployments }) => (
          <>
            <DeploymentPanels result={deployments} repository={params} search={search} />
            {deployments.ok ? <ShareLink /> : null}
          </>
        )}
      </WhenReady>
    </RepositoryPage>
  );
}
