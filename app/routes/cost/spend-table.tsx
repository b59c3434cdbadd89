import type { ReactNode } from 'react';
import { figures, quantity } from '../../../server/domain/quantity.ts';
import { partOfDay, partText } from '../../charts/part.ts';
import { withChoices } from '../../components/choices.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Measurement } from '../../components/measurement.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Section } from '../../components/panel.tsx';
import { orderSection, type RowOrder } from '../../components/row-order.ts';
import { SharedParamsLink } from '../../components/shared-params.tsx';
import { getCostHref, getRowName, type Spend, type SpendRow } from './views.ts';

const titles = { workflow: 'Workflows', repository: 'Repositories', runner: 'Runners', day: 'Days' };
const heads = { workflow: 'Workflow', repository: 'Repository', runner: 'Runner labels', day: 'Day' };

interface Props {
  data: Spend;
  search: string;
}

/** The rows of the view, most expensive first where that is known, each opened where the question goes on. */
export function SpendTable({ data, search }: Props) {
  const { base } = usePageContext();
  const { rows, by } = data;
  const shown = [
    nameColumn(data, base, search),
    ...listColumns(by).filter(({ value }) => rows.some((row) => value?.(row) != null)),
  ];
  const isCosted = shown.some(({ key }) => key === mostExpensive.key);
  const first = by === 'day' ? newestDay : isCosted ? mostExpensive : byName;
  const ordered = orderSection(rows, shown, first, { search, section: 'rows' });
  return (
    <Section title={titles[by]} id="rows">
      <DataTable
        caption={`${titles[by]}, by ${ordered.sortLabel}`}
        captionHidden
        columns={shown}
        rows={ordered.rows}
        sorting={ordered.sorting}
        rowKey={({ name, repo, workflow_id }) => `${repo} ${workflow_id} ${name}`}
        noun={titles[by].toLowerCase()}
        csvHref={csvHref(base, data)}
      />
      <details className="source">
        <summary>How cost is estimated</summary>
        <p>
          Every job of every attempt in whole minutes at the list price of its runner; per month is 30 days at the rate
          of the range. The bill differs: it counts UTC months, adds storage, and subtracts included minutes and
          discounts. Self-hosted runners, and standard runners in public repositories, cost $0. Runs without job data
          are not included and not extrapolated.
        </p>
        <p>
          Wasted, at most: superseded runs, runs cancelled in the queue, and all jobs of failed attempts that passed on
          re-run. A runner whose labels have no list price has no cost; name larger runners in{' '}
          <code>RUNNER_LABELS</code>.
        </p>
      </details>
    </Section>
  );
}

const mostExpensive: RowOrder = { key: 'cost', direction: 'desc' };
/** Where no cost is known, and so no column of it shown. */
const byName: RowOrder = { key: 'name', direction: 'asc' };
const newestDay: RowOrder = { key: 'name', direction: 'desc' };

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
      {row.partial ? <span className="sub muted">{partText(partOfDay(row.name, window, timezone))}</span> : null}
    </>
  ),
});

function Name({ row, by, base, search }: { row: SpendRow; by: Spend['by']; base: string; search: string }) {
  if (by === 'workflow') return <SharedParamsLink href={getCostHref(base, row)}>{row.name}</SharedParamsLink>;
  if (by === 'repository') return <a href={withChoices(search, { repo: row.name, view: null })}>{row.name}</a>;
  return getRowName(row, by);
}

const reasons = { no_job_data: 'No job data yet.', unknown_runner: 'Unknown runner: no list price.' };
const explain = ({ reason, unknown_jobs: unknown }: SpendRow) =>
  reason === null ? (unknown > 0 ? 'Unknown runner: no list price.' : 'Range under 7 days.') : reasons[reason];

const usd = (
  key: string,
  label: string,
  value: (row: SpendRow) => number | null,
  below: (row: SpendRow) => ReactNode = () => null,
): Column<SpendRow> => ({
  key,
  label,
  numeric: true,
  sort: 'desc',
  sortLabel: label.toLowerCase(),
  value,
  cell: (row) => (
    <>
      <Measurement value={{ value: value(row), unit: 'usd', reason: explain(row) }} />
      {row.cost === null ? null : <span className="sub muted">{below(row)}</span>}
    </>
  ),
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

/** Those without a single value are left out. */
function listColumns(by: Spend['by']): Column<SpendRow>[] {
  if (by === 'day')
    return [
      usd('cost', 'Cost', (row) => row.cost, sampleOf),
      usd(
        'wasted',
        'Wasted',
        (row) => row.wasted,
        (row) => shareOf(row.wasted, row.cost),
      ),
      minutes,
      runs,
      unknown,
    ];
  return [
    usd('cost', 'Cost/month', (row) => row.cost_per_month, sampleOf),
    usd(
      'wasted',
      'Wasted/month',
      (row) => row.wasted_per_month,
      (row) => shareOf(row.wasted, row.cost),
    ),
    share,
    minutes,
    runs,
    unknown,
  ];
}

function csvHref(base: string, { org, repo, range, compare, by }: Spend): string {
  const query = new URLSearchParams({ range, compare, by, format: 'csv' });
  if (org !== null) query.set('org', org);
  if (repo !== null) query.set('repo', repo);
  return `${base}/api/db/cost?${query}`;
}
