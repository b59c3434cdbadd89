import type { z } from 'zod';
import { getSetupSteps, type SetupSteps } from '../../../server/api/settings/setup-steps.ts';
import { getScheduledJobs, type ScheduledJobs } from '../../../server/api/sync/jobs.ts';
import { loadPanels, panel } from '../../../server/http/adapters.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { Badge } from '../../components/badge.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Explanations } from '../../components/explanations.tsx';
import { Moment } from '../../components/moment.tsx';
import { NoServiceToken, Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Panel } from '../../components/panel.tsx';
import type { Route } from './+types/jobs';
import { formatSchedule, JobRuns, RunState, triggers } from './job-runs.tsx';
import { useSettingsTabs } from './tabs.ts';
import { WebhookTest } from './webhook.tsx';

export type Jobs = z.output<typeof ScheduledJobs>;
type Job = Jobs['jobs'][number];

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const appContext = context.get(requestContext);
  const answers = await loadPanels({ context: appContext, params }, { jobs: getScheduledJobs });
  const setup = await panel(getSetupSteps, { context: appContext, params, isOptional: true });
  return { ...answers, setup, ignoresProxy: appContext.services.forwardedHeaders.ignored };
};

/** What happens by itself: when, what its last runs did, and what is missing. */
export default function JobsPage({ loaderData: { jobs, setup, ignoresProxy } }: Route.ComponentProps) {
  return (
    <Page title="Jobs" lead="Schedules (in UTC) and webhook." tabs={useSettingsTabs('Jobs')}>
      {ignoresProxy ? <UnknownProxy /> : null}
      <Panel title="Schedule" result={jobs}>
        {(data) => (
          <>
            {data.jobs.some(({ why_not }) => why_not === 'no_service_token') ? <NoServiceToken /> : null}
            {whoStarts[data.scheduler] ? <Notice>{whoStarts[data.scheduler]}</Notice> : null}
            <Timetable jobs={data.jobs} />
            <Explanations
              title="What each job does"
              of={data.jobs.map(({ title, does }) => ({ name: title, text: does }))}
            />
          </>
        )}
      </Panel>
      {jobs.ok ? (
        <Panel title="Last runs" result={jobs}>
          {(data) => <JobRuns jobs={data.jobs} limit={data.limit} />}
        </Panel>
      ) : null}
      <Panel title="Webhook" id="webhook" result={setup}>
        {(data) => <WebhookState setup={data} />}
      </Panel>
    </Page>
  );
}

function WebhookState({ setup: { steps, payload_url: payloadUrl } }: { setup: z.output<typeof SetupSteps> }) {
  const { hostName } = usePageContext();
  const webhook = steps.find(({ step }) => step === 'webhook');
  if (!webhook || payloadUrl === null) return null;
  const { missing, event, at } = webhook;
  return (
    <>
      <p>
        <Badge status={missing === null ? 'pass' : 'void'}>
          {missing === null
            ? 'receiving'
            : missing === 'no_delivery'
              ? 'no delivery yet'
              : missing === 'not_reachable'
                ? 'not reachable'
                : 'off'}
        </Badge>{' '}
        {missing === 'no_webhook_secret' ? 'CODEHOST_WEBHOOK_SECRET is not set. ' : null}
        {missing === 'not_reachable'
          ? `${hostName} cannot reach this machine. Set APP_URL to a public https address; everything works without webhooks.`
          : null}
        {at === null ? null : (
          <>
            Latest delivery: {event}, <Moment at={at} />
          </>
        )}
      </p>
      {missing === 'not_reachable' ? null : <WebhookTest payloadUrl={payloadUrl} />}
    </>
  );
}

const UnknownProxy = () => (
  <Notice tone="partial" title="A proxy is not known.">
    Requests carry X-Forwarded-For or Forwarded, but TRUST_PROXY_HOPS is 0: all clients behind the proxy share one rate
    limit. Set TRUST_PROXY_HOPS to the number of proxies, or remove these headers there.
  </Notice>
);

const whoStarts: Record<Jobs['scheduler'], string | null> = {
  internal: null,
  external: 'An external scheduler runs the jobs (SCHEDULER=external). Only housekeeping runs here.',
  off: 'Scheduling is off (SCHEDULER=off): only cron URLs run jobs.',
};

function Timetable({ jobs }: { jobs: Job[] }) {
  return (
    <DataTable<Job>
      caption="Jobs"
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
          value: ({ title }) => title,
        },
        { key: 'state', label: 'State', cell: (job) => <State job={job} /> },
        { key: 'schedule', label: 'Schedule', cell: ({ schedule }) => formatSchedule(schedule) },
        ...(jobs.some(({ next_due }) => next_due !== null)
          ? [{ key: 'next', label: 'Next due', cell: (job: Job) => <NextDue job={job} /> }]
          : []),
        { key: 'last', label: 'Last run', cell: (job) => <LastRun job={job} /> },
        ...(jobs.some(({ remaining }) => remaining !== null)
          ? [
              {
                key: 'left',
                label: 'Repositories left',
                numeric: true,
                cell: ({ remaining }: Job) => remaining ?? none,
              },
            ]
          : []),
      ]}
    />
  );
}

const reasons: Record<NonNullable<Job['why_not']>, string> = {
  no_database: 'needs DATABASE_URL',
  no_service_token: 'needs CODEHOST_TOKEN',
  scheduler_off: 'SCHEDULER=off',
  scheduler_external: 'not scheduled here',
};

function State({ job: { enabled, why_not, overdue, cron_path } }: { job: Job }) {
  const isElsewhere = why_not === 'scheduler_external' && cron_path !== null;
  return (
    <>
      {overdue ? (
        <Badge status="fail">missing</Badge>
      ) : (
        <Badge status={enabled ? 'pass' : 'void'}>{enabled ? 'on' : isElsewhere ? 'elsewhere' : 'not running'}</Badge>
      )}
      {overdue ? <span className="sub">Not completed for 36 hours or more.</span> : null}
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
}

const none = <span className="muted absent">–</span>;

const NextDue = ({ job: { next_due: at } }: CellProps) => <Moment at={at} />;

function LastRun({ job: { last_run: run, keeps_runs } }: CellProps) {
  if (!keeps_runs) return <span className="muted">not stored</span>;
  if (!run) return <span className="muted">none yet</span>;
  return (
    <>
      <RunState run={run} />
      <span className="sub muted">
        <Moment at={run.started_at} />, by {triggers[run.trigger]}
      </span>
    </>
  );
}
