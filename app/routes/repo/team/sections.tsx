import { FactsAsOf } from '../../../components/data-coverage-link.tsx';
import { Notice } from '../../../components/notice.tsx';
import { usePageContext } from '../../../components/page-context.ts';
import { Panel, Section } from '../../../components/panel.tsx';
import { repositoryParams } from '../../links.ts';
import { useProfileHref } from '../../people/person-href.ts';
import { Knowledge } from './knowledge.tsx';
import { whatIsMissing } from './missing.ts';
import type { TeamAnswers, TeamFigures, TeamScope } from './operations.ts';
import { PeopleTables } from './people-table.tsx';
import { Reviews } from './reviews.tsx';
import { Runs } from './runs.tsx';
import { Summary } from './summary.tsx';
import { Workload } from './workload.tsx';

interface Props {
  results: TeamAnswers;
  /** `owner/repo` */
  repository: string;
  /** This page, to try again. */
  here: string;
}

/** Everything about the people of one repository: merged work, reviews, runs, knowledge, workload. */
export function TeamSections({ results: { contributors, runs, knowledge, workload }, repository, here }: Props) {
  const { now, zone, base } = usePageContext();
  const scope = repositoryParams(repository);
  const getProfileHref = useProfileHref(scope.owner);
  const shared = { now, zone, base, repository };
  return (
    <>
      <Panel
        title="Pull requests and reviews"
        result={contributors}
        now={now}
        zone={zone}
        feature={{ label: 'Contributors and reviews', shows: 'merges and reviews of pull requests' }}
        whenPartial={contributors.ok ? whatIsMissing(contributors.data) : null}
        retryHref={here}
      >
        {(data) => (
          <>
            <Summary data={data} base={base} scope={scope} />
            <FactsAsOf at={data.generated_at} {...scope} />
          </>
        )}
      </Panel>
      {contributors.ok ? <PeopleSections data={contributors.data} base={base} scope={scope} /> : null}
      <Knowledge result={knowledge} {...shared} />
      <Workload result={workload} {...shared} getProfileHref={getProfileHref} />
      <Panel
        title="Workflow runs per person"
        id="runs"
        result={runs}
        now={now}
        zone={zone}
        feature={{ label: 'Contributors and reviews', shows: 'workflow runs by person' }}
        whenPartial="Not all runs could be loaded: counts are minimums."
        retryHref={here}
      >
        {(data) => <Runs data={data} {...shared} getProfileHref={getProfileHref} />}
      </Panel>
    </>
  );
}

interface PeopleProps {
  data: TeamFigures;
  base: string;
  scope: TeamScope;
}

/** Who merged and reviewed, and for whom; nothing where nobody did. */
export function PeopleSections({ data, base, scope }: PeopleProps) {
  const getProfileHref = useProfileHref(scope.owner);
  if (data.contributors.length === 0) return null;
  return (
    <>
      <Section title="People" id="people">
        <PeopleTables data={data} base={base} scope={scope} getProfileHref={getProfileHref} />
      </Section>
      <Section title="Who reviews whom" id="reviews">
        <Reviews data={data} getProfileHref={getProfileHref} />
      </Section>
    </>
  );
}

/** Said on every page about a team. */
export const TeamNote = ({ where = 'this repository' }: { where?: string }) => (
  <Notice title="How to read this.">
    Sorted by name. Numbers describe activity in {where}, not performance: mentoring, planning and careful review leave
    few traces.
  </Notice>
);
