import { figures, quantity } from '../../../server/domain/quantity.ts';
import type { PanelsOf } from '../../../server/http/adapters.ts';
import type { getAuthorshipCost } from '../../../server/reports/ai-authorship/operations.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Unknown } from '../../components/measurement.tsx';
import { Empty } from '../../components/notice.tsx';
import { whyNotComputed } from './ai-authorship-comparison.tsx';

type Answer = PanelsOf<{ cost: typeof getAuthorshipCost }>['cost'];
type Data = Extract<Answer, { ok: true }>['data'];
type Row = Data['classes'][number];

const hidden = 'Too few pull requests or people, or jobs or their prices not known.';

const whyNone = (row: Pick<Row, 'suppressed' | 'computing' | 'failed'>): string =>
  (row.suppressed ? null : whyNotComputed(row)) ?? hidden;

const columns: readonly Column<Row>[] = [
  { key: 'label', label: 'Class', value: ({ label }) => label, heading: true },
  {
    key: 'prs',
    label: 'Matched',
    cell: (one) => (one.prs === null ? <Unknown reason={whyNone(one)} /> : figures(one.prs)),
    numeric: true,
  },
  {
    key: 'minutes',
    label: 'Job minutes',
    cell: (one) => <Both row={one} measure="ci_minutes_per_pr" unit="minutes" />,
    numeric: true,
  },
  {
    key: 'usd',
    label: 'Estimated cost',
    cell: (one) => <Both row={one} measure="ci_usd_per_pr" unit="usd" />,
    numeric: true,
  },
  {
    key: 'failed',
    label: 'Of failed attempts',
    cell: (one) => <Both row={one} measure="failed_usd" unit="usd" />,
    numeric: true,
  },
  {
    key: 'difference',
    label: 'Difference in cost, 95 % interval',
    cell: ({ usd_difference: difference, usd_interval: interval, ...row }) =>
      difference === null ? (
        <Unknown reason={whyNone(row)} />
      ) : (
        <span className="figure">
          {signed(difference)}{' '}
          <span className="muted">
            {interval === null
              ? 'fewer than 10 weeks, no interval'
              : `${signed(interval.low)} to ${signed(interval.high)}`}
          </span>
        </span>
      ),
    numeric: true,
  },
];

/** What the runs of one pull request cost, of each class beside those like them. */
export function AuthorshipCost({ data, csvHref }: { data: Data; csvHref: string }) {
  if (data.classes.every(({ prs }) => prs === null)) {
    const [notComputed] = data.classes.filter(({ suppressed }) => !suppressed);
    return <Empty cause={notComputed ? whyNone(notComputed) : `No cost to compare. ${hidden}`} />;
  }
  return (
    <>
      <p className="prose">
        Means of one pull request, of all attempts while it was open, beside those like it without a mark. Estimated at
        list prices; own runners, and standard ones of public repositories, are free. Nothing is claimed of a
        difference.
      </p>
      <DataTable
        caption="Cost of a pull request by class"
        captionHidden
        columns={columns}
        rows={data.classes}
        rowKey={(one) => one.class}
        noun="classes"
        csvHref={csvHref}
      />
      <p className="source">{data.note}</p>
    </>
  );
}

interface BothProps {
  row: Row;
  measure: 'ci_minutes_per_pr' | 'ci_usd_per_pr' | 'failed_usd';
  unit: 'minutes' | 'usd';
}

function Both({ row, measure, unit }: BothProps) {
  const [marked, comparable] = [row[measure], row.comparable[measure]];
  if (marked === null || comparable === null) return <Unknown reason={whyNone(row)} />;
  return (
    <span className="figure">
      {quantity(marked, unit)} <span className="muted">beside {quantity(comparable, unit)}</span>
    </span>
  );
}

/** Often a part of a cent. */
const signed = (value: number) => `${value > 0 ? '+' : value < 0 ? '−' : ''}$${figures(Math.abs(value), 3, 2)}`;
