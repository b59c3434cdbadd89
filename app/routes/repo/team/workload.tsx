import type { z } from 'zod';
import { count, quantity, refineRate } from '../../../../server/domain/quantity.ts';
import type { WorkloadReport } from '../../../../server/reports/workload/report.ts';
import { HourGrid } from '../../../charts/hour-grid.tsx';
import { hourText } from '../../../charts/zone-time.ts';
import { minCompared } from '../../../components/comparison.ts';
import { FactsAsOf } from '../../../components/data-coverage-link.tsx';
import { Facts } from '../../../components/facts.tsx';
import type { Change } from '../../../components/measurement.tsx';
import { MetricCard, MetricCards } from '../../../components/metric-card.tsx';
import { Empty } from '../../../components/notice.tsx';
import { Panel, type PanelAnswer } from '../../../components/panel.tsx';
import { explainHref, repositoryParams } from '../../links.ts';
import type { GetProfileHref } from '../../people/person-href.ts';
import { WorkloadTable } from './workload-table.tsx';

export type Workload = z.output<typeof WorkloadReport>;

export interface WorkloadProps {
  result: PanelAnswer<Workload>;
  base: string;
  /** `owner/repo` */
  repository: string;
  getProfileHref: GetProfileHref;
}

/** When people commit and how much they have open: starting points for a talk. */
export function Workload({ result, base, repository, getProfileHref }: WorkloadProps) {
  return (
    <Panel
      title="Workload"
      id="workload"
      result={result}
      feature={{ label: 'Workload', shows: 'commit times and open pull requests' }}
      whenPartial={result.ok ? whatIsMissing(result.data) : null}
    >
      {(data) =>
        data.people.length === 0 ? (
          <Empty cause={describeNobody(data)} />
        ) : (
          <>
            <p className="prose">
              Conversation starters, not verdicts. Not considered: holidays, agreed hours, other time zones, work
              without commits.
            </p>
            <Terms data={data} />
            <Team data={data} base={base} repository={repository} />
            <WorkloadTable data={data} base={base} repository={repository} getProfileHref={getProfileHref} />
            <FactsAsOf at={data.generated_at} {...repositoryParams(repository)} />
          </>
        )
      }
    </Panel>
  );
}

/** What is missing of commits and of open pull requests, each by itself. */
function whatIsMissing(data: Workload): string {
  const areOpenKnown = data.missing.open_pull_requests.length === 0;
  const open = areOpenKnown
    ? ''
    : 'Not all open pull requests or their authors could be loaded, so they are not counted, and not everybody with many is flagged.';
  return [describeMissingCommits(data), open].filter(Boolean).join(' ');
}

function describeMissingCommits({
  coverage: { read },
  missing: { commits },
  team: { author_unread: unread },
}: Workload) {
  if (unread > 0)
    return `Of ${count(unread, 'commit')} it could not be read who wrote ${unread === 1 ? 'it' : 'them'}, so nobody’s commits can be counted.`;
  if (commits.includes('page_cap'))
    return `Only the latest ${count(read, 'commit')} are counted, so shares cover the latest part and missing commits are not flagged.`;
  return commits.length > 0
    ? 'Some commits could not be loaded: counts are minimums, and missing commits are not flagged.'
    : '';
}

function describeNobody({ empty_repository: isEmpty, missing, window_days: days }: Workload): string {
  if (isEmpty) return 'The repository has no commits yet.';
  if (missing.commits.length > 0) return 'No commits could be loaded.';
  const open = missing.open_pull_requests.length > 0 ? '' : ', and no open pull requests';
  return `No commits on the default branch in the last ${days} days${open}.`;
}

/** The hours and the limits by which something is pointed out, in words. */
function Terms({ data: { workday, thresholds: limits, window_days, team } }: { data: Workload }) {
  const mergeRate = refineRate(team.merge_moment_pct, team.merge_moment_commits, team.merge_moment_sample);
  const mergeMoments =
    mergeRate === null
      ? ' Squash merges carry the time of the merge.'
      : mergeRate === 0
        ? ''
        : ` ${quantity(mergeRate, 'percent')} of commits carry the time of a squash merge.`;
  return (
    <Facts
      facts={[
        { label: 'Window', value: `${window_days} days, default branch, no merges.` },
        {
          label: 'Workday',
          value: `Monday to Friday, ${hourText(workday.start)} to ${hourText(workday.end)}, ${workday.timezone}.${mergeMoments}`,
        },
        {
          label: 'Flagged',
          value: `From ${limits.min_commits} commits: ${limits.after_hours_pct} % after hours, ${limits.weekend_pct} % on weekends. ${limits.concurrent_prs} open pull requests, excluding drafts. No commits for ${limits.cliff_recent_days} days after ${limits.cliff_prior_min_commits} or more before.`,
        },
      ]}
    />
  );
}

interface Shown {
  data: Workload;
  base: string;
  repository: string;
}

function Team({ data: { team, workday, window_days }, base, repository }: Shown) {
  const { owner, repo } = repositoryParams(repository);
  if (team.commits === 0) return null;
  return (
    <>
      <MetricCards>
        <MetricCard
          label="Team commits outside the workday"
          value={{
            value: refineRate(team.outside_workday_pct, team.outside_workday_commits, team.commits),
            unit: 'percent',
            sample: team.commits,
            source:
              team.contributors === null
                ? 'commits of known authors'
                : `commits by ${count(team.contributors, 'person', 'people')}`,
          }}
          evidenceHref={explainHref(base, {
            metric: 'outside_workday_pct',
            owner,
            repo,
            days: window_days === 42 ? null : window_days,
          })}
          change={describeChange(team, window_days)}
          trend={findWeeks(team)}
          computed="Share of commits by people on the default branch written after hours or on a weekend."
        />
      </MetricCards>
      {team.hours && team.contributors !== null ? (
        <HourGrid
          title="Team hours"
          counts={fromMonday(team.hours)}
          one="commit"
          workday={workday}
          zone={workday.timezone}
        />
      ) : team.contributors === null ? null : (
        <p className="source">Team hours are shown when at least three people commit.</p>
      )}
    </>
  );
}

/** Against the equally long window before. */
function describeChange(team: Workload['team'], days: number): Change | undefined {
  const { period_before: before } = team;
  if (before === null) return undefined;
  const now = refineRate(team.outside_workday_pct, team.outside_workday_commits, team.commits);
  const then = refineRate(before.outside_workday_pct, before.outside_workday_commits, before.commits);
  const isFew = Math.min(team.commits, before.commits) < minCompared;
  return {
    by: isFew || now === null || then === null ? null : now - then,
    unit: 'points',
    better: 'lower',
    verdict: before.outside_workday_verdict,
    against: `the previous ${days} days`,
    reason: `fewer than ${minCompared} commits`,
  };
}

/** Fewer weeks with a share make no line. */
const minWeeks = 3;

function findWeeks({ weeks }: Workload['team']) {
  const values = weeks.map(({ outside_workday_pct: share }) => share);
  if (values.filter((share) => share !== null).length < minWeeks) return undefined;
  return { values, label: 'Outside the workday per week' };
}

/** Answers count weekdays from Sunday, calendars here from Monday. */
const fromMonday = (hours: readonly number[][]) => [...hours.slice(1), ...hours.slice(0, 1)];
