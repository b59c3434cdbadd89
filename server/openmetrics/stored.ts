// Everything that a scrape reads from the database, by three statements at most.
import type { Clock } from '../platform/clock.ts';
import type { Env } from '../platform/env.ts';
import type { Measured } from '../platform/metric-family.ts';
import { queueNames } from '../queue/queue.ts';
import type { JobHistory } from '../store/job-runs.ts';
import type { StoredValue } from '../store/monitoring.ts';
import type { Store } from '../store/orm.ts';
import { measureRepositories } from './repositories.ts';
import { measureAiBudget, measureOverdue, measureQueues, measureStored } from './shared.ts';

/** The scheduled jobs, as far as metrics show them. */
export interface WatchedJobs {
  /** Those that leave rows about their runs. */
  names: readonly string[];
  /** Those of them that are missing by what is known of their runs. */
  overdue(histories: readonly JobHistory[]): readonly string[];
}

export interface StoredOptions {
  env: Env;
  store: Store;
  clock: Clock;
  jobs: WatchedJobs;
}

export async function measureWhatIsStored({ env, store, clock, jobs }: StoredOptions): Promise<Measured[]> {
  const values = await store.monitoring.service(jobs.names, clock.now());
  const hasQueue = values.some(({ family, value }) => family === 'queue_exists' && value === 1);
  const queues = hasQueue ? await store.monitoring.queues(queueNames) : [];
  const isPublic = env.METRICS_REPOSITORIES === 'public';
  const exposed = env.METRICS_REPOSITORIES === 'none' ? [] : await store.exportedValues.list({ isPublic });
  return [
    ...measureStored(values),
    measureOverdue(jobs.names, new Set(jobs.overdue(readHistories(jobs.names, values)))),
    measureAiBudget(values, env.AI_DAILY_TOKEN_BUDGET),
    ...measureQueues(queueNames, queues),
    ...(await measureRepositories(exposed, clock.now(), env.METRICS_MAX_SERIES)),
  ];
}

function readHistories(jobs: readonly string[], values: readonly StoredValue[]): JobHistory[] {
  const find = (name: string, job: string) => {
    const seconds = values.find(({ family, labels }) => family === name && labels.job === job)?.value ?? null;
    return seconds === null ? null : Math.round(seconds * 1000);
  };
  return jobs.map((job) => ({
    job,
    firstStartedAt: find('job_first_started', job),
    lastEndedAt: find('job_last_ended', job),
  }));
}
