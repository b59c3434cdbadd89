import type { Conclusion, Instant, JobStep, WorkflowJob } from '../metrics/facts.ts';
import type { Database } from './database.ts';

/** Jobs of run attempts that somebody looked at or that an event brought. */
export function workflowJobs(database: Database) {
  return {
    /** Keeps jobs. What is further along stays: a late message about an earlier state changes nothing. */
    async put(repoId: number, jobs: readonly WorkflowJob[], storedAt: Instant): Promise<void> {
      const distinct = [...new Map(jobs.map((job) => [job.id, job])).values()].sort((a, b) => a.id - b.id);
      if (distinct.length > 0) await database.query(upsert, [repoId, storedAt, JSON.stringify(distinct)]);
    },
    /** The jobs known of one attempt, in the order they were made. */
    async of(runId: number, attempt: number): Promise<WorkflowJob[]> {
      return (await database.query<JobRow>(ofAttempt, [runId, attempt])).map(toFact);
    },
  };
}

const at = (field: string) => `to_timestamp((j ->> '${field}')::float8 / 1000)`;
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
];

const upsert = `
  insert into workflow_jobs as stored (id, ${columns.join(', ')})
  select (j ->> 'id')::bigint, $1::int, (j ->> 'runId')::bigint, (j ->> 'attempt')::int, j ->> 'name',
    j ->> 'workflowName', j ->> 'status', j ->> 'conclusion', ${at('createdAt')}, ${at('startedAt')},
    ${at('completedAt')}, j ->> 'runnerName', j ->> 'runnerGroup', j -> 'labels', j ->> 'htmlUrl', j -> 'steps',
    to_timestamp($2::float8 / 1000)
  from jsonb_array_elements($3::jsonb) j
  on conflict (id) do update set ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}
  where excluded.status = 'completed' and stored.status <> 'completed'
    or stored.status <> 'completed' and coalesce(excluded.started_at, '-infinity') >= coalesce(stored.started_at, '-infinity')
    or stored.status = 'completed' and excluded.status = 'completed'
      and jsonb_array_length(excluded.steps) > jsonb_array_length(stored.steps)`;

const ms = (column: string) => `date_part('epoch', ${column}) * 1000`;

const ofAttempt = `
  select id::float8, run_id::float8, run_attempt, name, workflow_name, status, conclusion, ${ms('created_at')} as created_ms,
    ${ms('started_at')} as started_ms, ${ms('completed_at')} as completed_ms, runner_name, runner_group, labels, html_url,
    steps
  from workflow_jobs where run_id = $1::bigint and run_attempt = $2::int order by id`;

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
  createdAt: rounded(row.created_ms),
  startedAt: rounded(row.started_ms),
  completedAt: rounded(row.completed_ms),
  runnerName: row.runner_name,
  runnerGroup: row.runner_group,
  labels: row.labels,
  htmlUrl: row.html_url,
  steps: row.steps,
});

const rounded = (value: number | null) => (value === null ? null : Math.round(value));
