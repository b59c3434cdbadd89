import { Link, useIsShared } from '../../charts/link.tsx';
import { Facts } from '../../components/facts.tsx';
import { PastMoment } from '../../components/moment.tsx';
import type { Health } from './health-panels.tsx';

type Reason = Health['skipped'][number]['reason'];

const reasonLabels: Record<Reason, string> = {
  archived: 'Archived',
  fork: 'Forks',
  empty: 'Empty',
  no_activity_90d: 'No push in 90 days',
  forbidden: 'Not accessible with this token',
  failed: 'Could not be loaded',
};

/** Every repository without a row and the reason, and those that were not reached. */
export function NotScored({ data, base }: { data: Health; base: string }) {
  const groups = Map.groupBy(data.skipped, ({ reason }) => reason);
  const waiting = data.repos_eligible - data.repos_attempted;
  const isShared = useIsShared();
  const reasons = (Object.keys(reasonLabels) as Reason[]).filter((reason) => groups.has(reason));
  if (reasons.length === 0 && waiting <= 0) return <p className="muted">All repositories are included.</p>;
  return (
    <Facts
      facts={[
        ...(waiting > 0
          ? [
              {
                label: 'Beyond the limit',
                value: `${waiting} more with earlier pushes${isShared ? '' : '; raise the limit above'}`,
              },
            ]
          : []),
        ...reasons.map((reason) => ({
          label: reasonLabels[reason],
          value: <Names skipped={groups.get(reason) ?? []} org={data.org} base={base} />,
        })),
      ]}
    />
  );
}

function Names({ skipped, org, base }: { skipped: Health['skipped']; org: string; base: string }) {
  return skipped.map(({ repo }, index) => (
    <span key={repo}>
      {index > 0 ? ', ' : ''}
      <Link href={`${base}/repos/${org}/${repo}`}>{repo}</Link>
    </span>
  ));
}

/** How the score comes about, in the words of its definitions, and from data of which time. */
export const HealthFootnote = ({ computedAt }: { computedAt: string | null }) => (
  <details className="source">
    <summary>How scores are computed</summary>
    <p className="prose">
      The score is 60 % delivery (elite 100 points, high 75, medium 50, low 25) and 40 % bus factor (one person 25, two
      60, three and more 100). Healthy from 80, watch from 50. Both parts are required, delivery with two known keys or
      more, and a bus factor of one caps the score at 70.
    </p>
    <p className="prose">
      Delivery is the worst known key, from production deployments of 30 days if at least five finished, otherwise
      estimated from pull requests and releases of 90 days. Tiers are the DORA clusters of 2023, retired by DORA in
      2025. Bus factor: fewest people who wrote 80 % of commits on the default branch in 90 days, excluding merges and
      bots. Points are in brackets.
    </p>
    {computedAt === null ? null : (
      <p>
        Computed <PastMoment at={computedAt} />.
      </p>
    )}
  </details>
);
