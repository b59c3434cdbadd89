import { useLocation } from 'react-router';
import { windowDaysOf } from '../../../server/api/settings/advisor.ts';
import { type PanelRequest, type PanelsOf, panel } from '../../../server/http/adapters.ts';
import { assertFound, deferAnswers, soonOrNull } from '../../../server/http/deferred-panels.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { getPlan } from '../../../server/reports/advisor/operations.ts';
import { getResults } from '../../../server/reports/advisor-results/operations.ts';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { usePageContext, useSearch } from '../../components/page-context.ts';
import { Panel } from '../../components/panel.tsx';
import { LoadingPanels, WhenReady } from '../../components/skeleton.tsx';
import { AdviceBar } from '../advice-bar.tsx';
import { crumbs, useOrganizationCrumb } from '../links.ts';
import { ResultsTable } from '../repo/advisor/results.tsx';
import type { Route } from './+types/advisor';
import { rowsOfPage, Savings } from './savings.tsx';
import { useOrganizationTabs } from './tabs.ts';

export const loader = async ({ context, params: { org } }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params: { org } };
  const loading = loadAnswers(pageRequest);
  const { panels } = await deferAnswers<Answers>(pageRequest, loading, (failed) => ({ plan: failed, results: failed }));
  assertFound(panels, [404]);
  return { panels, days: await windowDaysOf(pageRequest.context) };
};

type Answers = PanelsOf<{ plan: typeof getPlan }> & {
  /** null where they are not computed yet. */
  results: PanelsOf<{ results: typeof getResults }>['results'] | null;
};

/** The choices of the address are of the recommendations, not of the results. */
async function loadAnswers(pageRequest: PanelRequest): Promise<Answers> {
  const [plan, results] = await Promise.all([
    panel(getPlan, { ...pageRequest, extra: { limit: String(rowsOfPage) } }),
    soonOrNull(panel(getResults, { ...pageRequest, extra: { state: 'all' } })),
  ]);
  return { plan, results };
}

const feature = { label: 'CI recommendations', shows: 'what could be changed in workflow files' };

/** What recommended changes of workflow files save in the repositories of an organization, the most first. */
export default function SavingsPage({ loaderData: { panels, days }, params: { org } }: Route.ComponentProps) {
  const { base } = usePageContext();
  const choices = Object.fromEntries(new URLSearchParams(useSearch()));
  const { search } = useLocation();
  const csvQuery = new URLSearchParams({ ...choices, org, page: '1', limit: '100', format: 'csv', csv_pages: 'all' });
  return (
    <Page
      title={`CI savings in ${org}`}
      description="What recommended changes of workflow files save."
      breadcrumbs={crumbs(base, ...useOrganizationCrumb(org))}
      tabs={useOrganizationTabs(org, 'Savings')}
    >
      <AdviceBar search={search} days={days} />
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
      <WhenReady data={panels} fallback={null}>
        {({ results }) => <Results answer={results} org={org} />}
      </WhenReady>
    </Page>
  );
}

function Results({ answer, org }: { answer: Answers['results']; org: string }) {
  if (answer === null) return <Notice title="Results, updating.">Reload the page in a few seconds.</Notice>;
  if (!answer.ok || answer.data.rows.length === 0) return null;
  return (
    <Panel title="Results" id="results" result={answer}>
      {(data) => <ResultsTable data={data} scope={{ org }} />}
    </Panel>
  );
}
