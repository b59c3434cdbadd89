import { Badge, RunBadge } from '../../components/badge.tsx';
import { withChoices } from '../../components/choices.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Measurement } from '../../components/measurement.tsx';
import { Moment } from '../../components/moment.tsx';
import type { Route } from './+types/workflow';

export type Run = Extract<Route.ComponentProps['loaderData']['runs'], { ok: true }>['data'][number];

interface Props {
  runs: Run[];
  selected: string | null;
  search: string;
  now: number;
  zone: string;
}

export function RunTable({ runs, selected, search, now, zone }: Props) {
  return (
    <DataTable
      caption="Runs, newest first"
      captionHidden
      columns={columns(selected, search, now, zone)}
      rows={runs}
      rowKey={(run) => run.id}
      noun="runs"
      empty={{ cause: 'This workflow has not run yet.' }}
    />
  );
}

const columns = (selected: string | null, search: string, now: number, zone: string): Column<Run>[] => [
  {
    key: 'run',
    label: 'Run',
    heading: true,
    cell: (run) => (
      <>
        <a
          href={`${withChoices(search, { run: run.id })}#jobs`}
          aria-current={String(run.id) === selected || undefined}
        >
          #{run.run_number}
        </a>{' '}
        {run.display_title}
        <span className="sub muted">
          {[run.event.replaceAll('_', ' '), run.head_branch, run.head_sha.slice(0, 7)].filter(Boolean).join(' · ')}
        </span>
      </>
    ),
  },
  { key: 'result', label: 'Result', cell: (run) => <RunBadge status={run.status} conclusion={run.conclusion} /> },
  {
    key: 'attempt',
    label: 'Attempt',
    numeric: true,
    explain: 'A re-run keeps its number and raises the attempt',
    cell: (run) => run.run_attempt,
  },
  { key: 'actor', label: 'By', cell: ({ triggering_actor, actor }) => (triggering_actor ?? actor)?.login ?? 'ghost' },
  { key: 'created', label: 'Created', cell: (run) => <Moment at={run.created_at} now={now} zone={zone} /> },
  {
    key: 'duration',
    label: 'Duration',
    numeric: true,
    cell: (run) => <Measurement of={{ value: run.duration_ms, unit: 'milliseconds', reason: 'It has not ended.' }} />,
  },
  {
    key: 'queue',
    label: 'Queue wait',
    numeric: true,
    explain: 'From creation to start. Not known for a re-run without job data.',
    cell: (run) => (
      <Measurement
        of={{
          value: run.queue_wait_ms,
          unit: 'milliseconds',
          reason: run.run_attempt > 1 ? 'Not known for a re-run.' : 'It has not started.',
        }}
      />
    ),
  },
  {
    key: 'unusual',
    label: 'Unusual',
    cell: ({ anomalies }) =>
      anomalies.map(({ metric, direction, severity }) => (
        <Badge key={metric} status="warning">
          {`${metric === 'duration' ? 'duration' : 'queue'} ${direction}, ${severity}`}
        </Badge>
      )),
  },
  { key: 'link', label: 'Platform', cell: (run) => (run.html_url === '#' ? null : <a href={run.html_url}>open</a>) },
];
