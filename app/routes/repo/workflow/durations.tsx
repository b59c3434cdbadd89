import { useParams } from 'react-router';
import { count, figures } from '../../../../server/domain/quantity.ts';
import { ActionLink } from '../../../charts/link.tsx';
import { Trend } from '../../../charts/trend.tsx';
import { InteractiveTrend } from '../../../components/interactive-trend.tsx';
import { usePageContext } from '../../../components/page-context.ts';
import { Panel, Section } from '../../../components/panel.tsx';
import { durationSeries } from '../../duration-series.ts';
import { repositoryParams } from '../../links.ts';
import { type Marks, toAnnotations, type WorkflowChange } from '../../marks.ts';
import type { BesideAnswers, Durations, Run, WorkflowAnswers } from './operations.ts';
import type { Sample } from './sample.ts';

interface PanelProps {
  beside: Partial<BesideAnswers>;
  /** Of workflow files; not there while they are requested. */
  changes?: BesideAnswers['changes'] | undefined;
  answers: Partial<WorkflowAnswers>;
  /** The file of the workflow; null where it is not known. */
  path: string | null;
  zone: string;
  sample: Sample;
  /** `owner/repo` */
  repository: string;
}

/** By day in a range, else run by run. */
export function DurationsPanel({ beside, changes, answers: { runs }, path, zone, sample, repository }: PanelProps) {
  const { durations, marks } = beside;
  if (durations?.ok && sample.by === 'range')
    return (
      <Section title="Durations">
        <StoredDurations
          data={durations.data}
          marks={marks?.ok ? { ...marks.data, changes: changes?.ok ? findOwn(changes.data, path) : [] } : null}
          repository={repository}
        />
      </Section>
    );
  if (!runs) return null;
  return (
    <Panel title="Durations" result={runs}>
      {(data) => <RunDurations runs={data} zone={zone} />}
    </Panel>
  );
}

/** Changes of the workflow's file. */
const findOwn = (changes: readonly WorkflowChange[], path: string | null) =>
  changes.filter(({ file_paths: paths }) => path !== null && paths.includes(path));

interface StoredProps {
  data: Durations;
  marks: Marks | null;
  repository: string;
}

/** The median of each day with the band up to its p90, and what happened beside it. */
function StoredDurations({ data, marks, repository }: StoredProps) {
  const { base } = usePageContext();
  const { workflowId = '' } = useParams();
  const { sample, partial, timezone, range, compare } = data;
  const of = { ...repositoryParams(repository), workflow_id: workflowId };
  const csvHref = `${base}/api/db/workflow-durations?${new URLSearchParams({ ...of, range, compare, format: 'csv' })}`;
  return (
    <InteractiveTrend
      title="Duration by day"
      summary={`${count(sample, 'run')} that passed or failed${partial ? ', partial data' : ''}.`}
      unit="milliseconds"
      zone={timezone}
      step={86_400_000}
      height={240}
      annotations={toAnnotations(marks, base, repository)}
      hasBand
      isCapped
      note={<ActionLink href={csvHref}>CSV</ActionLink>}
      series={durationSeries(data)}
    />
  );
}

/** A week without runs is a gap, not a straight line. */
export const longestLine = 7 * 86_400_000;

interface RunProps {
  runs: readonly Run[];
  zone: string;
}

/** The latest runs one by one, where their days are not stored. */
export function RunDurations({ runs, zone }: RunProps) {
  const ended = runs.filter((run) => run.outcome === 'pass' || run.outcome === 'fail').toReversed();
  return (
    <Trend
      title="Run duration"
      summary={`${count(ended.length, 'run')} that passed or failed.`}
      sample={`${figures(ended.length)} of ${count(runs.length, 'run')}`}
      unit="milliseconds"
      zone={zone}
      withTime
      step={longestLine}
      isCapped
      series={[
        { label: 'duration', points: ended.map((run) => point(run, run.duration_ms)) },
        { label: 'queue wait', points: ended.map((run) => point(run, run.queue_wait_ms)) },
      ]}
    />
  );
}

const point = (run: Run, value: number | null) => ({
  at: run.created_at,
  value,
  name: `Run ${run.run_number}`,
  ...(run.html_url !== '#' && { href: run.html_url }),
});
