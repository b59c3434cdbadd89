import type { AttemptJobs, JobDetail, JobShelf } from '../facts/job-shelf.ts';
import type { Conclusion, Instant, JobStep, WorkflowJob } from '../metrics/facts.ts';
import type { Database, Queries } from './database.ts';
import { lockRepository } from './facts/fact-shelf.ts';
import { rounds } from './ingest.ts';
import type { repositories } from './repositories.ts';
import { fromMs, storable, toMs } from './wire-sql.ts';

/** Jobs of run attempts: single ones that an event brought, and all of an attempt that somebody looked at. */
export function workflowJobs(database: Database, known: ReturnType<typeof repositories>['known']) {
  return {
    /** Keeps jobs. What is further along stays: a late message about an earlier state changes nothing. */
    put: (repoId: number, jobs: readonly WorkflowJob[], storedAt: Instant): Promise<void> =>
      putJobs(database, ofRepository(repoId, jobs, 'full'), storedAt),
    /** The jobs known of one attempt, in the order they were made. */
    async of(runId: number, attempt: number): Promise<WorkflowJob[]> {
      return (await database.query<JobRow>(ofAttempt, [runId, attempt])).map(toFact);
    },
    /** Attempts of which all jobs are kept. */
    attempts: {
      isDatabase: true,
      async of(repository, attempts) {
        const names = attempts.map(({ runId, attempt }) => ({ run_id: runId, run_attempt: attempt }));
        const rows = await database.query<ReadingRow>(ofAttempts, [repository.id, JSON.stringify(names)]);
        return rows.map(({ run_id, run_attempt, detail, jobs }) => ({
          ...{ runId: run_id, attempt: run_attempt, detail },
          jobs: jobs.map(toFact),
        }));
      },
      async keep(repository, attempts, now) {
        if (attempts.length === 0) return;
        const repoId = await known(repository);
        for (let start = 0; start < attempts.length; start += attemptsAtOnce)
          await database.transaction(async (transaction) => {
            await transaction.query(lockRepository, [repoId]);
            await putAttempts(transaction, repoId, attempts.slice(start, start + attemptsAtOnce), now);
          });
      },
    } satisfies JobShelf,
  };
}

const attemptsAtOnce = 10;

/** A job, the database's own id of its repository, and how much is told of it. */
export interface ObservedJob extends WorkflowJob {
  repoId: number;
  detail: JobDetail;
}

const ofRepository = (repoId: number, jobs: readonly WorkflowJob[], detail: JobDetail): ObservedJob[] =>
  jobs.map((job) => ({ ...job, repoId, detail }));

/** Keeps jobs, also of several repositories. */
export async function putJobs(queries: Queries, jobs: readonly ObservedJob[], storedAt: Instant): Promise<void> {
  for (const round of rounds(jobs, ({ id }) => id)) {
    const inOrder = round.sort((a, b) => a.id - b.id);
    await queries.query(upsert, [storedAt, storable(JSON.stringify(inOrder))]);
  }
}

async function putAttempts(queries: Queries, repoId: number, attempts: readonly AttemptJobs[], now: Instant) {
  const readings = attempts.map(({ runId, attempt, detail, jobs }) => ({
    ...{ run_id: runId, run_attempt: attempt, detail, ids: jobs.map(({ id }) => id) },
  }));
  await queries.query(keepOnly, [JSON.stringify(readings)]);
  const jobs = attempts.flatMap((one) => ofRepository(repoId, one.jobs, one.detail));
  await putJobs(queries, jobs, now);
  await queries.query(putReadings, [JSON.stringify(readings), repoId, now]);
}

const newer = (column: string) =>
  untold.includes(column)
    ? `case when excluded.detail = 'times' and stored.runner_name is not null then stored.${column} else excluded.${column} end`
    : `excluded.${column}`;

const at = (field: string) => `to_timestamp((j ->> '${field}')::float8 / 1000)`;
/** What checks do not tell; it stays where a fuller message about the job came before. */
const untold = ['created_at', 'runner_name', 'runner_group', 'labels', 'detail'];
const columns = [
  'repo_id',
  'run_id',
  'run_attempt',
  'name',
  'workflow_name',
  'status',
  'conclusion',
  'created_at',
  'started_at',
  'completed_at',
  'runner_name',
  'runner_group',
  'labels',
  'html_url',
  'steps',
  'stored_at',
  'detail',
];

/** How far a job is that has not ended, so that the order in which messages arrive does not matter. */
const progress = (row: string) => `(
  coalesce(array_position('{waiting,pending,queued,in_progress}'::text[], ${row}.status), 0),
  coalesce(${row}.started_at, '-infinity'), jsonb_array_length(${row}.steps), coalesce(${row}.runner_name, ''))`;

const upsert = `
  insert into workflow_jobs as stored (id, ${columns.join(', ')})
  select (j ->> 'id')::bigint, (j ->> 'repoId')::int, (j ->> 'runId')::bigint, (j ->> 'attempt')::int, j ->> 'name',
    j ->> 'workflowName', j ->> 'status', j ->> 'conclusion', ${at('createdAt')}, ${at('startedAt')},
    ${at('completedAt')}, j ->> 'runnerName', j ->> 'runnerGroup', j -> 'labels', j ->> 'htmlUrl', j -> 'steps',
    ${fromMs('$1')}, j ->> 'detail'
  from jsonb_array_elements($2::jsonb) j
  on conflict (id) do update set ${columns.map((column) => `${column} = ${newer(column)}`).join(', ')}
  where excluded.status = 'completed' and stored.status <> 'completed'
    or stored.status <> 'completed' and ${progress('excluded')} > ${progress('stored')}
    or stored.status = 'completed' and excluded.status = 'completed' and (
      excluded.detail = 'full' and stored.detail = 'times'
      or excluded.detail = stored.detail and jsonb_array_length(excluded.steps) > jsonb_array_length(stored.steps))`;

const fields = `
  id::float8, run_id::float8, run_attempt, name, workflow_name, status, conclusion, ${toMs('created_at')} as created_ms,
  ${toMs('started_at')} as started_ms, ${toMs('completed_at')} as completed_ms, runner_name, runner_group, labels,
  html_url, steps`;

const ofAttempt = `
  select ${fields} from workflow_jobs where run_id = $1::bigint and run_attempt = $2::int order by id`;

const readings = 'jsonb_to_recordset($1::jsonb) reading (run_id bigint, run_attempt int, detail text, ids bigint[])';

/** Where some of the jobs have been forgotten, nothing is told: all of them or none. */
const ofAttempts = `
  select run_id::float8, run_attempt, reading.detail, coalesce(kept.jobs, '[]') as jobs
  from jsonb_to_recordset($2::jsonb) asked (run_id bigint, run_attempt int)
  join job_readings reading using (run_id, run_attempt)
  join repos on repos.id = reading.repo_id and repos.codehost_repo_id = $1::bigint
  cross join lateral (
    select count(*) as count, jsonb_agg(to_jsonb(job) order by job.id) as jobs from (
      select ${fields} from workflow_jobs of_run
      where of_run.run_id = reading.run_id and of_run.run_attempt = reading.run_attempt) job
  ) kept
  where kept.count = reading.jobs`;

const keepOnly = `
  delete from workflow_jobs job using ${readings}
  where job.run_id = reading.run_id and job.run_attempt = reading.run_attempt and job.id <> all (reading.ids)`;

const putReadings = `
  insert into job_readings as stored (run_id, run_attempt, repo_id, detail, jobs, read_at)
  select run_id, run_attempt, $2::int, detail, cardinality(ids), ${fromMs('$3')} from ${readings}
  on conflict (run_id, run_attempt) do update
    set repo_id = excluded.repo_id, detail = excluded.detail, jobs = excluded.jobs, read_at = excluded.read_at
  where excluded.detail = 'full' or stored.detail = 'times'`;

interface ReadingRow {
  run_id: number;
  run_attempt: number;
  detail: JobDetail;
  jobs: JobRow[];
}

interface JobRow {
  id: number;
  run_id: number;
  run_attempt: number;
  name: string;
  workflow_name: string | null;
  status: string;
  conclusion: Conclusion | null;
  created_ms: number | null;
  started_ms: number | null;
  completed_ms: number | null;
  runner_name: string | null;
  runner_group: string | null;
  labels: string[];
  html_url: string;
  steps: JobStep[];
}

const toFact = (row: JobRow): WorkflowJob => ({
  id: row.id,
  runId: row.run_id,
  attempt: row.run_attempt,
  name: row.name,
  workflowName: row.workflow_name,
  status: row.status,
  conclusion: row.conclusion,
  createdAt: row.created_ms,
  startedAt: row.started_ms,
  completedAt: row.completed_ms,
  runnerName: row.runner_name,
  runnerGroup: row.runner_group,
  labels: row.labels,
  htmlUrl: row.html_url,
  steps: row.steps,
});
