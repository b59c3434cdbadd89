import { useLocation } from 'react-router';
import { usePageContext } from '../../../components/page-context.ts';
import { Columns, findSharedProblem, Panel } from '../../../components/panel.tsx';
import { type Deferred, LoadingPanels, WhenReady } from '../../../components/skeleton.tsx';
import { CopyBadge } from '../../copy-badge.tsx';
import { explainHref } from '../../links.ts';
import { ShareLink } from '../../share-link.tsx';
import { AiExplanations } from './ai-explanations.tsx';
import { ChosenRun } from './chosen-run.tsx';
import { DurationsPanel } from './durations.tsx';
import { FigureCards } from './figure-cards.tsx';
import type { LoadedWorkflow } from './load.ts';
import type { BesideAnswers, OperationResult } from './operations.ts';
import { chooseSample } from './sample.ts';
import { TabPanels } from './tab-panels.tsx';
import { loadingTitles, tabLabels, usualSize, type WorkflowTab } from './tabs.ts';

interface WorkflowPath {
  owner: string;
  repo: string;
  workflowId: string;
}

interface StoredTabProps {
  tab: WorkflowTab;
  repository: WorkflowPath;
  /** What is known of stored runs. */
  beside: Partial<BesideAnswers>;
}

interface LoadedTabProps extends StoredTabProps {
  loaded: LoadedWorkflow;
  /** What is requested beside it. */
  requested: Deferred<Partial<BesideAnswers>>;
  isTracked: boolean;
}

/** What all parts of a tab are drawn with. */
function useParts({ repository: { owner, repo, workflowId: workflow_id }, beside }: StoredTabProps) {
  const { zone, base } = usePageContext();
  const { search } = useLocation();
  const query = new URLSearchParams(search);
  const size = query.get('per_page') ?? usualSize;
  const csv: OperationResult['csv'] = (operation, more = {}) =>
    `${base}/api/codehost/${operation}?${new URLSearchParams({ owner, repo, workflow_id, per_page: size, ...more, format: 'csv' })}`;
  const evidence: OperationResult['evidence'] = (metric, more) =>
    explainHref(base, { metric, owner, repo, workflow_id, per_page: query.get('per_page'), ...more });
  return {
    search,
    zone,
    csv,
    evidence,
    sample: chooseSample(query, beside, workflow_id),
    repository: `${owner}/${repo}`,
  };
}

/** The figures of the stored runs, with the places of what is requested. */
export function StoredTab(props: StoredTabProps) {
  const { tab, beside } = props;
  const parts = useParts(props);
  if (parts.sample.by !== 'range') return <LoadingPanels titles={loadingTitles[tab]} />;
  return (
    <>
      <FigureCards tab={tab} answers={{}} beside={beside} {...parts} />
      {beside.durations?.ok ? (
        <Columns>
          <LoadingPanels titles={['Critical path']} />
          <DurationsPanel answers={{}} beside={beside} path={null} {...parts} />
        </Columns>
      ) : (
        <LoadingPanels titles={loadingTitles[tab]} />
      )}
    </>
  );
}

export function LoadedTab(props: LoadedTabProps) {
  const { tab, loaded, beside, requested, isTracked, repository } = props;
  const { now } = usePageContext();
  const parts = useParts(props);
  const { search, zone } = parts;
  const { answers, jobs, run, path, explanation } = loaded;
  const problem = findSharedProblem([...Object.values(answers), jobs]);
  const durations = (
    <WhenReady data={requested} fallback={<DurationsPanel answers={answers} beside={beside} path={path} {...parts} />}>
      {({ changes }) => (
        <DurationsPanel answers={problem ? {} : answers} beside={beside} changes={changes} path={path} {...parts} />
      )}
    </WhenReady>
  );
  if (problem)
    return (
      <>
        <Panel title={tabLabels[tab]} result={{ ok: false, problem }}>
          {() => null}
        </Panel>
        {durations}
      </>
    );
  const chosen =
    jobs && run ? <ChosenRun jobs={jobs} run={run} answers={answers} search={search} now={now} zone={zone} /> : null;
  return (
    <>
      <TabPanels
        tab={tab}
        answers={answers}
        beside={beside}
        requested={requested}
        durations={durations}
        chosen={chosen}
        isTracked={isTracked}
        run={run}
        {...parts}
      />
      <AiExplanations offer={explanation} />
      <CopyBadge
        repository={{ owner: repository.owner, repo: repository.repo }}
        workflowId={repository.workflowId}
        kinds={badges}
      />
      <ShareLink />
    </>
  );
}

const badges = { workflow: 'Latest result' };
