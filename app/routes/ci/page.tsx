import { useLocation } from 'react-router';
import type { PanelsOf } from '../../../server/http/adapters.ts';
import { type Deferred, deferAnswers, deferPanels } from '../../../server/http/deferred-panels.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { getCiWorkflows } from '../../../server/reports/ci/operations.ts';
import { Page } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Columns, Panel, Section } from '../../components/panel.tsx';
import { ExcludedPanel } from '../../components/panel-failure.tsx';
import { allRuns } from '../../components/period-filters.ts';
import { LoadingPanels, WhenReady } from '../../components/skeleton.tsx';
import { sectionCrumbs } from '../links.ts';
import type { Marks } from '../marks.ts';
import { requestedName, rowsSection } from '../name-filter.tsx';
import { readMarks } from '../read-marks.ts';
import { panelOfAllNames } from '../read-named.ts';
import { ScopeBar } from '../scope-bar.tsx';
import { scopeLists } from '../scope-lists.ts';
import type { ScopeLists } from '../scope-names.ts';
import { StoredUnproved } from '../stored-unproved.tsx';
import type { Route } from './+types/page';
import { Answer } from './answer.tsx';
import { WorkflowBars } from './bars.tsx';
import { Cards } from './cards.tsx';
import { Coverage } from './coverage.tsx';
import { DurationTrend } from './durations.tsx';
import { NoWorkflows } from './no-workflows.tsx';
import { WorkflowTable } from './table.tsx';
import { getTabs, requestedOrder, requestedView } from './views.ts';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const extra = requestedOrder(pageRequest.context.url.searchParams);
  const [ci, lists] = await Promise.all([
    deferAnswers(
      pageRequest,
      Promise.all([panelOfAllNames(getCiWorkflows, { ...pageRequest, extra }), readMarks(pageRequest)]).then(
        ([ci, marks]) => ({ ci, marks }),
      ),
      (failed) => ({ ci: failed as CiAnswer, marks: null }),
    ),
    deferPanels({ ...pageRequest, isOptional: true }, scopeLists),
  ]);
  return { panels: ci.panels, lists: lists.panels };
};

type CiAnswer = PanelsOf<{ ci: typeof getCiWorkflows }>['ci'];

/** Every workflow of the scope: which are slow, which waste money, and how they compare. */
export default function CiPage({ loaderData: { panels, lists } }: Route.ComponentProps) {
  const { base, hidden } = usePageContext();
  const { search } = useLocation();
  const query = new URLSearchParams(search);
  const view = requestedView(query);
  const isHidden = hidden.includes('costAnalytics');
  const showsCost = (answer: CiAnswer | null) => !isHidden && !(answer?.ok && answer.data.withheld.length > 0);
  const scope = query.get('repo') || query.get('org');
  return (
    <Page
      title={scope ? `CI of ${scope}` : 'CI'}
      description="Every workflow by duration, failures, queue wait and cost: which are slow, and which waste money."
      lead={
        <WhenReady data={panels} fallback={<span className="muted">Loading</span>}>
          {({ ci }) => (ci.ok ? <Answer data={ci.data} view={view} showsCost={showsCost(ci)} /> : null)}
        </WhenReady>
      }
      breadcrumbs={sectionCrumbs('CI', `${base}/ci`, scope)}
      tabs={getTabs(search, view, { showsCost: showsCost(panels instanceof Promise ? null : panels.ci) })}
    >
      <ScopeBar search={search} lists={lists} fixed={allRuns} />
      <WhenReady data={panels} fallback={<LoadingPanels titles={['Totals', 'Workflows']} />}>
        {({ ci, marks }) => (
          <>
            {view === 'waste' && !showsCost(ci) ? (
              <ExcludedPanel
                title="Cost"
                code={isHidden ? 'hidden' : 'forbidden'}
                flag="costAnalytics"
                feature={{ label: 'Cost', shows: 'what workflows cost and waste' }}
              />
            ) : null}
            <Body result={ci} marks={marks} lists={lists} search={search} showsCost={showsCost(ci)} />
          </>
        )}
      </WhenReady>
    </Page>
  );
}

interface BodyProps {
  result: CiAnswer;
  marks: Marks | null;
  lists: Deferred<ScopeLists>;
  search: string;
  showsCost: boolean;
}

function Body({ result, marks, lists, search, showsCost }: BodyProps) {
  const view = requestedView(new URLSearchParams(search));
  const feature = { label: 'Reports', shows: 'the stored runs of all workflows' };
  if (!result.ok || result.data.workflows.length === 0)
    return (
      <>
        <Panel title="Workflows" result={result} feature={feature}>
          {(data) => <NoWorkflows data={data} search={search} lists={lists} isUnread={data.totals.runs === null} />}
        </Panel>
        <StoredUnproved result={result} />
      </>
    );
  const { data } = result;
  const trend = (
    <Section title="Trend">
      <DurationTrend data={data} marks={marks} />
    </Section>
  );
  return (
    <>
      <Coverage data={data} showsCost={showsCost} />
      <Columns>
        <Section title={requestedName(search) === null ? 'Totals' : 'Totals of all workflows'}>
          <Cards data={data} view={view} showsCost={showsCost} />
        </Section>
        {view === 'all' ? trend : <WorkflowBars data={data} view={view} showsCost={showsCost} />}
      </Columns>
      {view === 'slow' ? trend : null}
      <Section title="Workflows" id={rowsSection}>
        <WorkflowTable data={data} view={view} showsCost={showsCost} search={search} />
      </Section>
    </>
  );
}
