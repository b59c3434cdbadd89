import { figures, quantity } from '../../../server/domain/quantity.ts';
import { Link } from '../../charts/link.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { PartBars } from '../../components/part-bars.tsx';
import type { Overview } from './overview-panels.tsx';

const maxShown = 6;

/** The repositories in which runs fail most, by their last results. */
export function Lowest({ data }: { data: Overview }) {
  const { base } = usePageContext();
  const rated = data.repos.flatMap(({ repo, summary }) =>
    summary.success_rate === null ? [] : [{ repo, rate: summary.success_rate, sample: summary.success_rate_sample }],
  );
  const lowest = rated
    .filter(({ rate }) => rate < 100)
    .sort((a, b) => a.rate - b.rate)
    .slice(0, maxShown);
  if (lowest.length === 0)
    return (
      <p className="muted">
        {rated.length === 0 ? 'No run passed or failed.' : 'No failures in the last ten runs of any repository.'}
      </p>
    );
  return (
    <PartBars
      label="Lowest success rates"
      parts={[
        { label: 'passed', tone: 'one' },
        { label: 'failed', tone: 'two' },
      ]}
      bars={lowest.map(({ repo, rate, sample }) => ({
        key: repo.full_name,
        name: <Link href={`${base}/repos/${repo.full_name}`}>{repo.name}</Link>,
        text: sample === 10 ? quantity(rate, 'percent') : `${quantity(rate, 'percent')} of ${figures(sample)}`,
        values: [rate, 100 - rate],
      }))}
    />
  );
}
