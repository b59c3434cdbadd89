import { figures } from '../../../server/domain/quantity.ts';
import { usePageContext } from '../../components/page-context.ts';
import { Section } from '../../components/panel.tsx';
import { describeDrawn, PartBars } from '../../components/part-bars.tsx';
import { SharedParamsLink } from '../../components/shared-params.tsx';
import type { Deployments } from './page.tsx';

/** At most so many repositories are drawn; the table has all. */
const maxBars = 6;

/** The repositories that deploy most, with what of it failed. */
export function OutcomeBars({ data }: { data: Deployments }) {
  const { base } = usePageContext();
  const known = data.repositories
    .flatMap(({ repo, finished, failed }) =>
      finished !== null && failed !== null && finished > 0 ? [{ repo, finished, failed }] : [],
    )
    .sort((a, b) => b.finished - a.finished || a.repo.localeCompare(b.repo, 'en'));
  if (known.length === 0) return null;
  const bars = known.slice(0, maxBars).map(({ repo, finished, failed }) => ({
    key: repo,
    name: <SharedParamsLink href={`${base}/repos/${repo}/deployments`}>{repo}</SharedParamsLink>,
    text: `${figures(failed)} of ${figures(finished)} failed`,
    values: [finished - failed, failed],
  }));
  const unread = data.repositories.filter(
    ({ deployments, finished }) => deployments !== null && deployments > 0 && finished === null,
  ).length;
  const aside = describeDrawn({ drawn: bars.length, known: known.length, unread });
  return (
    <Section title="Finished by repository" aside={aside ? <span className="muted">{aside}</span> : null}>
      <PartBars
        label="Finished production deployments by repository"
        parts={[
          { label: 'succeeded', tone: 'one' },
          { label: 'failed', tone: 'two' },
        ]}
        bars={bars}
      />
    </Section>
  );
}
