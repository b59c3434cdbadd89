import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { requestedBots } from '../../../components/bot-choice.ts';
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
import { ReviewLoad } from './review-load.tsx';
import { Reviews } from './reviews.tsx';
import { Runs } from './runs.tsx';
import { Summary } from './summary.tsx';
import type { TeamView } from './views.ts';
import { Workload } from './workload.tsx';

interface Props {
  /** The answers of what this part of the page requested. */
  results: Partial<TeamAnswers>;
  view: TeamView;
  /** `owner/repo` */
  repository: string;
}

/** One part of what is known of the people of one repository: merged work, reviews, runs, knowledge or workload. */
export function TeamSections({ results, view, repository }: Props) {
  const { base } = usePageContext();
  const getProfileHref = useProfileHref(repositoryParams(repository).owner);
  const { contributors, runs, knowledge, workload } = results;
  const shared = { base, repository };
  return (
    <>
      {contributors ? <Contributors result={contributors} view={view} repository={repository} /> : null}
      {knowledge ? <Knowledge result={knowledge} {...shared} /> : null}
      {workload ? <Workload result={workload} {...shared} getProfileHref={getProfileHref} /> : null}
      {runs ? (
        <Panel
          title="Workflow runs per person"
          id="runs"
          result={runs}
          feature={{ label: 'Contributors and reviews', shows: 'workflow runs by person' }}
          whenPartial="Not all runs could be loaded: counts are minimums."
        >
          {(data) => <Runs data={data} {...shared} getProfileHref={getProfileHref} />}
        </Panel>
      ) : null}
    </>
  );
}

interface ContributorsProps extends Omit<Props, 'results'> {
  result: TeamAnswers['contributors'];
}

function Contributors({ result, view, repository }: ContributorsProps) {
  const { base } = usePageContext();
  const { search } = useLocation();
  const compare = new URLSearchParams(search).get('compare');
  const scope = { ...repositoryParams(repository), bots: requestedBots(search), compare };
  return (
    <>
      <Panel
        title="Pull requests and reviews"
        result={result}
        feature={{ label: 'Contributors and reviews', shows: 'merges and reviews of pull requests' }}
        whenPartial={result.ok ? whatIsMissing(result.data) : null}
      >
        {(data) => (
          <>
            <Summary data={data} base={base} scope={scope} />
            <FactsAsOf at={data.generated_at} {...repositoryParams(repository)} />
          </>
        )}
      </Panel>
      {result.ok ? <PeopleSections data={result.data} view={view} base={base} scope={scope} /> : null}
    </>
  );
}

interface PeopleProps {
  data: TeamFigures;
  view: TeamView;
  base: string;
  scope: TeamScope;
}

/** How reviews are spread, then who merged and reviewed, or for whom; nothing where nobody did. */
export function PeopleSections({ data, view, base, scope }: PeopleProps) {
  const getProfileHref = useProfileHref(scope.owner);
  if (data.contributors.length === 0) return null;
  return (
    <>
      <Section title="Review load" id="review-load">
        <ReviewLoad data={data} getProfileHref={getProfileHref} />
      </Section>
      {view === 'reviews' ? (
        <Section title="Who reviews whom" id="reviews">
          <Reviews data={data} getProfileHref={getProfileHref} />
        </Section>
      ) : (
        <Section title="People" id="people">
          <PeopleTables data={data} base={base} scope={scope} getProfileHref={getProfileHref} />
        </Section>
      )}
    </>
  );
}

/** Said on every page about a team. */
export const TeamNote = ({ where = 'this repository', children }: { where?: string; children?: ReactNode }) => (
  <Notice title="How to read this.">
    Numbers describe activity in {where}, not performance: mentoring, planning and careful review leave few traces.{' '}
    {children}
  </Notice>
);
