import { count, figures } from '../../../server/domain/quantity.ts';
import { Badge } from '../../components/badge.tsx';
import { Facts } from '../../components/facts.tsx';
import { Moment } from '../../components/moment.tsx';
import { Empty } from '../../components/notice.tsx';
import type { Deployments } from './deployments.tsx';

interface Props {
  data: Deployments;
  now: number;
  zone: string;
}

/** Where the figures come from: what was looked for, what was found, and of all time how much. */
export function DeploymentSource({ data, now, zone }: Props) {
  const { source, all_time_count: all, newest_deployment_at: newest, production_candidates: candidates } = data;
  if (source === 'none') return <None />;
  return (
    <Facts
      facts={[
        {
          label: 'Source',
          value:
            source === 'deployments' ? (
              <>
                <Badge status="pass">recorded deployments</Badge> of 30 days
              </>
            ) : (
              <>
                <Badge status="warning">stale</Badge> none in 30 days, so there are no figures; the overview estimates
                from releases and merges
              </>
            ),
        },
        { label: 'Newest', value: <Moment at={newest} now={now} zone={zone} /> },
        { label: 'Of all time', value: count(all, 'deployment') },
        ...(candidates.length > 1
          ? [
              {
                label: 'Production',
                value: `${data.production_environment}, the busiest of ${figures(candidates.length)} that it could be: ${listed(candidates)}`,
              },
            ]
          : []),
      ]}
    />
  );
}

const listed = (names: readonly string[]) =>
  names.length > 4 ? `${names.slice(0, 4).join(', ')} and ${names.length - 4} more` : names.join(', ');

const None = () => (
  <Empty cause="No deployment was ever recorded here. All deployments of the repository were looked for, of every environment.">
    <p>
      The platform records one when a job of a workflow names an <code>environment</code>, or when a tool reports it to
      the platform. Until then delivery is estimated from releases and merges.
    </p>
  </Empty>
);
