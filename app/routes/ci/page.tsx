import { useLocation } from 'react-router';
import { type Panel as Answered, panel } from '../../../server/http/adapters.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { getCiWorkflows } from '../../../server/reports/ci/operations.ts';
import { getOrganizations, getRepositories } from '../../../server/reports/repositories/operations.ts';
import { Page } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Columns, Panel, Section } from '../../components/panel.tsx';
import { ExcludedPanel } from '../../components/panel-failure.tsx';
import { describeRange } from '../../components/period-filters.ts';
import { sectionCrumbs } from '../links.ts';
import type { Route } from './+types/page';
import { Answer } from './answer.tsx';
import { WorkflowBars } from './bars.tsx';
import { Cards } from './cards.tsx';
import { Coverage } from './coverage.tsx';
import { DurationTrend } from './durations.tsx';
import { Filters } from './filters.tsx';
import { NoWorkflows } from './no-workflows.tsx';
import { WorkflowTable } from './table.tsx';
import { type Ci, getTabs, requestedSort, requestedView } from './views.ts';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const sort = requestedSort(pageRequest.context.url.searchParams);
  const [ci, organizations, repositories] = await Promise.all([
    panel(getCiWorkflows, { ...pageRequest, extra: { sort } }),
    panel(getOrganizations, { ...pageRequest, isOptional: true }),
    panel(getRepositories, { ...pageRequest, isOptional: true }),
  ]);
  const names = repositories.ok ? repositories.data.map(({ full_name }) => full_name) : [];
  const logins = organizations.ok ? organizations.data.map(({ login }) => login) : [];
  return { ci, owners: logins, repositories: names };
};

/** Every workflow of the scope: which are slow, which waste money, and how they compare. */
export default function CiPage({ loaderData: { ci, owners, repositories } }: Route.ComponentProps) {
  const { base, hidden } = usePageContext();
  const { pathname, search } = useLocation();
  const query = new URLSearchParams(search);
  const view = requestedView(query);
  const isHidden = hidden.includes('costAnalytics');
  const showsCost = !isHidden && !(ci.ok && ci.data.withheld.length > 0);
  const scope = query.get('repo') || query.get('org');
  return (
    <Page
      title={scope ? `CI of ${scope}` : 'CI'}
      description="Every workflow by duration, failures, queue wait and cost: which are slow, and which waste money."
      lead={ci.ok ? <Answer data={ci.data} view={view} showsCost={showsCost} /> : null}
      breadcrumbs={sectionCrumbs('CI', `${base}/ci`, scope)}
      tabs={getTabs(search, view, { showsCost })}
    >
      <Filters search={search} owners={owners} repositories={repositories} />
      {view === 'waste' && !showsCost ? (
        <ExcludedPanel
          title="Cost"
          code={isHidden ? 'hidden' : 'forbidden'}
          flag="costAnalytics"
          feature={{ label: 'Cost', shows: 'what workflows cost and waste' }}
        />
      ) : null}
      <Body result={ci} search={search} here={`${pathname}${search}`} showsCost={showsCost} />
    </Page>
  );
}

interface BodyProps {
  result: Answered<Ci>;
  search: string;
  here: string;
  showsCost: boolean;
}

function Body({ result, search, here, showsCost }: BodyProps) {
  const { now, zone } = usePageContext();
  const view = requestedView(new URLSearchParams(search));
  const feature = { label: 'Reports', shows: 'the stored runs of all workflows' };
  if (!result.ok || result.data.workflows.length === 0)
    return (
      <Panel title="Workflows" result={result} now={now} zone={zone} feature={feature} retryHref={here}>
        {(data) => (
          <NoWorkflows
            data={data}
            search={search}
            unreadSince={data.totals.runs === null ? data.synced_through : undefined}
          />
        )}
      </Panel>
    );
  const { data } = result;
  return (
    <>
      <Coverage data={data} showsCost={showsCost} />
      <Columns>
        <Section title={describeRange(data.range)}>
          <Cards data={data} view={view} showsCost={showsCost} />
        </Section>
        <WorkflowBars data={data} view={view} showsCost={showsCost} />
      </Columns>
      {view === 'slow' ? (
        <Section title="Trend">
          <DurationTrend data={data} />
        </Section>
      ) : null}
      <Section title="Workflows">
        <WorkflowTable data={data} view={view} showsCost={showsCost} search={search} />
      </Section>
    </>
  );
}
