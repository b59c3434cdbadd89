import { useLocation } from 'react-router';
import { getRunDetails, getRuns, getWorkflowHealth, getWorkflows } from '../../../server/api/codehost.ts';
import { panel, panels } from '../../../server/http/doors.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { withChoices } from '../../components/choices.ts';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Page } from '../../components/page.tsx';
import { Panel } from '../../components/panel.tsx';
import { tabTitle, useChrome } from '../chrome.ts';
import { explainHref } from '../explain-href.ts';
import type { Route } from './+types/workflow';
import { RunJobs } from './run-jobs.tsx';
import { RunTable } from './run-table.tsx';
import { WorkflowFigures } from './workflow-figures.tsx';

export const meta: Route.MetaFunction = ({ loaderData, params }) =>
  tabTitle(`${loaderData?.name ?? 'Workflow'} · ${params.owner}/${params.repo}`);

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const asked = { context: context.get(requestContext), params, extra: { workflow_id: params.workflowId } };
  const run = asked.context.url.searchParams.get('run');
  const [answers, jobs] = await Promise.all([
    panels(asked, { runs: getRuns, health: getWorkflowHealth, workflows: getWorkflows }),
    run ? panel(getRunDetails, { ...asked, extra: { run_id: run } }) : null,
  ]);
  if (!answers.runs.ok && [400, 404].includes(answers.runs.problem.status))
    throw new Response(null, { status: answers.runs.problem.status });
  const listed = answers.workflows.ok && answers.workflows.data.find((one) => String(one.id) === params.workflowId);
  return { ...answers, jobs, run, name: listed ? listed.name : null };
};

export default function WorkflowPage({ loaderData, params }: Route.ComponentProps) {
  const { now, zone, base } = useChrome();
  const { search, pathname } = useLocation();
  const query = new URLSearchParams(search);
  const tab = query.get('tab') === 'runs' ? 'runs' : 'overview';
  const repository = `${params.owner}/${params.repo}`;
  const { owner, repo, workflowId: workflow_id } = params;
  const evidence = (metric: string) =>
    explainHref(base, { metric, owner, repo, workflow_id, per_page: query.get('per_page') });
  const runsAsked = new URLSearchParams({ owner, repo, workflow_id, per_page: query.get('per_page') ?? '50' });
  const tabs = [
    { label: 'Overview', href: withChoices(search, { tab: null, run: null }), current: tab === 'overview' },
    { label: 'Runs', href: withChoices(search, { tab: 'runs', run: null }), current: tab === 'runs' },
  ];
  return (
    <Page
      title={loaderData.name ?? `Workflow ${params.workflowId}`}
      breadcrumbs={[
        { label: 'Repositories', href: base || '/' },
        { label: repository, href: `${base}/repos/${repository}` },
      ]}
      tabs={tabs}
    >
      <Panel
        title={tab === 'runs' ? 'Runs' : 'Health'}
        of={loaderData.runs}
        now={now}
        zone={zone}
        retryHref={`${pathname}${search}`}
      >
        {(runs) => (
          <>
            <FilterBar search={search} filters={[sampleSize(query)]} note={`Times in ${zone}`} />
            {tab === 'runs' ? (
              <RunTable
                runs={runs}
                selected={loaderData.run}
                search={search}
                now={now}
                zone={zone}
                csvHref={base ? undefined : `/api/codehost/runs?${runsAsked}&format=csv`}
              />
            ) : (
              <WorkflowFigures runs={runs} health={loaderData.health} zone={zone} evidence={evidence} />
            )}
          </>
        )}
      </Panel>
      {loaderData.jobs ? (
        <Panel title={`Jobs of ${nameOfRun(loaderData)}`} id="jobs" of={loaderData.jobs} now={now} zone={zone}>
          {(jobs) => <RunJobs jobs={jobs} now={now} zone={zone} />}
        </Panel>
      ) : null}
    </Page>
  );
}

/** By the number people know, which only the list tells. */
function nameOfRun({ run, runs }: Route.ComponentProps['loaderData']): string {
  const listed = runs.ok ? runs.data.find(({ id }) => String(id) === run) : undefined;
  return listed ? `run #${listed.run_number}` : `the run ${run}`;
}

const sampleSize = (query: URLSearchParams) => ({
  kind: 'links' as const,
  name: 'per_page',
  label: 'Last runs',
  value: query.get('per_page') ?? '50',
  options: ['20', '50', '100'].map((value) => ({ value, label: value })),
});
