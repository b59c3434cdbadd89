// What all processes see alike: counts and states that are read from the database at the moment of a scrape.
import { type Measured, type MetricFamily, measured, metricFamily } from '../platform/metric-family.ts';
import type { QueueState, StoredValue } from '../store/monitoring.ts';

/** Read as it stands in the database, under the name of the family. */
const read = [
  metricFamily({
    name: 'das_access_tokens',
    type: 'gauge',
    unit: '',
    help: 'Access tokens of the service; ended ones for 30 days.',
    labels: ['kind', 'state'],
  }),
  metricFamily({ name: 'das_database_size_bytes', type: 'gauge', unit: 'bytes', help: 'Size of the database.' }),
  metricFamily({
    name: 'das_database_rows',
    type: 'gauge',
    unit: '',
    help: 'Rows of the tables that grow, as the database estimates them; absent before it has.',
    labels: ['relation'],
  }),
  metricFamily({
    name: 'das_job_last_success_timestamp_seconds',
    type: 'gauge',
    unit: 'seconds',
    help: 'When a scheduled job last completed, in Unix time.',
    labels: ['job'],
  }),
  metricFamily({
    name: 'das_job_last_duration_seconds',
    type: 'gauge',
    unit: 'seconds',
    help: 'How long the latest run of a scheduled job took.',
    labels: ['job'],
  }),
  metricFamily({
    name: 'das_job_runs',
    type: 'counter',
    unit: '',
    help: 'Runs of scheduled jobs by how they ended.',
    labels: ['job', 'status'],
  }),
  metricFamily({
    name: 'das_webhook_deliveries',
    type: 'counter',
    unit: '',
    help: 'Signed webhook deliveries of GitHub; `ignored`: its owner is neither allowed nor tracked.',
    labels: ['event', 'outcome'],
  }),
  metricFamily({
    name: 'das_webhook_ingest_lag_seconds',
    type: 'gauge',
    unit: 'seconds',
    help: 'From an event of a run or a job to its storage, as the latest new delivery had it; absent before any.',
  }),
  metricFamily({
    name: 'das_alert_events',
    type: 'counter',
    unit: '',
    help: 'Alert events, without tests.',
    labels: ['channel'],
  }),
  metricFamily({
    name: 'das_alert_deliveries',
    type: 'counter',
    unit: '',
    help: 'Alert events that were delivered, or could not be.',
    labels: ['channel', 'status'],
  }),
  metricFamily({
    name: 'das_mail_up',
    type: 'gauge',
    unit: '',
    help: '1 if the latest email was accepted, 0 if it was refused; absent before any was sent.',
  }),
  metricFamily({
    name: 'das_ai_tokens',
    type: 'counter',
    unit: '',
    help: 'Tokens that generated texts took.',
    labels: ['provider'],
  }),
  metricFamily({
    name: 'das_otlp_spans',
    type: 'counter',
    unit: '',
    help: 'Spans by what became of them; `parked`: not accepted by themselves, and sent again on request.',
    labels: ['destination', 'outcome'],
  }),
  metricFamily({
    name: 'das_otlp_requests',
    type: 'counter',
    unit: '',
    help: 'Requests to receivers of traces; `rejected`: not accepted, or in part; `parked`: a part is sent again on request alone.',
    labels: ['destination', 'outcome'],
  }),
  metricFamily({
    name: 'das_otlp_outbox_rows',
    type: 'gauge',
    unit: '',
    help: 'Parts of attempts that are to be sent, now or later.',
    labels: ['destination'],
  }),
  metricFamily({
    name: 'das_otlp_oldest_due_age_seconds',
    type: 'gauge',
    unit: 'seconds',
    help: 'How long the oldest part has been due; 0 when nothing is.',
    labels: ['destination'],
  }),
] as const;

const jobOverdue = metricFamily({
  name: 'das_job_overdue',
  type: 'gauge',
  unit: '',
  help: '1 if an expected job has not completed for 36 hours, or 12 hours beyond a longer rhythm.',
  labels: ['job'],
});

const aiBudget = metricFamily({
  name: 'das_ai_budget_remaining_ratio',
  type: 'gauge',
  unit: 'ratio',
  help: 'Share of `AI_DAILY_TOKEN_BUDGET` that is left today; absent without a budget.',
});

const queueItems = metricFamily({
  name: 'das_queue_items',
  type: 'gauge',
  unit: '',
  help: 'Items of a work queue.',
  labels: ['queue', 'state'],
});

const oldestItem = metricFamily({
  name: 'das_queue_oldest_item_age_seconds',
  type: 'gauge',
  unit: 'seconds',
  help: 'Age of the oldest waiting or active item; 0 when there is none.',
  labels: ['queue'],
});

export const sharedFamilies: readonly MetricFamily<string>[] = [...read, jobOverdue, aiBudget, queueItems, oldestItem];

/** The families that are read under their own name; a count that stands in several places is their sum. */
export function measureStored(values: readonly StoredValue[]): Measured[] {
  const byFamily = Map.groupBy(values, ({ family }) => family);
  return read.map((family: MetricFamily<string>) => {
    const sums = new Map<string, readonly [Record<string, string>, number | null]>();
    for (const { labels, value } of byFamily.get(family.name) ?? []) {
      const key = family.labels.map((label) => labels[label]).join('\n');
      const known = sums.get(key)?.[1] ?? null;
      sums.set(key, [labels, value === null ? known : value + (known ?? 0)]);
    }
    return measured(family, sums.values());
  });
}

export const measureOverdue = (jobs: readonly string[], overdue: ReadonlySet<string>): Measured =>
  measured(
    jobOverdue,
    jobs.map((job) => [{ job }, overdue.has(job) ? 1 : 0]),
  );

/** `perDay` 0 is no limit. */
export function measureAiBudget(values: readonly StoredValue[], perDay: number): Measured {
  const used = values.find(({ family }) => family === 'ai_tokens_of_day')?.value ?? 0;
  return measured(aiBudget, [[{}, perDay === 0 ? null : Math.max(0, 1 - used / perDay)]]);
}

/** Every queue and state, also the empty ones. */
export function measureQueues(queues: readonly string[], states: readonly QueueState[]): Measured[] {
  const of = (queue: string) => states.filter((one) => one.queue === queue);
  return [
    measured(
      queueItems,
      queues.flatMap((queue) =>
        (['waiting', 'active'] as const).map(
          (state) => [{ queue, state }, of(queue).find((one) => one.state === state)?.items ?? 0] as const,
        ),
      ),
    ),
    measured(
      oldestItem,
      queues.map((queue) => [{ queue }, Math.max(0, ...of(queue).map(({ oldestSeconds }) => oldestSeconds))]),
    ),
  ];
}
