import { count, figures } from '../../../server/domain/quantity.ts';
import { Bars } from '../../charts/bars.tsx';
import { Calendar } from '../../charts/calendar.tsx';
import { HourGrid } from '../../charts/hour-grid.tsx';
import { startOfDay } from '../../charts/zone-time.ts';
import { Empty } from '../../components/notice.tsx';
import { usePageContext } from '../../components/page-context.ts';
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
          <Section title="12 weeks">
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
                ? 'Commits could not be loaded.'
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
  const { hostName } = usePageContext();
  const { activity_calendar: days, calendar_basis: basis } = data;
  const total = days.reduce((sum, day) => sum + day.count, 0);
  const active = days.filter((day) => day.count > 0).length;
  const isOwn = basis === 'contributions';
  const [one, many] = isOwn ? ['contribution', 'contributions'] : ['commit', 'commits'];
  return (
    <Calendar
      title={isOwn ? 'Contributions' : 'Commits'}
      summary={`${count(total, one, many)} on ${count(active, 'day')}.`}
      days={isOwn ? days : days.map((day) => (isComplete(day.date, data) ? day : { ...day, count: null }))}
      one={one}
      many={many}
      zone={isOwn ? undefined : data.timezone}
      note={
        isOwn
          ? `As counted by ${hostName}, in ${owner} if it is an organization.`
          : 'Based on commits on default branches: no contribution calendar available.'
      }
    />
  );
}

function Weeks({ data }: { data: Profile }) {
  const { weekly_commits: weeks, active_days_per_week: active, commits_complete_from: from } = data;
  return (
    <>
      <Bars
        title="Commits per week"
        summary={`${count(data.hours_sample, 'commit')}${from ? ' read' : ' in 90 days'}.`}
        rows={weeks.map(({ week_start: day, count: value, partial }) => ({
          day,
          values: isComplete(day, data) ? [value] : null,
          running: partial,
        }))}
        parts={[{ label: 'commits', tone: 'one' }]}
        bucket={7}
        zone={data.timezone}
        note="Default branches, excluding merges. Partial week at the end."
      />
      <p>
        Active days in each of the last four weeks, latest first:{' '}
        {active.map((days) => (days === null ? '–' : figures(days))).join(', ')}.
        {active.includes(null) ? ' A dash is a week of which not all commits were loaded.' : null}
      </p>
    </>
  );
}

function Hours({ data }: { data: Profile }) {
  const { commit_weekday_hours: [sunday = [], ...others] = [], hours_sample: sample, workday, timezone } = data;
  return (
    <HourGrid
      title="Commit times"
      summary={`${count(sample, 'commit')} by hour (${timezone}).`}
      counts={[...others, sunday]}
      one="commit"
      workday={workday}
      zone={timezone}
      sample={sample < 10 ? `sample too small (${count(sample, 'commit')})` : count(sample, 'commit')}
    />
  );
}
