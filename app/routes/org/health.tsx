import { useLocation } from 'react-router';
import { listPrivateNames } from '../../../server/api/shares/private-names.ts';
import { loadPanels, type PanelRequest } from '../../../server/http/adapters.ts';
import { assertFound, deferAnswers } from '../../../server/http/deferred-panels.ts';
import { nonceContext, requestContext } from '../../../server/http/router-context.ts';
import { getOrgHealthScorecard } from '../../../server/reports/scorecard/operations.ts';
import { Page } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { LoadingPanels, WhenReady } from '../../components/skeleton.tsx';
import { AiInsights } from '../ai/insights.tsx';
import { insightsOffer } from '../ai/offer.ts';
import { crumbs, useOrganizationCrumb } from '../links.ts';
import { ShareLink } from '../share-link.tsx';
import type { Route } from './+types/health';
import { type Answers, HealthBar, isFilling, NotScoredPanel, Scores } from './health-panels.tsx';
import { useOrganizationTabs } from './tabs.ts';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const loading = loadPanels(pageRequest, { health: getOrgHealthScorecard });
  const [{ panels }, named, insights] = await Promise.all([
    deferAnswers(pageRequest, loading, (failed) => ({ health: failed })),
    deferAnswers(pageRequest, listPrivate(pageRequest, loading), () => null),
    deferAnswers(pageRequest, offerInsights(pageRequest, loading), () => null),
  ]);
  assertFound(panels, [404]);
  return { panels, privateNames: named.panels, insights: insights.panels, nonce: context.get(nonceContext) };
};

async function listPrivate({ context }: PanelRequest, loading: Promise<Answers>): Promise<string[] | null> {
  const { health } = await loading;
  if (!health.ok) return [];
  const { org, repos, skipped } = health.data;
  const names = [...repos, ...skipped.map(({ repo }) => ({ owner: org, repo }))];
  return listPrivateNames(
    names.map(({ owner, repo }) => `${owner}/${repo}`),
    context,
  );
}

/** A page that looks again by itself would have a text written each time. */
async function offerInsights(pageRequest: PanelRequest, loading: Promise<Answers>) {
  const { health } = await loading;
  return health.ok && !isFilling(health.data) ? insightsOffer(pageRequest) : null;
}

export default function OrganizationHealthPage({ loaderData, params: { org } }: Route.ComponentProps) {
  const { panels, privateNames, insights, nonce } = loaderData;
  const { base } = usePageContext();
  const { search } = useLocation();
  return (
    <Page
      title={`Health of ${org}`}
      description="Delivery and bus factor of active repositories."
      breadcrumbs={crumbs(base, ...useOrganizationCrumb(org))}
      tabs={useOrganizationTabs(org, 'Health')}
    >
      <HealthBar search={search} />
      <WhenReady data={panels} fallback={<LoadingPanels titles={['Repositories by score']} />}>
        {({ health }) => <Scores result={health} nonce={nonce} />}
      </WhenReady>
      <WhenReady data={insights} fallback={null}>
        {(offer) => <AiInsights offer={offer} />}
      </WhenReady>
      <WhenReady data={panels} fallback={null}>
        {({ health }) => <NotScoredPanel result={health} />}
      </WhenReady>
      <WhenReady data={privateNames} fallback={null}>
        {(names) => <ShareLink privateNames={names} />}
      </WhenReady>
    </Page>
  );
}
