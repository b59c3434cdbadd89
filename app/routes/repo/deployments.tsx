import { useLocation } from 'react-router';
import { loadPanels } from '../../../server/http/adapters.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { getDeployments } from '../../../server/reports/deployments/operations.ts';
import { FactsAsOf } from '../../components/data-coverage-link.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Panel, Section } from '../../components/panel.tsx';
import { PeriodBar } from '../../components/period-bar.tsx';
import { crumbs, repositoryCrumb } from '../links.ts';
import { useProfileHref } from '../people/person-href.ts';
import type { Route } from './+types/deployments';
import { DeploymentFigures } from './deployments-figures.tsx';
import { DeploymentSource } from './deployments-source.tsx';
import { EnvironmentTable, RecentDeployments } from './deployments-tables.tsx';
import { useRepositoryTabs } from './tabs.ts';
import { hasTracker } from './tracker.ts';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const answers = await loadPanels(pageRequest, { deployments: getDeployments });
  if (!answers.deployments.ok && [400, 404].includes(answers.deployments.problem.status))
    throw new Response(null, { status: answers.deployments.problem.status });
  return { ...answers, isTracked: await hasTracker(pageRequest) };
};

export type Deployments = Extract<Route.ComponentProps['loaderData']['deployments'], { ok: true }>['data'];
export type Environment = Deployments['by_environment'][number];

/** What was deployed where in the last 30 days, and how it went. */
export default function DeploymentsPage({ loaderData: { deployments, isTracked }, params }: Route.ComponentProps) {
  const { now, zone, base } = usePageContext();
  const { search } = useLocation();
  const name = `${params.owner}/${params.repo}`;
  const here = `${base}/repos/${name}`;
  const getProfileHref = useProfileHref(params.owner);
  const renamed = deployments.ok ? deployments.notes.canonicalRepo : null;
  const found = deployments.ok && deployments.data.source === 'deployments' ? deployments.data : null;
  const csvHref = base ? undefined : `/api/codehost/deployments?owner=${params.owner}&repo=${params.repo}&format=csv`;
  return (
    <Page
      title="Deployments"
      lead={`Deployments of the last 30 days by environment. Time zone: ${zone}.`}
      breadcrumbs={crumbs(base, repositoryCrumb(base, name))}
      tabs={useRepositoryTabs(name, 'Deployments', isTracked)}
      note={renamed && renamed !== name ? <Notice title="Renamed.">Renamed to {renamed}.</Notice> : null}
    >
      <PeriodBar search={search} fixed={['Last 30 days']} />
      <Panel
        title="Environment"
        result={deployments}
        now={now}
        zone={zone}
        retryHref={`${here}/deployments`}
        feature={{ label: 'Deployments', shows: 'deployments and their results' }}
        whenPartial="Not all deployments of 30 days could be loaded: counts are minimums, and rates cover the days loaded."
      >
        {(data) => (
          <>
            <DeploymentSource data={data} now={now} zone={zone} />
            {data.source === 'deployments' ? (
              <DeploymentFigures data={data} search={search} repository={params} now={now} />
            ) : null}
            <FactsAsOf at={data.generated_at} {...params} />
          </>
        )}
      </Panel>
      {found ? (
        <>
          <Section title="Environments">
            <EnvironmentTable data={found} search={search} now={now} zone={zone} csvHref={csvHref} />
          </Section>
          <Section title="Recent deployments">
            <RecentDeployments data={found} getProfileHref={getProfileHref} now={now} zone={zone} />
          </Section>
        </>
      ) : null}
    </Page>
  );
}
