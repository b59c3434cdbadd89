import { usePageContext, useSearch } from '../../components/page-context.ts';
import { Columns } from '../../components/panel.tsx';
import { PeriodBar } from '../../components/period-bar.tsx';
import { describeWindows } from '../repo/delivery-cards.tsx';
import { DeliveryMethod, DeliveryPanel } from '../repo/delivery-panel.tsx';
import { DeploymentPanels, DeploymentsBar } from '../repo/deployments-panels.tsx';
import { IssuePanels } from '../repo/issues-panels.tsx';
import { WaitingPanel } from '../repo/waiting-panel.tsx';
import { DurationsPanel } from '../repo/workflow/durations.tsx';
import { chooseSample, describeSample, getSampleFilters } from '../repo/workflow/sample.ts';
import { TabPanels } from '../repo/workflow/tab-panels.tsx';
import { WorkflowStatePanel } from '../repo/workflow-state.tsx';
import type { SharedPage } from './shared-parts.tsx';

type Place = Record<string, string>;

const pathOf = ({ owner = '', repo = '' }: Place) => ({ owner, repo });

type Overview = SharedPage<'delivery' | 'deployments' | 'openPullRequests' | 'summary' | 'workflows'>;

export function SharedRepository({ place, answers }: Overview) {
  const { delivery, deployments, openPullRequests, summary, workflows } = answers;
  const repository = pathOf(place);
  return (
    <>
      <PeriodBar search="" fixed={describeWindows({ deployments })} />
      <DeliveryPanel delivery={delivery} deployments={deployments} repository={repository} />
      <Columns>
        <WaitingPanel result={openPullRequests} repository={repository} />
        <WorkflowStatePanel summary={summary} workflows={workflows} repository={repository} />
      </Columns>
      <DeliveryMethod delivery={delivery} deployments={deployments} repository={repository} />
    </>
  );
}

/** What a workflow is drawn from: of a range only where its maker may see stored runs, and did not choose a number. */
type Workflow = SharedPage<'runs' | 'health' | 'reliability' | 'jobStats' | 'figures' | 'durations'>;

/** Its first tab, of the range or of the latest runs, as its page chooses. */
export function SharedWorkflow({ place, answers }: Workflow) {
  const { owner, repo } = pathOf(place);
  const { zone } = usePageContext();
  const search = useSearch();
  const query = new URLSearchParams(search);
  const { runs, health, reliability, jobStats, figures, durations } = answers;
  const own = { runs, health, reliability };
  const sample = chooseSample(query, { figures }, place.workflow_id ?? '');
  const parts = { search, zone, csv: nowhere, evidence: nowhere, sample, repository: `${owner}/${repo}` };
  return (
    <>
      <PeriodBar
        search={search}
        filters={getSampleFilters(query, sample, 'overview')}
        fixed={describeSample(query, sample, 'overview')}
      />
      <TabPanels
        tab="overview"
        answers={own}
        beside={{ durations }}
        requested={{ jobStats }}
        durations={<DurationsPanel answers={own} beside={{ durations }} path={null} {...parts} />}
        chosen={null}
        isTracked={false}
        run={null}
        {...parts}
      />
    </>
  );
}

/** Links of a shared page lead nowhere. */
const nowhere = () => '';

export function SharedDeployments({ place, answers }: SharedPage<'deployments'>) {
  const search = useSearch();
  return (
    <>
      <DeploymentsBar search={search} />
      <DeploymentPanels result={answers.deployments} repository={pathOf(place)} search={search} />
    </>
  );
}

export const SharedIssues = ({ place, answers }: SharedPage<'issues'>) => (
  <IssuePanels result={answers.issues} repository={pathOf(place)} />
);
