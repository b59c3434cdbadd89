import { useParams } from 'react-router';
import { count, figures } from '../../../../server/domain/quantity.ts';
import { Link } from '../../../charts/link.tsx';
import { Badge } from '../../../components/badge.tsx';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { Moment } from '../../../components/moment.tsx';
import { usePageContext } from '../../../components/page-context.ts';
import { RunLink } from '../../tables/run-columns.tsx';
import { draftQuery, type UnusualRun } from '../issue-draft.ts';
import type { OperationResult, Reliability } from './operations.ts';
import { timeColumn } from './time-column.tsx';

type Anomaly = Reliability['anomalies'][number];
type Baseline = Reliability['baselines'][number];
type Shift = Reliability['level_shifts'][number];

interface Props extends Pick<OperationResult, 'zone' | 'csv'> {
  data: Reliability;
  /** Whether the repository has a tracker to file issues in. */
  isTracked: boolean;
}

/** Single runs far from what their past let expect, and changes that lasted. */
export function Unusual({ data, isTracked, csv }: Props) {
  return (
    <>
      <DataTable
        caption="Lasting changes, newest first"
        columns={shiftColumns}
        rows={data.level_shifts}
        rowKey={({ metric, series, since }) => `${metric} ${series} ${since.id}`}
        csvHref={csv('workflow-reliability', { table: 'level_shifts' })}
        empty={{
          cause: data.baselines.some(({ runs }) => runs >= shiftRuns)
            ? 'No lasting change in duration or queue wait.'
            : `Lasting changes need ${shiftRuns} runs of the same event type.`,
        }}
      />
      <DataTable
        caption="Unusual runs, newest first"
        columns={[...anomalyColumns, ...useIssueColumn(isTracked)]}
        rows={data.anomalies.slice(0, maxShown)}
        rowKey={({ metric, run }) => `${metric} ${run.id}`}
        total={data.anomalies.length}
        noun="unusual runs"
        csvHref={csv('workflow-reliability', { table: 'anomalies' })}
        empty={{
          cause:
            data.baselines.length > 0
              ? 'No unusual runs.'
              : 'Unusual runs need eight earlier runs of the same event type.',
        }}
      />
      {data.baselines.length > 0 ? (
        <DataTable
          caption="Baselines"
          columns={baselineColumns}
          rows={data.baselines}
          rowKey={({ metric, series }) => `${metric} ${series}`}
          csvHref={csv('workflow-reliability', { table: 'baselines' })}
        />
      ) : null}
    </>
  );
}

const maxShown = 15;

/** Ten on each side of a lasting change. */
const shiftRuns = 20;

const labels = { duration: 'Duration', queue_wait: 'Queue wait' };

const seriesNames: Record<Shift['series'], string> = {
  default_branch_push: 'pushes to the default branch',
  pull_request: 'pull requests',
  schedule: 'scheduled runs',
  other: 'other events',
  mixed: 'all other runs',
};

const anomalyColumns: readonly Column<Anomaly>[] = [
  {
    key: 'run',
    label: 'Run',
    heading: true,
    cell: ({ run, event, head_branch }) => (
      <>
        <RunLink run={run} />
        <span className="sub muted">{[event.replaceAll('_', ' '), head_branch].filter(Boolean).join(' · ')}</span>
      </>
    ),
  },
  { key: 'at', label: 'Created', cell: ({ at }) => <Moment at={at} as="date-time" /> },
  {
    key: 'what',
    label: 'What',
    cell: ({ metric, direction, severity }) => (
      <Badge status="warning">{`${labels[metric]} ${direction === 'high' ? 'too long' : 'too short'}, ${severity}`}</Badge>
    ),
  },
  timeColumn('value', 'Took', ({ value_ms }) => value_ms),
  timeColumn('expected', 'Expected', ({ expected_ms }) => expected_ms),
  timeColumn('limit', 'Unusual from', ({ limit_ms }) => limit_ms),
  {
    key: 'sample',
    label: 'Compared with',
    numeric: true,
    explain: 'Earlier runs of the same event type.',
    cell: ({ sample }) => count(sample, 'run'),
  },
];

/** The way from an unusual run to an issue about it; the demo has no place to file one. */
function useIssueColumn(isTracked: boolean): Column<Anomaly>[] {
  const { base, pages } = usePageContext();
  const { owner, repo } = useParams();
  if (base !== '' || !isTracked || !pages.includes('repos/:owner/:repo/issues/new')) return [];
  const href = (one: Anomaly) => `/repos/${owner}/${repo}/issues/new?${draftQuery(unusualRun(one))}`;
  return [{ key: 'issue', label: 'Issue', cell: (one) => <Link href={href(one)}>File an issue</Link> }];
}

const unusualRun = ({ run, metric, direction, severity, at, event, sample, ...one }: Anomaly): UnusualRun => ({
  metric,
  direction,
  severity,
  at,
  event,
  sample,
  branch: one.head_branch,
  runId: run.id,
  runNumber: run.number,
  valueMs: one.value_ms,
  expectedMs: one.expected_ms,
  limitMs: one.limit_ms,
});

const whatColumn: Column<Pick<Shift, 'metric' | 'series'>> = {
  key: 'what',
  label: 'What',
  heading: true,
  cell: ({ metric, series }) => (
    <>
      {labels[metric]}
      <span className="sub muted">{`of ${seriesNames[series]}`}</span>
    </>
  ),
};

const baselineColumns: readonly Column<Baseline>[] = [
  whatColumn,
  timeColumn('median', 'Median', ({ median_ms }) => median_ms),
  timeColumn('spread', 'Spread', ({ spread_ms }) => spread_ms),
  timeColumn('low', 'Too short from', ({ low_ms }) => low_ms, 'No lower limit.'),
  timeColumn('high', 'Too long from', ({ high_ms }) => high_ms),
  { key: 'sample', label: 'Runs', numeric: true, cell: ({ sample }) => figures(sample) },
];

const shiftColumns: readonly Column<Shift>[] = [
  whatColumn,
  {
    key: 'since',
    label: 'Since',
    cell: ({ since, at }) => (
      <>
        <RunLink run={since} />, <Moment at={at} as="date-time" />
      </>
    ),
  },
  timeColumn('from', 'Median before', ({ from_ms }) => from_ms),
  timeColumn('to', 'Median after', ({ to_ms }) => to_ms),
  { key: 'change', label: 'Change', numeric: true, cell: (shift) => changeText(shift) },
  {
    key: 'sample',
    label: 'Runs',
    numeric: true,
    explain: 'Before and after.',
    cell: ({ runs_before, runs_after }) => `${figures(runs_before)} / ${figures(runs_after)}`,
  },
];

function changeText({ direction, change_pct, change_low_pct, change_high_pct }: Shift): string {
  const word = direction === 'high' ? 'longer' : 'shorter';
  if (change_pct === null) return word;
  const range =
    change_low_pct === null || change_high_pct === null
      ? ''
      : `, 95 % CI ${signed(change_low_pct)} to ${signed(change_high_pct)}`;
  return `${figures(Math.abs(change_pct), 0)} % ${word}${range}`;
}

const signed = (value: number) => `${value > 0 ? '+' : ''}${figures(value, 0)} %`;
