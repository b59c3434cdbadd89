import { useLocation } from 'react-router';
import { count, figures, quantity } from '../../../server/domain/quantity.ts';
import type { PanelsOf } from '../../../server/http/adapters.ts';
import type { getPlan } from '../../../server/reports/advisor/operations.ts';
import { withChoices } from '../../components/choices.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Moment } from '../../components/moment.tsx';
import { Empty } from '../../components/notice.tsx';
import { usePageContext, useSearch } from '../../components/page-context.ts';
import { Pager } from '../../components/pager.tsx';
import { formatAmounts, formatShare } from '../repo/advisor/predicted.tsx';

type Answers = PanelsOf<{ plan: typeof getPlan }>;
type Plan = Extract<Answers['plan'], { ok: true }>['data'];
type Row = Plan['rows'][number];

/** The total, then what each recommendation has of it. */
export function Savings({ data, csvHref }: { data: Plan; csvHref: string }) {
  const isSecurity = ({ certainty }: Row) => certainty === 'risk';
  const changes = data.rows.filter((row) => !isSecurity(row));
  const security = data.rows.filter(isSecurity);
  const names = useNameColumns();
  return (
    <>
      <Answer data={data} />
      <PlanFilters data={data} />
      {data.rows_total === 0 && data.facets.repository.length > 0 ? <Empty cause="No recommendation matches." /> : null}
      {changes.length > 0 ? (
        <DataTable
          caption="Time and minutes"
          columns={[...names, ...savingColumns]}
          rows={changes}
          rowKey={keyOf}
          noun="recommendations"
          total={data.rows_total - data.security_rows}
        />
      ) : null}
      {security.length > 0 ? (
        <details>
          <summary>Security changes ({figures(data.security_rows)})</summary>
          <DataTable
            caption="Security"
            captionHidden
            columns={names}
            rows={security}
            rowKey={keyOf}
            noun="recommendations"
            total={data.security_rows}
          />
        </details>
      ) : null}
      <Skipped data={data} />
      {data.rows_total > rowsOfPage ? <Pages data={data} /> : null}
      <p className="source">
        {data.total?.cost_saved && data.total.cost_saved.high > 0
          ? 'Costs are list prices; included minutes are not subtracted. '
          : null}
        {data.hidden_kinds.length > 0 ? 'Security changes are not shown: they need workflow security findings. ' : null}
        <a href={csvHref}>CSV</a>
      </p>
    </>
  );
}

const stateLabels = { open: 'Open', in_pull_request: 'In a pull request', merged: 'Merged' };

/** What the rows can be filtered by; nothing where there is nothing to choose from. */
function PlanFilters({ data: { facets } }: { data: Plan }) {
  const search = useSearch();
  const query = new URLSearchParams(search);
  const any = { value: '', label: 'All' };
  const choices = [
    {
      name: 'repository',
      label: 'Repository',
      options: facets.repository.map(({ value, rows }) => ({ value, label: `${value} (${figures(rows)})` })),
    },
    {
      name: 'kind',
      label: 'Change',
      options: facets.kind.map(({ value, title, rows }) => ({ value, label: `${title} (${figures(rows)})` })),
    },
    {
      name: 'state',
      label: 'State',
      options: facets.state.map(({ value, rows }) => ({ value, label: `${stateLabels[value]} (${figures(rows)})` })),
    },
  ];
  const filters = choices
    .filter(({ name, options }) => options.length > 1 || query.has(name))
    .map(({ options, ...choice }) => ({
      ...choice,
      kind: 'select' as const,
      value: query.get(choice.name),
      options: [any, ...options],
    }));
  return filters.length === 0 ? null : <FilterBar filters={filters} search={withChoices(search, { page: null })} />;
}

/** Links to the other rows, where there are more. */
function Pages({ data }: { data: Plan }) {
  const { pathname } = useLocation();
  const search = useSearch();
  const page = Number(new URLSearchParams(search).get('page') ?? 1);
  const from = (page - 1) * rowsOfPage + 1;
  const to = from + data.rows.length - 1;
  const hrefOf = (one: number) => `${pathname}${withChoices(search, { page: String(one) })}`;
  return (
    <Pager
      from={from}
      to={to}
      total={data.rows_total}
      noun="recommendations"
      previousHref={page > 1 ? hrefOf(page - 1) : null}
      nextHref={to < data.rows_total ? hrefOf(page + 1) : null}
    />
  );
}

export const rowsOfPage = 25;

const keyOf = ({ owner, repo, id }: Row) => `${owner}/${repo} ${id}`;

/** What all together save, and of which repositories that is known. */
function Answer({ data: { total, facets, repositories, skipped, as_of: asOf } }: { data: Plan }) {
  const { seen, judged } = repositories;
  const isUnfinished = skipped.some(({ reason }) => reason.code === 'pending');
  if (isUnfinished && judged === 0)
    return (
      <Empty cause={`Judged: 0 of ${figures(seen)} so far.`}>
        <p>Reload the page in a few seconds.</p>
      </Empty>
    );
  if (judged === 0 && facets.repository.length === 0) return <Empty cause="No recommendation yet." />;
  return (
    <>
      {total === null ? (
        <p>No saving is certain.</p>
      ) : (
        <p>
          {count(total.recommendations, 'change')} together: <strong>{formatShare(total)}</strong> of{' '}
          {count(judged, 'repository', 'repositories')} (80 % range), {formatAmounts(total)}.
        </p>
      )}
      <p className="muted">
        {isUnfinished
          ? `Judged: ${figures(judged)} of ${figures(seen)} so far. Reload the page for the others.`
          : `Judged: ${figures(judged)} of ${count(seen, 'repository', 'repositories')}.`}
        {asOf === null ? null : (
          <>
            {' '}
            The oldest <Moment at={asOf} />.
          </>
        )}
      </p>
    </>
  );
}

function useNameColumns(): Column<Row>[] {
  const { base } = usePageContext();
  return [
    {
      key: 'change',
      label: 'Change',
      heading: true,
      cell: ({ title, state, href, workflow_path: path, anchor }) => (
        <>
          <a href={`${base}${href}`}>{title}</a>
          <span className="sub muted">
            {path.replace('.github/workflows/', '')}, {anchor}
          </span>
          {state === 'open' ? null : <span className="sub">{stateLabels[state]}</span>}
        </>
      ),
    },
    {
      key: 'repository',
      label: 'Repository',
      cell: ({ owner, repo }) => <a href={`${base}/repos/${owner}/${repo}/advisor`}>{repo}</a>,
    },
  ];
}

function otherSaving({ shortens_runs: isShorter, costs_less: isCheaper }: Row): string {
  if (isCheaper) return 'Costs less.';
  return isShorter ? 'Shorter runs.' : 'Not predicted.';
}

const savingColumns: Column<Row>[] = [
  {
    key: 'alone',
    label: 'Saves by itself in 28 days (80 % range)',
    cell: (row) =>
      row.alone === null ? <span className="muted">{otherSaving(row)}</span> : formatAmounts(row.alone, ''),
  },
  {
    key: 'adds',
    label: 'Adds to the total',
    numeric: true,
    explain: 'In 28 days, after the changes listed before it for the same repository: nothing is counted twice.',
    cell: ({ marginal }) =>
      marginal === null ? (
        <span className="muted">Not counted</span>
      ) : (
        <>
          {figures(marginal.minutes_saved)} min
          {marginal.cost_saved ? <span className="sub muted">{quantity(marginal.cost_saved, 'usd')}</span> : null}
        </>
      ),
  },
];

/** Repositories of which nothing is predicted, by the reason. */
function Skipped({ data: { skipped, repositories } }: { data: Plan }) {
  const { base } = usePageContext();
  if (skipped.length === 0) return null;
  const byReason = Map.groupBy(skipped, ({ reason }) => reason.text);
  return (
    <details open={repositories.judged === 0}>
      <summary>Not predicted ({count(skipped.length, 'repository', 'repositories')})</summary>
      <ul>
        {[...byReason].map(([reason, ofReason]) => (
          <li key={reason}>
            {reason}{' '}
            {ofReason.map(({ repo }, index) => (
              <span key={repo}>
                {index > 0 ? ', ' : null}
                <a href={`${base}/repos/${repo}/advisor`}>{repo}</a>
              </span>
            ))}
          </li>
        ))}
      </ul>
    </details>
  );
}
