// Figures of all workflows of an organization from stored runs and jobs, by the number of runs.
//   [RUNS=100000,1000000] [JOBS=4] [ROUNDS=5] node tests/bench/workflows.mjs
import pg from 'pg';
import { sumStoredJobs } from '../../migrations/Migration20261125012200_attempt_costs.ts';
import { priceChanges } from '../../server/metrics/cost/runner-prices.ts';
import { createDatabase } from '../support/created-databases.ts';
import { findPrograms, startServer } from '../support/postgres.ts';
import { median, openBench, print, timed, trackMade } from './made.mjs';

const sizes = (process.env.RUNS ?? '100000').split(',').map(Number);
const jobsOfRun = Number(process.env.JOBS ?? 4);
const rounds = Number(process.env.ROUNDS ?? 5);
const repositories = 200;
const now = Date.UTC(2026, 2, 2);
const window = (days) => ({ from: now - days * 86_400_000, to: now });

async function measure(url, runs) {
  const store = await openBench(url);
  const ids = [];
  for (let id = 1; id <= repositories; id++) ids.push(await trackMade(store, id));
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(facts, [runs, ids, new Date(now).toISOString()]);
  await client.query(attempts);
  await client.query(jobs, [jobsOfRun]);
  await client.query(sumStoredJobs);
  await client.query('vacuum analyze');
  await client.end();
  const { workflowFigures } = store;
  const options = { priceChanges, zone: 'Asia/Saigon', publicIds: ids.slice(0, 20) };
  const questions = {
    'figures, 30 d': () => workflowFigures.tally(ids, window(30)),
    'figures, 90 d': () => workflowFigures.tally(ids, window(90)),
    'days, 30 d': () => workflowFigures.days(ids, window(30), 'Asia/Saigon'),
    'flaky commits, 30 d': () => workflowFigures.flakiness(ids, window(30)),
    'cost, 30 d': () => workflowFigures.costs(ids, window(30), options),
    'cost, 90 d': () => workflowFigures.costs(ids, window(90), options),
    'cost of the largest repository, 30 d': () => workflowFigures.costs(ids.slice(0, 1), window(30), options),
  };
  const table = {};
  for (const [label, ask] of Object.entries(questions)) {
    const times = [];
    for (let round = 0; round < rounds; round++) times.push(await timed(ask));
    table[label] = { ms: Math.round(median(times)), least: Math.round(Math.min(...times)) };
  }
  print(`${runs} runs in 90 days, ${repositories} repositories, ${jobsOfRun} jobs of every other run`, table);
  await store.close();
}

const columns = `id, repo_id, run_attempt, workflow_id, workflow_name, run_number, event, status, conclusion, head_branch,
  head_sha, created_at, run_started_at, updated_at, completed_at, duration_ms, queue_wait_ms, synced_at`;

/** In the order of time, as they come; the first repositories have most of them. */
const facts = `
  insert into workflow_runs (${columns})
  select n, repo, 1 + (n % 50 = 0)::int, repo * 100 + n % 6, 'workflow ' || n % 6, n, 'push', 'completed',
    (array['success','success','success','success','failure','success','success','cancelled','success','skipped'])[1 + n % 10],
    'branch-' || n % 5000, md5((n / 3)::text) || '00000000', at, at + interval '20 s', at + interval '10 min',
    at + interval '10 min', 20000 + 1500000 * random() * random(), 60000 * random(), at
  from (select n, ($2::int[])[1 + floor(${repositories} * power(random(), 3))::int] as repo,
      $3::timestamptz - ($1::int - n) * (interval '90 days' / $1::int) as at
    from generate_series(1, $1::int) n) made`;
const attempts = `
  insert into workflow_run_attempts (${columns})
  select id, repo_id, 1, workflow_id, workflow_name, run_number, event, status, 'failure', head_branch, head_sha,
    created_at, run_started_at, updated_at, completed_at, duration_ms, queue_wait_ms, synced_at
  from workflow_runs where run_attempt = 2`;
const jobs = `
  insert into workflow_jobs (id, repo_id, run_id, run_attempt, name, workflow_name, status, conclusion, created_at,
    started_at, completed_at, runner_name, runner_group, labels, html_url, steps, stored_at, detail)
  select id * 100 + n, repo_id, id, run_attempt, 'job ' || n, workflow_name, 'completed', 'success', created_at,
    run_started_at, run_started_at + duration_ms * interval '1 ms', 'Hosted ' || n, 'GitHub Actions',
    case n when 1 then '["ubuntu-latest"]'::jsonb else '["ubuntu-24.04"]'::jsonb end, repeat('x', 60),
    (select jsonb_agg(jsonb_build_object('number', step, 'name', 'Step ' || step, 'status', 'completed',
      'conclusion', 'success', 'startedAt', 1700000000000, 'completedAt', 1700000000000)) from generate_series(1, 8) step),
    created_at, 'full'
  from workflow_runs cross join generate_series(1, $1::int) n where id % 2 = 0`;

const server = await startServer(findPrograms());
try {
  for (const runs of sizes) await measure(await createDatabase(server.socket), runs);
} finally {
  await server.stop();
}
