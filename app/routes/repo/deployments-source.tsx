import { count, figures } from '../../../server/domain/quantity.ts';
import { Badge } from '../../components/badge.tsx';
import { Facts } from '../../components/facts.tsx';
import { Moment } from '../../components/moment.tsx';
import { Empty } from '../../components/notice.tsx';
import type { Deployments } from './deployments.tsx';

interface Props {
  data: Deployments;
}

/** Where the figures come from: what was looked for, what was found, and of all time how much. */
export function DeploymentSource({ data }: Props) {
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
                <Badge status="pass">recorded deployments</Badge> in 30 days
              </>
            ) : (
              <>
                <Badge status="warning">stale</Badge> none in 30 days; the overview estimates from releases and merges
              </>
            ),
        },
        { label: 'Newest', value: <Moment at={newest} /> },
        { label: 'All time', value: all === null ? 'not known' : count(all, 'deployment') },
        ...(candidates.length > 1
          ? [
              {
                label: 'Production',
                value: `${data.production_environment}, the busiest of ${figures(candidates.length)} candidates: ${listed(candidates)}`,
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
  <Empty cause="No deployments recorded in any environment.">
    <p>
      Deployments are recorded when a workflow job names an <code>environment</code>, or when a tool reports them. Until
      then, delivery is estimated from releases and merges.
    </p>
  </Empty>
);
