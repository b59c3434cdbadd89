import { Spark } from '../charts/spark.tsx';
import { Badge, RunBadge, type Status } from '../components/badge.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Measurement, Unknown } from '../components/measurement.tsx';
import { Moment } from '../components/moment.tsx';
import { RunStrip } from '../components/run-strip.tsx';
import type { Route } from './+types/home';

type Answer = Route.ComponentProps['loaderData']['repositories'];
export type AttentionData = Extract<Answer, { ok: true }>['data'];
type Row = AttentionData['items'][number];

interface Props {
  data: AttentionData;
  base: string;
  now: number;
  zone: string;
  /** Whether a filter left repositories out. */
  filtered: boolean;
}

export function RepositoryTable({ data, base, now, zone, filtered }: Props) {
  return (
    <>
      <DataTable
        caption="Repositories by need of attention"
        captionHidden
        columns={columns(base, now, zone)}
        rows={data.items}
        rowKey={(row) => row.repository.id}
        noun="repositories"
        empty={{
          cause: filtered
            ? 'No repository matches these choices.'
            : 'The token sees no repositories. A fine-grained token lists only what it was granted.',
          next: filtered
            ? { label: 'Clear the choices', href: base || '/' }
            : { label: 'Use another token', href: '/setup' },
        }}
      />
      {data.items.length > 0 ? <HowToRead /> : null}
    </>
  );
}

const columns = (base: string, now: number, zone: string): Column<Row>[] => [
  { key: 'name', label: 'Repository', heading: true, cell: (row) => <Name row={row} base={base} /> },
  { key: 'attention', label: 'Attention', cell: ({ attention }) => <Level {...attention} /> },
  {
    key: 'latest',
    label: 'Latest run',
    cell: ({ summary, problem }) => {
      if (!summary) return <Unknown reason={problem?.error ?? 'It could not be read.'} />;
      if (!summary.latest_run_at) return <span className="muted">no runs</span>;
      return (
        <>
          <RunBadge status={summary.latest_status} conclusion={summary.latest_conclusion} />{' '}
          <Moment at={summary.latest_run_at} now={now} zone={zone} />
        </>
      );
    },
  },
  {
    key: 'health',
    label: 'Health',
    explain: '60 % passes of the last ten runs, 40 % of the last three, on the default branch',
    cell: ({ summary }) => (summary ? <Health of={summary.health} /> : null),
  },
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
    key: 'trend',
    label: '30 days',
    explain: 'Runs that passed or failed, per day; days that were not read are left out',
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
    key: 'open',
    label: 'Open PRs',
    numeric: true,
    cell: ({ summary }) =>
      summary ? <Measurement of={{ value: summary.open_prs, unit: 'count', reason: 'It was not read.' }} /> : null,
  },
];

function Name({ row: { repository }, base }: { row: Row; base: string }) {
  const marks = [
    repository.private ? 'private' : '',
    repository.fork ? 'fork' : '',
    repository.archived ? 'archived' : '',
    repository.language ?? '',
  ].filter(Boolean);
  return (
    <>
      <a href={`${base}/repos/${repository.full_name}`}>{repository.full_name}</a>
      <span className="sub brief muted" title={repository.description ?? undefined}>
        {[...marks, repository.description ?? ''].filter(Boolean).join(' · ')}
      </span>
    </>
  );
}

const levels: Record<Row['attention']['level'], Status> = {
  failing: 'fail',
  slowing: 'warning',
  active: 'pass',
  quiet: 'void',
  archived: 'void',
};

function Level({ level, reason }: Row['attention']) {
  return (
    <span className="beside">
      <Badge status={levels[level]}>{level}</Badge> <span className="muted">{reason}</span>
    </span>
  );
}

/** The share of passes with the number of runs it is a share of. */
export function Success({ of }: { of: { success_rate: number | null; success_rate_sample: number } }) {
  const { success_rate: value, success_rate_sample: sample } = of;
  return (
    <>
      <Measurement of={{ value, unit: 'percent', sample, reason: 'No run has passed or failed yet.' }} />
      {value === null ? null : <span className="muted"> of {sample}</span>}
    </>
  );
}

/** The strip and the rate count different runs; both count ten. */
export const HowToRead = () => (
  <p className="source">
    Success counts the last ten runs that passed or failed. The strip shows the last ten of any kind: full is passed,
    split is failed, hollow is running or queued, low is cancelled or skipped.
  </p>
);

const healths: Record<string, Status> = { good: 'pass', fair: 'warning', poor: 'fail', unknown: 'void' };

export function Health({
  of: { label, score, sample },
}: {
  of: { label: string; score: number | null; sample: number };
}) {
  return (
    <span title={score === null ? `Needs three runs; ${sample} so far.` : `${score} of 100, from ${sample} runs`}>
      <Badge status={healths[label] ?? 'void'}>{label}</Badge>
    </span>
  );
}
