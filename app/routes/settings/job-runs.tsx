import { count, duration } from '../../../server/domain/quantity.ts';
import { Badge, type Status } from '../../components/badge.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Moment } from '../../components/moment.tsx';
import { Empty } from '../../components/notice.tsx';
import type { Jobs } from './jobs.tsx';

type Job = Jobs['jobs'][number];
type Run = Job['runs'][number];

interface Props {
  jobs: Job[];
  /** Runs shown of each job. */
  limit: number;
}

/** The last runs of each job that keeps them; opened where one did not end well. */
export function JobRuns({ jobs, limit }: Props) {
  const ran = jobs.filter(({ runs }) => runs.length > 0);
  if (ran.length === 0) return <Empty cause="No runs yet." />;
  return ran.map(({ name, title, runs }) => (
    <details key={name} open={runs[0]?.status === 'failed' || runs[0]?.status === 'aborted'}>
      <summary>
        {title}: {runs.length < limit ? count(runs.length, 'run') : `the last ${limit} runs`}
      </summary>
      <DataTable<Run>
        caption={`Last runs of ${title}`}
        captionHidden
        noun="runs"
        rows={runs}
        rowKey={(run) => run.started_at}
        columns={[
          {
            key: 'started',
            label: 'Started',
            heading: true,
            cell: ({ started_at: at }) => (
              <>
                <Moment at={at} />
                <span className="sub muted">
                  <Moment at={at} as="date-time" />
                </span>
              </>
            ),
          },
          { key: 'by', label: 'By', cell: ({ trigger }) => triggers[trigger] },
          { key: 'slot', label: 'For', cell: ({ slot, trigger }) => (trigger === 'manual' ? '–' : slot) },
          { key: 'result', label: 'Result', cell: (run) => <RunState run={run} /> },
          { key: 'took', label: 'Duration', numeric: true, cell: (run) => formatTook(run) },
          { key: 'did', label: 'Details', cell: ({ summary }) => formatSummary(summary) },
        ]}
      />
    </details>
  ));
}

/** Who started a run. */
export const triggers: Record<Run['trigger'], string> = {
  internal: 'schedule',
  http: 'external scheduler',
  manual: 'manual',
};

const states: Record<Run['status'], [Status, string]> = {
  running: ['running', 'running'],
  done: ['pass', 'done'],
  partial: ['warning', 'partial'],
  failed: ['fail', 'failed'],
  aborted: ['fail', 'interrupted'],
};

export const RunState = ({ run: { status } }: { run: Pick<Run, 'status'> }) => (
  <Badge status={states[status][0]}>{states[status][1]}</Badge>
);

const formatTook = ({ started_at: from, finished_at: to }: Run) =>
  to === null ? '–' : duration(Date.parse(to) - Date.parse(from));

/** `remaining 1, repositories 4`: the figures that a job leaves. */
const formatSummary = (summary: Run['summary']) =>
  Object.entries(summary)
    .map(([key, value]) => `${key.replaceAll('_', ' ')} ${value}`)
    .join(', ') || '–';

/** A cron pattern in words where it is one of the usual ones. */
export function formatSchedule(pattern: string) {
  const daily = /^(\d+) (\d+) \* \* (\*|[0-6])$/.exec(pattern);
  if (daily) {
    const [minute = '', hour = '', weekday = ''] = daily.slice(1);
    const when = weekday === '*' ? 'daily' : `every ${weekdays[Number(weekday)]}`;
    return `${when} at ${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
  }
  if (pattern === '* * * * *') return 'every minute';
  // One that begins later within its period is as frequent.
  const every = /^(?:\*|\d+-59)\/(\d+)( \*){4,5}$/.exec(pattern);
  if (every) return `every ${every[1]} ${pattern.split(' ').length === 6 ? 'seconds' : 'minutes'}`;
  return <code>{pattern}</code>;
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
