import { count, figures, quantity } from '../../../server/domain/quantity.ts';
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
  if (lowest.length === 0) return <p className="muted">{describeNone(rated.length, data.repos_failed.length)}</p>;
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

/** Nothing is claimed of repositories without results, or of those that could not be loaded. */
function describeNone(rated: number, failed: number): string {
  const unread = failed > 0 ? `${count(failed, 'repository', 'repositories')} could not be loaded.` : '';
  const ofRated = `No failures in the last ten runs of the ${count(rated, 'repository', 'repositories')} with results.`;
  const none = failed > 0 ? 'No known run passed or failed.' : 'No run passed or failed.';
  return [rated > 0 ? ofRated : none, unread].filter(Boolean).join(' ');
}
