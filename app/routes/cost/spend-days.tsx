import { count, figures } from '../../../server/domain/quantity.ts';
import { Bars } from '../../charts/bars.tsx';
import { partOfDay } from '../../charts/part.ts';
import { usePageContext } from '../../components/page-context.ts';
import { Section } from '../../components/panel.tsx';
import { type Marks, toAnnotations } from '../marks.ts';
import type { Spend } from './views.ts';

/** What each day of the range cost; a day without job data is no cheap day. */
export function SpendDays({ data: { days, window, timezone, repo }, marks }: { data: Spend; marks: Marks | null }) {
  const { base } = usePageContext();
  const costed = days.reduce((sum, { cost_sample: runs }) => sum + runs, 0);
  const completed = days.reduce((sum, { completed_runs: runs }) => sum + (runs ?? 0), 0);
  return (
    <Section title="Cost per day">
      <Bars
        title="Estimated cost per day"
        summary={`From job data of ${figures(costed)} of ${count(completed, 'completed run')}.`}
        rows={days.map(({ date, cost, wasted }) => ({
          day: date,
          values: cost === null ? null : [wasted ?? 0, Math.max(0, cost - (wasted ?? 0))],
          ...partOfDay(date, window, timezone),
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
