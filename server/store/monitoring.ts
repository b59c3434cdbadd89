import type { Instant } from '../metrics/kernel/facts.ts';
import type { Database } from './database.ts';
import { monitoringStatements as statements } from './statements.ts';

/** Connections of this process, and statements that wait for one. */
export interface ConnectionCounts {
  active: number;
  idle: number;
  waiting: number;
}

/** One value that all processes see alike: of a metric family, or under a name that no family has. */
export interface StoredValue {
  family: string;
  labels: Record<string, string>;
  /** null where it is not known. */
  value: number | null;
}

/** How much waits in a queue or is under way, and for how long the oldest has. */
export interface QueueState {
  queue: string;
  state: 'waiting' | 'active';
  items: number;
  oldestSeconds: number;
}

/** The tables whose rows are estimated: those that grow. */
const relations = [
  'repos',
  'workflow_runs',
  'workflow_run_attempts',
  'workflow_jobs',
  'attempt_costs',
  'repo_day',
  'pr_facts',
  'commit_facts',
  'webhook_deliveries',
  'alert_events',
  'audit_log',
  'sessions',
];

/** What is watched about the database itself and what it stores, for `/metrics`. */
export const monitoring = (database: Database) => ({
  connections: (): Promise<ConnectionCounts> => database.connections(),
  /** Values of everything that is stored, in one statement. */
  service: (jobs: readonly string[], now: Instant): Promise<StoredValue[]> =>
    database.run(statements.service_metrics, { jobs, now, relations }),
  /** Only where the queue has its tables. */
  queues: (queues: readonly string[]): Promise<QueueState[]> => database.run(statements.queue_metrics, { queues }),
});
