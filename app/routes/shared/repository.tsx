import { usePageContext, useSearch } from '../../components/page-context.ts';
import { Columns } from '../../components/panel.tsx';
import { DeliveryMethod, DeliveryPanel } from '../repo/delivery-panel.tsx';
import { DeploymentPanels } from '../repo/deployments-panels.tsx';
import { IssuePanels } from '../repo/issues-panels.tsx';
import { WaitingPanel } from '../repo/waiting-panel.tsx';
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
      <DeliveryPanel delivery={delivery} deployments={deployments} repository={repository} />
      <Columns>
        <WaitingPanel result={openPullRequests} repository={repository} />
        <WorkflowStatePanel summary={summary} workflows={workflows} repository={repository} />
      </Columns>
      <DeliveryMethod delivery={delivery} deployments={deployments} repository={repository} />
    </>
  );
}

/** Its first tab, of the latest runs. */
export function SharedWorkflow({
  place,
  answers: { runs, health, reliability, jobStats },
}: SharedPage<'runs' | 'health' | 'reliability' | 'jobStats'>) {
  const { owner, repo } = pathOf(place);
  const { zone } = usePageContext();
  return (
    <TabPanels
      tab="overview"
      answers={{ runs, health, reliability }}
      beside={{ jobStats }}
      path={null}
      chosen={null}
      isTracked={false}
      search={useSearch()}
      run={null}
      zone={zone}
      csv={nowhere}
      evidence={nowhere}
      sample={{ by: 'runs', hasRange: false }}
      repository={`${owner}/${repo}`}
    />
  );
}

/** Links of a shared page lead nowhere. */
const nowhere = () => '';

export function SharedDeployments({ place, answers }: SharedPage<'deployments'>) {
  return <DeploymentPanels result={answers.deployments} repository={pathOf(place)} search={useSearch()} />;
}

export const SharedIssues = ({ place, answers }: SharedPage<'issues'>) => (
  <IssuePanels result={answers.issues} repository={pathOf(place)} />
);
