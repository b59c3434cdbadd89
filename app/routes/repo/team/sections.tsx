import { Notice } from '../../../components/notice.tsx';
import { Panel, Section } from '../../../components/panel.tsx';
import { useChrome } from '../../chrome.ts';
import { Knowledge } from './knowledge.tsx';
import { whatIsMissing } from './missing.ts';
import type { TeamAnswers } from './operations.ts';
import { PeopleTables } from './people-table.tsx';
import { Reviews } from './reviews.tsx';
import { Runs } from './runs.tsx';
import { Summary } from './summary.tsx';
import { Workload } from './workload.tsx';

interface Props {
  of: TeamAnswers;
  /** `owner/repo` */
  repository: string;
  /** This page, to try again. */
  here: string;
}

/** Everything about the people of one repository: merged work, reviews, runs, knowledge, workload. */
export function TeamSections({ of: { contributors, runs, knowledge, workload }, repository, here }: Props) {
  const { now, zone, base } = useChrome();
  const shared = { now, zone, base, repository };
  return (
    <>
      <Panel
        title="Pull requests and reviews"
        of={contributors}
        now={now}
        zone={zone}
        feature={{ label: 'Contributors and reviews', shows: 'who merges and who reviews pull requests' }}
        whenPartial={contributors.ok ? whatIsMissing(contributors.data) : null}
        retryHref={here}
      >
        {(data) => <Summary of={data} base={base} repository={repository} />}
      </Panel>
      {contributors.ok && contributors.data.contributors.length > 0 ? (
        <>
          <Section title="People" id="people">
            <PeopleTables of={contributors.data} base={base} repository={repository} />
          </Section>
          <Section title="Who reviews whom" id="reviews">
            <Reviews of={contributors.data} base={base} repository={repository} />
          </Section>
        </>
      ) : null}
      <Knowledge of={knowledge} {...shared} />
      <Workload of={workload} {...shared} />
      <Panel
        title="Workflow runs per person"
        id="runs"
        of={runs}
        now={now}
        zone={zone}
        feature={{ label: 'Contributors and reviews', shows: 'who causes workflow runs' }}
        whenPartial="The list of runs was cut short, so counts are at least these."
        retryHref={here}
      >
        {(data) => <Runs of={data} base={base} repository={repository} now={now} zone={zone} />}
      </Panel>
    </>
  );
}

/** Said on every page about a team. */
export const TeamNote = () => (
  <Notice title="How to read this.">
    People stand in the order of their names. Numbers tell what happened in this repository, not what somebody’s work is
    worth: helping, planning and careful reading leave few traces here.
  </Notice>
);
