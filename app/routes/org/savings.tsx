import { useLocation } from 'react-router';
import { count, figures, quantity } from '../../../server/domain/quantity.ts';
import type { PanelsOf } from '../../../server/http/adapters.ts';
import type { getPlan } from '../../../server/reports/advisor/operations.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
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
      <Answer data={data} changes={data.rows_total - data.security_rows} />
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

/** Links to the other hundreds of rows, where there are more. */
function Pages({ data }: { data: Plan }) {
  const { pathname } = useLocation();
  const page = Number(new URLSearchParams(useSearch()).get('page') ?? 1);
  const from = (page - 1) * rowsOfPage + 1;
  const to = from + data.rows.length - 1;
  const hrefOf = (one: number) => `${pathname}?page=${one}`;
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

/** As many as an answer has at most. */
export const rowsOfPage = 100;

const keyOf = ({ owner, repo, id }: Row) => `${owner}/${repo} ${id}`;

/** What all together save, and of which repositories that is known. */
function Answer({ data: { total, rows, repositories, as_of: asOf }, changes }: { data: Plan; changes: number }) {
  const { seen, judged } = repositories;
  if (judged === 0 && rows.length === 0) return <Empty cause="No recommendation yet." />;
  return (
    <>
      {total === null ? (
        <p>No saving is certain.</p>
      ) : (
        <p>
          {figures(total.recommendations)} of {count(changes, 'change')} together: <strong>{formatShare(total)}</strong>{' '}
          of {count(judged, 'repository', 'repositories')} (80 % range), {formatAmounts(total)}.
        </p>
      )}
      <p className="muted">
        Judged: {figures(judged)} of {count(seen, 'repository', 'repositories')}.
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
      cell: ({ title, kind, href, workflow_path: path, anchor }) => (
        <>
          <a href={`${base}${href}`}>{title}</a>
          <span className="sub muted">
            {path.replace('.github/workflows/', '')}, {anchor} · {kind}
          </span>
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

const savingColumns: Column<Row>[] = [
  {
    key: 'alone',
    label: 'Saves by itself (80 % range)',
    cell: ({ alone }) => (alone === null ? <span className="muted">Not predicted.</span> : formatAmounts(alone)),
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
