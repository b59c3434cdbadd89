import { count, figures } from '../../../server/domain/quantity.ts';
import { Bars } from '../../charts/bars.tsx';
import { Calendar } from '../../charts/calendar.tsx';
import { HourGrid } from '../../charts/hour-grid.tsx';
import { startOfDay } from '../../charts/zone-time.ts';
import { Empty } from '../../components/notice.tsx';
import { Columns, Section } from '../../components/panel.tsx';
import type { Profile } from './profile.ts';

/** When the person was active: a year of days, twelve weeks of commits, and the hours of 90 days. */
export function Activity({ data, owner }: { data: Profile; owner: string }) {
  return (
    <>
      {data.activity_calendar.length ? (
        <Section title="52 weeks">
          <Year data={data} owner={owner} />
        </Section>
      ) : null}
      {data.total_commits_90d ? (
        <Columns>
          <Section title="Commits by week">
            <Weeks data={data} />
          </Section>
          <Section title="Hours of commits">
            <Hours data={data} />
          </Section>
        </Columns>
      ) : (
        <Section title="Commits">
          <Empty
            cause={
              data.total_commits_90d === null
                ? 'They could not be read; the note at the top says why.'
                : 'No commits on a default branch in 90 days.'
            }
          />
        </Section>
      )}
    </>
  );
}

/** Whether all commits from a day on were read: one that was read in part would look calm. */
const isComplete = (day: string, { commits_complete_from: from, timezone }: Profile) =>
  from === null || startOfDay(day, timezone) >= Date.parse(from);

function Year({ data, owner }: { data: Profile; owner: string }) {
  const { activity_calendar: days, calendar_basis: basis } = data;
  const total = days.reduce((sum, day) => sum + day.count, 0);
  const active = days.filter((day) => day.count > 0).length;
  const isOwn = basis === 'contributions';
  const [one, many] = isOwn ? ['contribution', 'contributions'] : ['commit', 'commits'];
  return (
    <Calendar
      title={isOwn ? 'Contributions' : 'Commits'}
      summary={`${count(total, one, many)} on ${count(active, 'day')} of the last 52 weeks.`}
      days={isOwn ? days : days.map((day) => (isComplete(day.date, data) ? day : { ...day, count: null }))}
      one={one}
      many={many}
      zone={isOwn ? undefined : data.timezone}
      note={
        isOwn
          ? `Commits, pull requests, reviews and issues by the platform’s own days. It narrows them to ${owner} only if that is an organization; with a person as owner it counts everywhere.`
          : 'Made from commits on default branches, because the platform shows no calendar of this account.'
      }
    />
  );
}

function Weeks({ data }: { data: Profile }) {
  const { weekly_commits: weeks, active_days_per_week: active, commits_complete_from: from } = data;
  return (
    <>
      <Bars
        title="Commits by week"
        summary={`Twelve weeks from Monday; ${count(data.hours_sample, 'commit')}${from ? ' read' : ' in 90 days'}.`}
        rows={weeks.map(({ week_start: day, count: value, partial }) => ({
          day,
          values: isComplete(day, data) ? [value] : null,
          running: partial,
        }))}
        parts={[{ label: 'commits', tone: 'one' }]}
        bucket={7}
        zone={data.timezone}
        note="On default branches, without merges. The last week is not over."
      />
      <p>
        Days with a commit in each of the last four spans of seven days, the latest first:{' '}
        {active.map((days) => figures(days)).join(', ')}.
      </p>
    </>
  );
}

function Hours({ data }: { data: Profile }) {
  const { commit_weekday_hours: [sunday = [], ...others] = [], hours_sample: sample, workday, timezone } = data;
  return (
    <HourGrid
      title="When commits were written"
      summary={`Hours of ${count(sample, 'commit')} as they were in ${timezone}.`}
      counts={[...others, sunday]}
      one="commit"
      workday={workday}
      zone={timezone}
      sample={sample < 10 ? `only ${count(sample, 'commit')}: too few for a habit` : count(sample, 'commit')}
    />
  );
}
