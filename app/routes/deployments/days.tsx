import { count } from '../../../server/domain/quantity.ts';
import { Bars } from '../../charts/bars.tsx';
import { Section } from '../../components/panel.tsx';
import type { Deployments } from './page.tsx';

/** What was deployed to production each day, of all repositories together; nothing where no day is known. */
export function DeploymentDays({ data: { days, totals, timezone } }: { data: Deployments }) {
  if (days.every(({ deployments }) => deployments === null)) return null;
  return (
    <Section title="Deployments per day">
      <Bars
        title="Production deployments per day"
        sample={totals.deployments === null ? undefined : count(totals.deployments, 'deployment')}
        zone={timezone}
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
          running: partial,
        }))}
      />
    </Section>
  );
}
