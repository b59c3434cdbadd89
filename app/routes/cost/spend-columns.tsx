import type { ReactNode } from 'react';
import { figures, quantity } from '../../../server/domain/quantity.ts';
import { partOfRunDay, partText } from '../../charts/part.ts';
import { withChoices } from '../../components/choices.ts';
import type { Column } from '../../components/data-table.tsx';
import { Measurement } from '../../components/measurement.tsx';
import { SharedParamsLink } from '../../components/shared-params.tsx';
import { explainHref, repositoryParams } from '../links.ts';
import { getCostHref, getRowName, type Spend, type SpendRow } from './views.ts';

const heads = { workflow: 'Workflow', repository: 'Repository', runner: 'Runner labels', day: 'Day' };

/** The name first, then what the rows cost, each figure opened where it is explained. */
export function listColumns(data: Spend, base: string, search: string): Column<SpendRow>[] {
  const amounts = isMonthly(data) ? monthlyColumns(data, base) : windowColumns;
  const rest = data.by === 'day' ? [minutes, runs, unknown] : [share, minutes, runs, unknown];
  return [nameColumn(data, base, search), ...amounts, ...rest];
}

/** A day, and a range of a few, is no rate for a month: what it cost itself is shown then. */
const isMonthly = ({ by, rows }: Spend): boolean =>
  by !== 'day' && (rows.some((row) => row.cost_per_month !== null) || rows.every(({ cost }) => cost === null));

const nameColumn = ({ by, window, timezone }: Spend, base: string, search: string): Column<SpendRow> => ({
  key: 'name',
  label: heads[by],
  heading: true,
  sort: by === 'day' ? 'desc' : 'asc',
  sortLabel: heads[by].toLowerCase(),
  value: ({ name }) => name,
  cell: (row) => (
    <>
      <Name row={row} by={by} base={base} search={search} />
      {by === 'workflow' ? <span className="sub muted">{row.repo}</span> : null}
      {row.partial ? (
        <span className="sub muted">{partText(partOfRunDay({ date: row.name, partial: true }, window, timezone))}</span>
      ) : null}
    </>
  ),
});

function Name({ row, by, base, search }: { row: SpendRow; by: Spend['by']; base: string; search: string }) {
  if (by === 'workflow') return <SharedParamsLink href={getCostHref(base, row)}>{row.name}</SharedParamsLink>;
  if (by === 'repository') return <a href={withChoices(search, { repo: row.name, view: null, q: null })}>{row.name}</a>;
  if (by === 'day') return <a href={ofDayHref(row.name, search)}>{getRowName(row, by)}</a>;
  return getRowName(row, by);
}

/** The workflows of one day. */
const ofDayHref = (day: string, search: string) =>
  withChoices(search, { view: null, range: `${day}..${day}`, rows: null, q: null });

const reasons = { no_job_data: 'No job data yet.', unknown_runner: 'Unknown runner: no list price.' };
const explain = ({ reason, unknown_jobs: unknown }: SpendRow) =>
  reason === null ? (unknown > 0 ? 'Unknown runner: no list price.' : 'Range under 7 days.') : reasons[reason];

interface Amount {
  key: string;
  label: string;
  value(row: SpendRow): number | null;
  below(row: SpendRow): ReactNode;
  /** Where the amount of a row is explained. */
  getHref?(row: SpendRow): string | null;
}

const usd = ({ key, label, value, below, getHref }: Amount): Column<SpendRow> => ({
  key,
  label,
  numeric: true,
  sort: 'desc',
  sortLabel: label.toLowerCase(),
  value,
  cell: (row) => {
    const figure = <Measurement value={{ value: value(row), unit: 'usd', reason: explain(row) }} />;
    const href = value(row) === null ? null : getHref?.(row);
    return (
      <>
        {href ? <SharedParamsLink href={href}>{figure}</SharedParamsLink> : figure}
        {row.cost === null ? null : <span className="sub muted">{below(row)}</span>}
      </>
    );
  },
});

const sampleOf = ({ cost_sample: costed, completed_runs: completed }: SpendRow) =>
  costed !== null && completed !== null && costed < completed
    ? `${figures(costed)} of ${figures(completed)} completed`
    : null;

const shareOf = (part: number | null, whole: number | null) =>
  part && whole ? `${quantity(Math.round((100 * part) / whole), 'percent')} of cost` : null;

const minutes: Column<SpendRow> = {
  key: 'minutes',
  label: 'Minutes',
  numeric: true,
  sort: 'desc',
  sortLabel: 'minutes',
  value: (row) => row.minutes,
  cell: (row) => <Measurement value={{ value: row.minutes, unit: 'count', reason: explain(row) }} />,
};
const share: Column<SpendRow> = {
  key: 'share',
  label: 'Share',
  numeric: true,
  sort: 'desc',
  sortLabel: 'share',
  value: (row) => row.share_pct,
  cell: (row) => (
    <Measurement value={{ value: row.share_pct && Math.round(row.share_pct), unit: 'percent', reason: explain(row) }} />
  ),
};
const runs: Column<SpendRow> = {
  key: 'runs',
  label: 'Completed runs',
  numeric: true,
  sort: 'desc',
  sortLabel: 'completed runs',
  value: (row) => row.completed_runs,
  cell: (row) => (row.completed_runs === null ? null : figures(row.completed_runs)),
};
const unknown: Column<SpendRow> = {
  key: 'unknown',
  label: 'Unpriced jobs',
  numeric: true,
  sort: 'desc',
  sortLabel: 'unpriced jobs',
  value: (row) => row.unknown_jobs || null,
  cell: (row) => (row.unknown_jobs > 0 ? figures(row.unknown_jobs) : '0'),
};

const windowColumns = [
  usd({ key: 'cost', label: 'Cost', value: (row) => row.cost, below: sampleOf }),
  usd({ key: 'wasted', label: 'Wasted', value: (row) => row.wasted, below: (row) => shareOf(row.wasted, row.cost) }),
];

function monthlyColumns({ range }: Spend, base: string): Column<SpendRow>[] {
  const opened = (metric: string) => (row: SpendRow) =>
    row.repo === null
      ? null
      : explainHref(base, { metric, ...repositoryParams(row.repo), workflow_id: row.workflow_id, range });
  return [
    usd({
      key: 'cost',
      label: 'Cost/month',
      value: (row) => row.cost_per_month,
      below: sampleOf,
      getHref: opened('monthly_cost'),
    }),
    usd({
      key: 'wasted',
      label: 'Wasted/month',
      value: (row) => row.wasted_per_month,
      below: (row) => shareOf(row.wasted, row.cost),
      getHref: opened('wasted_monthly_cost'),
    }),
  ];
}
