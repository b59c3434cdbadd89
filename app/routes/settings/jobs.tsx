import type { z } from 'zod';
import { getScheduledJobs, type ScheduledJobs } from '../../../server/api/sync/jobs.ts';
import { loadPanels } from '../../../server/http/adapters.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { Badge } from '../../components/badge.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Moment } from '../../components/moment.tsx';
import { NoServiceToken, Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Panel } from '../../components/panel.tsx';
import type { Route } from './+types/jobs';
import { formatSchedule, JobRuns, RunState, triggers } from './job-runs.tsx';
import { useSettingsTabs } from './tabs.ts';

export type Jobs = z.output<typeof ScheduledJobs>;
type Job = Jobs['jobs'][number];

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const appContext = context.get(requestContext);
  const answers = await loadPanels({ context: appContext, params }, { jobs: getScheduledJobs });
  return { ...answers, ignoresProxy: appContext.services.forwardedHeaders.ignored };
};

/** What happens by itself: when, what its last runs did, and what is missing. */
export default function JobsPage({ loaderData: { jobs, ignoresProxy } }: Route.ComponentProps) {
  const { now, zone } = usePageContext();
  return (
    <Page
      title="Jobs"
      lead="What the service does by itself, when it is due, and what came of the last runs. Schedules are in UTC."
      tabs={useSettingsTabs('Jobs')}
    >
      {ignoresProxy ? <UnknownProxy /> : null}
      <Panel title="Timetable" result={jobs} now={now} zone={zone}>
        {(data) => (
          <>
            {data.jobs.some(({ why_not }) => why_not === 'no_service_token') ? <NoServiceToken /> : null}
            {whoStarts[data.scheduler] ? <Notice>{whoStarts[data.scheduler]}</Notice> : null}
            <Timetable jobs={data.jobs} now={now} zone={zone} />
          </>
        )}
      </Panel>
      {jobs.ok ? (
        <Panel title="Last runs" result={jobs} now={now} zone={zone}>
          {(data) => <JobRuns jobs={data.jobs} limit={data.limit} now={now} zone={zone} />}
        </Panel>
      ) : null}
    </Page>
  );
}

const UnknownProxy = () => (
  <Notice tone="partial" title="A proxy is not known.">
    Requests carry X-Forwarded-For or Forwarded, but TRUST_PROXY_HOPS is 0: all clients behind the proxy share one rate
    limit. Set TRUST_PROXY_HOPS to the number of your proxies, or have them drop these headers.
  </Notice>
);

const whoStarts: Record<Jobs['scheduler'], string | null> = {
  internal: null,
  external: 'Another scheduler keeps the timetable (SCHEDULER=external); only housekeeping runs by itself here.',
  off: 'Nothing runs by itself here (SCHEDULER=off). A call of a cron address does its job, and sends alerts and emails that are due.',
};

function Timetable({ jobs, now, zone }: { jobs: Job[]; now: number; zone: string }) {
  return (
    <DataTable<Job>
      caption="Jobs and when they are due"
      captionHidden
      noun="jobs"
      csvHref="/api/jobs?format=csv"
      rows={jobs}
      rowKey={({ name }) => name}
      columns={[
        {
          key: 'job',
          label: 'Job',
          heading: true,
          cell: ({ title, does }) => (
            <>
              {title}
              <span className="sub muted">{does}</span>
            </>
          ),
        },
        { key: 'state', label: 'State', cell: (job) => <State job={job} /> },
        { key: 'schedule', label: 'Schedule', cell: ({ schedule }) => formatSchedule(schedule) },
        { key: 'next', label: 'Next due', cell: (job) => <NextDue job={job} now={now} zone={zone} /> },
        { key: 'last', label: 'Last run', cell: (job) => <LastRun job={job} now={now} zone={zone} /> },
        { key: 'left', label: 'Repositories left', numeric: true, cell: ({ remaining }) => remaining ?? '–' },
      ]}
    />
  );
}

const reasons: Record<NonNullable<Job['why_not']>, string> = {
  no_database: 'There is no database to keep anything in: DATABASE_URL is not set.',
  no_service_token: 'It reads the platform with a token of the service, and CODEHOST_TOKEN is not set.',
  scheduler_off: 'SCHEDULER=off.',
  scheduler_external: 'Started from elsewhere, or not at all.',
};

function State({ job: { enabled, why_not, overdue, cron_path } }: { job: Job }) {
  const isElsewhere = why_not === 'scheduler_external' && cron_path !== null;
  return (
    <>
      {overdue ? (
        <Badge status="fail">missing</Badge>
      ) : (
        <Badge status={enabled ? 'pass' : 'void'}>{enabled ? 'on' : isElsewhere ? 'elsewhere' : 'does not run'}</Badge>
      )}
      {overdue ? <span className="sub">It has not come to its end for 36 hours or more.</span> : null}
      {why_not ? <span className="sub">{reasons[why_not]}</span> : null}
      {!enabled && cron_path ? (
        <span className="sub muted">
          At <code>{cron_path}</code>
        </span>
      ) : null}
    </>
  );
}

interface CellProps {
  job: Job;
  now: number;
  zone: string;
}

const NextDue = ({ job: { next_due: at }, now, zone }: CellProps) => <Moment at={at} now={now} zone={zone} />;

function LastRun({ job: { last_run: run, keeps_runs }, now, zone }: CellProps) {
  if (!keeps_runs) return <span className="muted">not kept: it takes a moment, in every process</span>;
  if (!run) return <span className="muted">none yet</span>;
  return (
    <>
      <RunState run={run} />
      <span className="sub muted">
        <Moment at={run.started_at} now={now} zone={zone} />, by {triggers[run.trigger]}
      </span>
    </>
  );
}
