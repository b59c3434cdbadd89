import { quantity } from '../../charts/quantity.ts';
import { Spark } from '../../charts/spark.tsx';
import { RunBadge } from '../../components/badge.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Measurement, Unknown } from '../../components/measurement.tsx';
import { Moment } from '../../components/moment.tsx';
import { RunStrip } from '../../components/run-strip.tsx';
import { Health, HowToRead, Success } from '../repository-table.tsx';
import type { Route } from './+types/overview';

export type Overview = Extract<Route.ComponentProps['loaderData']['workflows'], { ok: true }>['data'][number];

interface Props {
  rows: Overview[];
  /** The repository's own address. */
  here: string;
  now: number;
  zone: string;
}

export function WorkflowTable({ rows, here, now, zone }: Props) {
  return (
    <>
      <DataTable
        caption="Workflows"
        captionHidden
        columns={columns(here, now, zone)}
        rows={rows}
        rowKey={(row) => row.id}
        noun="workflows"
        empty={{ cause: 'This repository has no workflows, or Actions is switched off in it.' }}
      />
      {rows.length > 0 ? <HowToRead /> : null}
    </>
  );
}

const columns = (here: string, now: number, zone: string): Column<Overview>[] => [
  {
    key: 'name',
    label: 'Workflow',
    heading: true,
    cell: ({ id, name, path, state }) => (
      <>
        <a href={`${here}/workflows/${id}`}>{name}</a>
        <span className="sub muted">{state === 'active' ? path : `${path} · ${state.replaceAll('_', ' ')}`}</span>
      </>
    ),
  },
  {
    key: 'latest',
    label: 'Latest run',
    cell: ({ summary }) => {
      if (!summary) return <Unknown reason="Its runs could not be read." />;
      if (!summary.latest_run_at) return <span className="muted">no runs</span>;
      return (
        <>
          <RunBadge status={summary.latest_status} conclusion={summary.latest_conclusion} />{' '}
          <Moment at={summary.latest_run_at} now={now} zone={zone} />
        </>
      );
    },
  },
  { key: 'health', label: 'Health', cell: ({ summary }) => (summary ? <Health of={summary.health} /> : null) },
  {
    key: 'rate',
    label: 'Success',
    numeric: true,
    explain: 'Of the last ten runs that passed or failed',
    cell: ({ summary }) => (summary ? <Success of={summary} /> : null),
  },
  {
    key: 'recent',
    label: 'Last ten runs',
    explain: 'Whatever their state, the newest at the right',
    cell: ({ summary }) =>
      summary ? (
        <RunStrip zone={zone} runs={summary.recent_runs.toReversed().map((run) => ({ ...run, at: run.created_at }))} />
      ) : null,
  },
  {
    key: 'duration',
    label: 'Duration',
    numeric: true,
    explain: 'The last run that passed or failed',
    cell: ({ dur_points }) => quantity(dur_points.at(-1)?.duration_ms ?? null, 'milliseconds'),
  },
  {
    key: 'durations',
    label: 'Last 20 durations',
    cell: ({ dur_points }) => (
      <Spark
        unit="milliseconds"
        label="Duration, last 20 runs that passed or failed"
        values={dur_points.map((point) => point.duration_ms)}
      />
    ),
  },
  {
    key: 'trend',
    label: '30 days',
    explain: 'Runs that passed or failed, per day',
    cell: ({ summary }) =>
      summary ? (
        <Spark
          unit="count"
          kind="bars"
          label="Runs a day, last 30 days"
          values={summary.trend_30d.map(({ total, covered }) => (covered || total > 0 ? total : null))}
        />
      ) : null,
  },
  {
    key: 'flaky',
    label: 'Flaky',
    numeric: true,
    explain: 'Commits on which an attempt failed and a later one passed, last 30 days',
    cell: ({ flaky }) => (
      <Measurement
        of={{
          value: flaky.rate_pct,
          unit: 'percent',
          sample: flaky.sample,
          reason:
            flaky.reruns_fixed === null
              ? 'Runs were run again, and their earlier attempts are not known. Sync the repository to know them.'
              : `Needs ten commits with a result; ${flaky.sample} so far.`,
        }}
      />
    ),
  },
];
