import type { ReactNode } from 'react';
import { count } from '../../../../server/domain/quantity.ts';
import { FeatureGate } from '../../../components/feature-gate.tsx';
import { Columns, Panel, type PanelNotes } from '../../../components/panel.tsx';
import { type Deferred, LoadingPanels, WhenReady } from '../../../components/skeleton.tsx';
import { BranchFilter, requestedBranch, runsSection } from './branch.tsx';
import { Cost } from './cost.tsx';
import { CriticalPath } from './critical-path.tsx';
import { RunDurations } from './durations.tsx';
import { FigureCards, LatestRuns } from './figure-cards.tsx';
import type { BesideAnswers, OperationResult, Reliability, WorkflowAnswers } from './operations.ts';
import { Outcome } from './overview.tsx';
import { Performance } from './performance.tsx';
import { Queue } from './queue.tsx';
import { Flaky, Recovery, Timeline } from './reliability.tsx';
import { RunTable } from './run-table.tsx';
import { RunsPanel } from './runs-panel.tsx';
import type { Sample } from './sample.ts';
import type { WorkflowTab } from './tabs.ts';
import { Tips } from './tips.tsx';
import { Triggers } from './triggers.tsx';
import { Unusual } from './unusual.tsx';

interface Props extends OperationResult {
  tab: WorkflowTab;
  answers: Partial<WorkflowAnswers>;
  beside: Partial<BesideAnswers>;
  /** What is requested beside it. */
  requested: Deferred<Partial<BesideAnswers>>;
  durations: ReactNode;
  /** The run that was chosen, against the median run. */
  chosen: ReactNode;
  /** Whether the repository has a tracker. */
  isTracked: boolean;
  search: string;
  /** The chosen run. */
  run: string | null;
  /** Which runs the figures are of. */
  sample: Sample;
  /** `owner/repo` */
  repository: string;
}

/** The panels of the tab that is shown. */
export const TabPanels = (props: Props) => (
  <>
    {tabs[props.tab](props)}
    {props.tab === 'performance' ? null : props.chosen}
  </>
);

const feature = {
  reliability: { label: 'Workflow reliability', shows: 'recovery, flakiness, queue, unusual runs and triggers' },
  anomalies: { label: 'Anomalies of workflow runs', shows: 'runs with unusual duration or queue wait' },
  performance: { label: 'Job and step performance', shows: 'time by job and step' },
  cost: { label: 'Cost', shows: 'estimated cost of runs' },
};

const tabs: Record<WorkflowTab, (props: Props) => ReactNode> = {
  overview: (props) => (
    <>
      <FigureCards {...props} />
      <Columns>
        <WhenReady data={props.requested} fallback={<LoadingPanels titles={['Critical path']} />}>
          {({ jobStats }) => <CriticalPathPanel {...props} result={jobStats} />}
        </WhenReady>
        {props.durations}
      </Columns>
      <ReliabilityPanel title="Highlights" {...props}>
        {(data) => <Tips data={data} csv={props.csv} />}
      </ReliabilityPanel>
      <OutcomePanel {...props} />
    </>
  ),
  performance: (props) => (
    <>
      <FigureCards {...props} />
      <Columns>
        <CriticalPathPanel {...props} result={props.answers.jobStats} />
        {props.durations}
      </Columns>
      {props.chosen}
      <PerformancePanel {...props} />
      <ReliabilityPanel title="Queue" {...props}>
        {(data) => <Queue data={data} csv={props.csv} evidence={props.evidence} />}
      </ReliabilityPanel>
    </>
  ),
  reliability: (props) => (
    <>
      <FigureCards {...props} />
      <RunsPanel title="Timeline" {...props}>
        {(runs) => <Timeline runs={runs} zone={props.zone} />}
      </RunsPanel>
      <ReliabilityPanel title="Recovery and flakiness" restsOnAttempts {...props}>
        {(data) => <Recovery data={data} {...props} />}
      </ReliabilityPanel>
      <ReliabilityPanel title="Flaky" restsOnAttempts {...props}>
        {(data) => <Flaky data={data} csv={props.csv} repository={props.repository} />}
      </ReliabilityPanel>
      <FeatureGate flag="anomalyDetection" title="Unusual" feature={feature.anomalies}>
        <ReliabilityPanel title="Unusual" {...props}>
          {(data) => <Unusual data={data} {...props} />}
        </ReliabilityPanel>
      </FeatureGate>
    </>
  ),
  triggers: (props) => (
    <ReliabilityPanel title="Triggers" {...props}>
      {(data) => <Triggers data={data} csv={props.csv} />}
    </ReliabilityPanel>
  ),
  cost: (props) => (
    <>
      <FigureCards {...props} />
      <CostPanel {...props} />
    </>
  ),
  runs: (props) => (
    <RunsPanel title="Runs" id={runsSection} {...props}>
      {(runs) => (
        <>
          <BranchFilter search={props.search} />
          {runs.length > 0 ? <RunDurations runs={runs} zone={props.zone} /> : null}
          <RunTable runs={runs} {...props} selected={props.run} csvHref={props.csv('runs', branchOf(props.search))} />
        </>
      )}
    </RunsPanel>
  ),
};

const branchOf = (search: string) => {
  const branch = requestedBranch(new URLSearchParams(search));
  return branch === null ? undefined : { branch };
};

interface ReliabilityPanelProps extends Props {
  title: string;
  /** Whether what is shown would say more with the attempts that are not stored. */
  restsOnAttempts?: boolean;
  children(data: Reliability): ReactNode;
}

function ReliabilityPanel({ title, restsOnAttempts = false, answers, sample, children }: ReliabilityPanelProps) {
  const { reliability } = answers;
  if (!reliability) return null;
  const unknown = reliability.ok ? reliability.data.earlier_attempts_unknown : 0;
  return (
    <Panel
      title={title}
      result={reliability.ok && !restsOnAttempts ? withNotes(reliability) : reliability}
      feature={feature.reliability}
      whenPartial={`${count(unknown, 'superseded attempt is', 'superseded attempts are')} not stored. Flaky commits are minimums, and some failing periods may be missing.`}
      aside={<LatestRuns sample={sample} />}
    >
      {children}
    </Panel>
  );
}

const withNotes = <Answer extends { notes: PanelNotes }>(answer: Answer) => ({
  ...answer,
  notes: { ...answer.notes, partial: false },
});

function OutcomePanel({ answers: { health }, zone, sample }: Props) {
  if (!health?.ok) return null;
  return (
    <Panel title="History" result={health} aside={<LatestRuns sample={sample} />}>
      {(data) => <Outcome health={data} zone={zone} />}
    </Panel>
  );
}

function CriticalPathPanel({
  result,
  csv,
  evidence,
  sample,
}: Props & { result: WorkflowAnswers['jobStats'] | undefined }) {
  if (!result) return null;
  return (
    <Panel title="Critical path" result={result} feature={feature.performance} aside={<LatestRuns sample={sample} />}>
      {(data) => <CriticalPath data={data} csv={csv} evidence={evidence} />}
    </Panel>
  );
}

function PerformancePanel({ answers: { jobStats }, search, csv, sample }: Props) {
  if (!jobStats) return null;
  return (
    <Panel
      title="Jobs"
      result={jobStats}
      feature={feature.performance}
      whenPartial="Jobs of some runs could not be loaded: samples are smaller."
      aside={<LatestRuns sample={sample} />}
    >
      {(data) => <Performance data={data} search={search} csv={csv} />}
    </Panel>
  );
}

function CostPanel({ answers: { cost }, zone, csv, evidence, repository, sample }: Props) {
  if (!cost) return null;
  return (
    <Panel
      title="Estimated cost"
      result={cost}
      feature={feature.cost}
      whenPartial="Jobs of some attempts could not be loaded: the actual cost is higher."
      aside={<LatestRuns sample={sample} />}
    >
      {(data) => <Cost data={data} zone={zone} csv={csv} evidence={evidence} repository={repository} />}
    </Panel>
  );
}
