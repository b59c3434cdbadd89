import { z } from 'zod';
import type { Instant, RepositoryName, WorkflowJob } from '../../metrics/kernel/facts.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Codehost } from '../client/client.ts';
import { type Page, pageSize, readListing, toPage } from '../client/listing.ts';
import { nameKey, repositoryParams } from '../client/names.ts';
import { readableItems, readableOnly } from '../client/readable-items.ts';
import type { Read, Reader, Reading } from '../client/reader.ts';
import type { Transport } from '../client/transport.ts';
import {
  attemptNumber,
  conclusion,
  integer,
  maybeCount,
  maybeInstant,
  maybeText,
  platformId,
  shownText,
} from '../client/wire.ts';
import { readSuites } from './check-runs.ts';

/** Reads of the jobs of runs. */
export function createJobs(reader: Reader, transport: Transport, clock: Clock): Codehost['jobs'] {
  const readPages = (from: Reader, name: RepositoryName, runId: number, attempt?: number) =>
    readListing(from, createJobPageReading(name, runId, attempt), maxPages, ({ id }) => id);
  const uncached = withoutCopies(reader, transport, clock);
  return {
    ofRun: (name, runId, attempt) => readPages(reader, name, runId, attempt),
    async ofCompleted(name, runId, attempt) {
      const cached = { key: completedKey(name, runId, attempt), freshMs: () => 0 };
      const { value } = await reader.remember(cached, () => readPages(uncached, name, runId, attempt));
      return value;
    },
    recallCompleted: (name, runId, attempt) => reader.recall(completedKey(name, runId, attempt)),
    async ofSuites(name, runs) {
      if (runs.length === 0) return { jobs: [], problem: null };
      const key = `jobs of suites ${nameKey(name)} ${runs.map(({ id }) => id).join(' ')}`;
      const { value } = await reader.remember({ key, freshMs: () => 0 }, () => readSuites(transport, runs));
      return value;
    },
  };
}

const completedKey = (name: RepositoryName, runId: number, attempt: number) =>
  `jobs of completed ${nameKey(name)} ${runId} ${attempt}`;

/** Requests from the platform whatever was read before. */
const withoutCopies = (reader: Reader, transport: Transport, clock: Clock): Reader => ({
  ...reader,
  async read<T>(reading: Reading<T>): Promise<Read<T>> {
    const asOf = clock.now();
    const { fresh } = await transport.rest(reading);
    return { value: fresh?.value as T, stale: false, asOf };
  },
});

/** A matrix makes at most 256 jobs, a run a few matrices. */
const maxPages = 10;

const stepSchema = z.object({
  number: integer,
  name: z.string(),
  status: z.string(),
  conclusion,
  started_at: maybeInstant,
  completed_at: maybeInstant,
});

/** Schema that converts a job of the REST answers, or of an event, into a fact. */
export const jobReader = z
  .object({
    id: platformId,
    run_id: platformId,
    run_attempt: attemptNumber.nullish(),
    name: z.string(),
    workflow_name: maybeText,
    status: z.string(),
    conclusion,
    created_at: maybeInstant,
    started_at: maybeInstant,
    completed_at: maybeInstant,
    runner_name: maybeText,
    runner_group_name: maybeText,
    labels: readableOnly(z.string()).nullish(),
    html_url: shownText,
    steps: z.array(stepSchema).nullish(),
  })
  .transform(
    (wire): WorkflowJob => ({
      id: wire.id,
      runId: wire.run_id,
      attempt: wire.run_attempt ?? 1,
      name: wire.name,
      workflowName: wire.workflow_name,
      status: wire.status,
      conclusion: wire.conclusion,
      createdAt: wire.created_at,
      startedAt: wire.started_at,
      completedAt: wire.completed_at,
      // A job that never got a runner has empty names.
      runnerName: wire.runner_name || null,
      runnerGroup: wire.runner_group_name || null,
      labels: wire.labels ?? [],
      htmlUrl: wire.html_url ?? '',
      steps: (wire.steps ?? []).map(({ started_at, completed_at, ...step }) => ({
        ...step,
        startedAt: started_at,
        completedAt: completed_at,
      })),
    }),
  );

const listSchema = z.object({ total_count: maybeCount, jobs: readableItems(jobReader) });

function createJobPageReading(
  name: RepositoryName,
  runId: number,
  attempt?: number,
): (page: number) => Reading<Page<WorkflowJob>> {
  const latest = attempt === undefined;
  const base = '/repos/{owner}/{repo}/actions/runs/{run_id}';
  const params = { ...repositoryParams(name), run_id: runId, per_page: pageSize };
  return (page) => ({
    operation: 'list jobs',
    route: latest ? `GET ${base}/jobs` : `GET ${base}/attempts/{attempt_number}/jobs`,
    params: { ...params, page, ...(latest ? { filter: 'latest' } : { attempt_number: attempt }) },
    repository: name,
    read(data, headers) {
      const { total_count, jobs } = listSchema.parse(data);
      return toPage(jobs, total_count, headers);
    },
    freshMs: ({ items }, now) => jobsFreshMs(items, now, latest),
    staleIfError: true,
  });
}

/**
 * Running jobs change by the second. The jobs of an attempt are final once nothing happened for a while,
 * because jobs that wait for others appear late; a re-run may replace what is the latest attempt.
 */
function jobsFreshMs(jobs: WorkflowJob[], now: Instant, latest: boolean): number {
  const ended = jobs.map(({ status, completedAt }) => (status === 'completed' ? completedAt : null));
  const newest = ended.reduce<number | null>((a, b) => (a === null || b === null ? null : Math.max(a, b)), 0);
  if (!newest || now - newest < 10 * 60_000) return 10_000;
  return latest ? 60_000 : Number.POSITIVE_INFINITY;
}
