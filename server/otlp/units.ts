import { isCarriedOver } from '../metrics/runs/jobs.ts';
import type { OutboxRow, StoredAttempt, StoredAttemptJobs } from '../store/otlp-outbox.ts';
import { type AttemptFacts, attemptResource, attemptSpan, type SpanOptions } from './attempt-spans.ts';
import { type JobFacts, jobSpans } from './job-spans.ts';
import type { AttemptSpans } from './span.ts';

/** A row of the outbox with its spans. */
export interface Unit extends AttemptSpans {
  row: OutboxRow;
  /** Jobs without spans, because an earlier attempt ran them. */
  carriedOver: number;
}

/** Rows by what can be done with them. */
export interface Units {
  /** In the order of the rows. */
  ready: Unit[];
  /** Jobs that are not known yet. */
  waiting: OutboxRow[];
  /** Runs that are stored no longer. */
  gone: OutboxRow[];
}

/** Makes the spans of rows from what is stored of their attempts. */
export function toUnits(
  rows: readonly OutboxRow[],
  { attempts, jobs }: { attempts: readonly StoredAttempt[]; jobs: readonly StoredAttemptJobs[] },
  options: SpanOptions & { host: string },
): Units {
  const factsByKey = new Map(attempts.map((one) => [toKey(one), { ...one, host: options.host }]));
  const jobsByKey = new Map(jobs.map((one) => [toKey(one), one.jobs]));
  const units: Units = { ready: [], waiting: [], gone: [] };
  for (const row of rows) {
    const facts = factsByKey.get(toKey(row));
    const known = jobsByKey.get(toKey(row));
    if (!facts) units.gone.push(row);
    else if (row.part === 'attempt') units.ready.push(toAttemptUnit(row, facts, options));
    else if (known) units.ready.push(toJobsUnit(row, facts, known, options));
    else units.waiting.push(row);
  }
  return units;
}

const toAttemptUnit = (row: OutboxRow, facts: AttemptFacts, options: SpanOptions): Unit => ({
  row,
  resource: attemptResource(facts, options),
  spans: [attemptSpan(facts, options)],
  carriedOver: 0,
});

const toJobsUnit = (row: OutboxRow, facts: AttemptFacts, jobs: readonly JobFacts[], options: SpanOptions): Unit => ({
  row,
  resource: attemptResource(facts, options),
  spans: jobs.flatMap((job) => jobSpans(facts, job)),
  carriedOver: jobs.filter((job) => isCarriedOver(facts, job)).length,
});

const toKey = ({ runId, attempt }: { runId: number; attempt: number }) => `${runId} ${attempt}`;
