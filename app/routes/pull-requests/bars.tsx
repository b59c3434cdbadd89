import { figures } from '../../../server/domain/quantity.ts';
import { usePageContext } from '../../components/page-context.ts';
import { Section } from '../../components/panel.tsx';
import { describeDrawn, PartBars } from '../../components/part-bars.tsx';
import { SharedParamsLink } from '../../components/shared-params.tsx';
import type { PullRequests } from './page.tsx';

/** At most so many repositories are drawn; the table has all. */
const maxBars = 6;

/** The repositories with most open pull requests, those awaiting a review set apart. */
export function OpenBars({ data }: { data: PullRequests }) {
  const { base } = usePageContext();
  const known = data.repositories
    .flatMap(({ repo, open, awaiting_review: awaiting }) =>
      open !== null && awaiting !== null && open > 0 ? [{ repo, open, awaiting }] : [],
    )
    .sort((a, b) => b.open - a.open || a.repo.localeCompare(b.repo, 'en'));
  if (known.length === 0) return null;
  const bars = known.slice(0, maxBars).map(({ repo, open, awaiting }) => ({
    key: repo,
    name: <SharedParamsLink href={`${base}/repos/${repo}/pull-requests`}>{repo}</SharedParamsLink>,
    text: `${figures(awaiting)} of ${figures(open)}`,
    values: [awaiting, open - awaiting],
  }));
  const unread = data.repositories.filter(
    ({ open, awaiting_review: awaiting }) => open !== null && open > 0 && awaiting === null,
  ).length;
  const aside = describeDrawn({ drawn: bars.length, known: known.length, unread });
  return (
    <Section title="Open by repository" aside={aside ? <span className="muted">{aside}</span> : null}>
      <PartBars
        label="Open pull requests by repository"
        parts={[
          { label: 'awaiting review', tone: 'one' },
          { label: 'other open', tone: 'two' },
        ]}
        bars={bars}
      />
    </Section>
  );
}
