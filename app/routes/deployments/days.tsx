import { count } from '../../../server/domain/quantity.ts';
import { Bars } from '../../charts/bars.tsx';
import { Section } from '../../components/panel.tsx';
import { compareDays } from './days-before.ts';
import type { Deployments } from './page.tsx';

/** What was deployed to production each day, of all repositories together; nothing where no day is known. */
export function DeploymentDays({ data }: { data: Deployments }) {
  const { days, days_before: daysBefore, totals, timezone } = data;
  if (days.every(({ deployments }) => deployments === null)) return null;
  const before = compareDays(daysBefore?.map(({ date, deployments }) => ({ date, value: deployments })));
  return (
    <Section title="Deployments per day">
      <Bars
        title="Production deployments per day"
        sample={totals.deployments === null ? undefined : count(totals.deployments, 'deployment')}
        zone={timezone}
        beforeLabel={before?.label}
        parts={[
          { label: 'failed', tone: 'fail' },
          { label: 'succeeded', tone: 'pass' },
          { label: 'in progress', tone: 'void' },
        ]}
        rows={days.map(({ date, deployments, success, failed, partial }) => ({
          day: date,
          values:
            deployments === null || success === null || failed === null
              ? null
              : [failed, success, deployments - success - failed],
          before: before?.find(date),
          running: partial,
        }))}
      />
    </Section>
  );
}
