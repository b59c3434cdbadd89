import { count, figures, quantity } from '../../../server/domain/quantity.ts';
import { usePageContext } from '../../components/page-context.ts';
import { SharedParamsLink } from '../../components/shared-params.tsx';
import { getCostHref, getRowName, type Spend, type SpendRow } from './views.ts';

/** What costs most, and how much of all is wasted, in a sentence each. */
export function Answer({ data: { rows, totals, by, days } }: { data: Spend }) {
  const { cost_per_month: cost, wasted_per_month: wasted, cost_sample: costed, completed_runs: completed } = totals;
  if (!completed) return null;
  if (costed === 0) return 'Cost is not known yet: sync reads job data in the background, newest runs first.';
  const [first] = by === 'day' ? rows.toSorted((a, b) => (b.cost ?? -1) - (a.cost ?? -1)) : rows;
  const isPriced = first !== undefined && first.cost !== null && first.cost > 0;
  return (
    <>
      {isPriced ? (
        <>
          Most expensive: <Named row={first} by={by} />,{' '}
          <strong>{quantity(first.share_pct === null ? null : Math.round(first.share_pct), 'percent')}</strong> of the
          cost{days.length > 1 && by === 'day' ? ' of this range' : ''}.{' '}
        </>
      ) : null}
      {wasted && cost ? (
        <>
          Wasted: <strong>{quantity(wasted, 'usd')}</strong> of {quantity(cost, 'usd')} per month.{' '}
        </>
      ) : null}
      {costed < completed
        ? `Known for ${figures(costed)} of ${count(completed, 'completed run')}, the rest is not included.`
        : null}
    </>
  );
}

function Named({ row, by }: { row: SpendRow; by: Spend['by'] }) {
  const { base } = usePageContext();
  if (by !== 'workflow') return getRowName(row, by);
  return (
    <>
      <SharedParamsLink href={getCostHref(base, row)}>{row.name}</SharedParamsLink> in {row.repo}
    </>
  );
}
