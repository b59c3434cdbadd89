import { count, figures } from '../../../server/domain/quantity.ts';
import { Bars } from '../../charts/bars.tsx';
import { partOfRunDay } from '../../charts/part.ts';
import { comparisonNames } from '../../components/comparison.ts';
import { findWholeCost } from '../../components/known-cost.ts';
import { usePageContext } from '../../components/page-context.ts';
import { Section } from '../../components/panel.tsx';
import { type Marks, toAnnotations } from '../marks.ts';
import type { Spend } from './views.ts';

/** What each day of the range cost; a day without job data is no cheap day. */
export function SpendDays({ data, marks }: { data: Spend; marks: Marks | null }) {
  const { days, days_before: before, compare, window, timezone, repo } = data;
  const { base } = usePageContext();
  const costed = days.reduce((sum, { cost_sample: runs }) => sum + runs, 0);
  const completed = days.reduce((sum, { completed_runs: runs }) => sum + (runs ?? 0), 0);
  return (
    <Section title="Cost per day">
      <Bars
        title="Estimated cost per day"
        summary={`From job data of ${figures(costed)} of ${count(completed, 'completed run')}.`}
        beforeLabel={compare !== 'off' && isComparable(before) ? comparisonNames[compare] : undefined}
        rows={days.map(({ date, cost, wasted, partial }, index) => ({
          day: date,
          values: cost === null ? null : [wasted ?? 0, Math.max(0, cost - (wasted ?? 0))],
          before: findWholeCost(before?.[index], costOf),
          ...partOfRunDay({ date, partial }, window, timezone),
        }))}
        parts={[
          { label: 'wasted', tone: 'two' },
          { label: 'other', tone: 'one' },
        ]}
        unit="usd"
        annotations={toAnnotations(marks, base, repo)}
        zone={timezone}
      />
    </Section>
  );
}

const costOf = ({ cost }: Spend['days'][number]) => cost;

/** A single day would be no line to compare with, and without any cost there is nothing to see of it. */
function isComparable(before: Spend['days_before']): boolean {
  const known = (before ?? []).map((day) => findWholeCost(day, costOf)).filter((cost) => cost !== null);
  return known.length > 1 && known.some((cost) => cost > 0);
}
