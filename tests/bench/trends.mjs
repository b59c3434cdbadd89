// Trends, totals and deep pages against bare prepared statements.  node tests/bench/trends.mjs [runs] [rounds]
import pg from 'pg';
import { createDatabase, findPrograms, startServer } from '../support/postgres.ts';
import { median, openBench, print, timed, trackMade } from './made.mjs';

const [runs = 1_000_000, rounds = 25] = process.argv.slice(2).map(Number);
const repositories = 200;
const today = '2026-03-01';
const window = (days) => ({ from: daysBefore(days - 1), to: today, timezone: 'UTC' });
const daysBefore = (days) => new Date(Date.parse(today) - days * 86_400_000).toISOString().slice(0, 10);

async function measure(url) {
  const store = await openBench(url);
  const client = new pg.Client({ connectionString: url });
  // Otherwise a failure below would be hidden by the one of the ending server.
  client.on('error', () => {});
  await client.connect();
  const ids = [];
  for (let id = 1; id <= repositories; id++) ids.push(await trackMade(store, id));
  await client.query(facts, [runs, ids]);
  await client.query('vacuum analyze workflow_runs');
  await client.query(
    'insert into dirty_day (repo_id, day) select distinct repo_id, created_at::date from workflow_runs',
  );
  const recompute = await timed(() => store.runs.recomputeDirty());
  await client.query('vacuum analyze');
  await client.query('insert into dirty_day (repo_id, day) select unnest($1::int[]), $2::date', [ids, today]);
  const largest = ids[0];
  const total = (await store.runs.page({ repoId: largest, limit: 1, offset: 0 })).total;
  console.log(
    `${runs} runs, ${repositories} repositories, the largest has ${total}; all days made in ${Math.round(recompute)} ms`,
  );
  const deep = Math.floor(total * 0.95);
  const page = (more) => store.runs.page({ repoId: largest, limit: 200, ...more });
  const table = {};
  for (const [label, ours, bare] of [
    ['daily 90 d, largest repository', () => store.trends.daily([largest], window(90)), [day, [[largest], 90]]],
    ['daily 365 d, largest repository', () => store.trends.daily([largest], window(365)), [day, [[largest], 365]]],
    ['quarterly, 6 quarters', () => store.trends.quarterly([largest], window(540)), [day, [[largest], 540]]],
    ['organization 90 d', () => store.trends.daily(ids, window(90)), [day, [ids, 90]]],
    ['organization 365 d', () => store.trends.daily(ids, window(365)), [day, [ids, 365]]],
    ['runs, first page of 200', () => page({ offset: 0 }), [keyset, [largest, null, 0]]],
    ['runs, at 95 %', () => page({ offset: deep }), [keyset, [largest, '2024-04-10', 0]]],
    ['runs, at 95 %, against plain offset', () => page({ offset: deep }), [keyset, [largest, null, deep]]],
    ['failures, first page', () => page({ offset: 0, conclusion: 'failure' }), [failures, [largest]]],
  ]) {
    const prepared = () => client.query({ name: bare[0].slice(0, 40), text: bare[0], values: bare[1] });
    const [a, b] = [[], []];
    for (let round = 0; round < rounds; round++) {
      a.push(await timed(ours));
      b.push(await timed(prepared));
    }
    table[label] = { ms: round2(median(a)), 'bare ms': round2(median(b)), 'x bare': round2(median(a) / median(b)) };
  }
  print(`median of ${rounds} rounds`, table);
  await client.end();
  await store.close();
}

const round2 = (value) => Math.round(value * 100) / 100;

/** Two years; the first repositories have most of the runs. */
const facts = `
  insert into workflow_runs (id, repo_id, run_attempt, workflow_id, workflow_name, run_number, event, status, conclusion,
    head_branch, head_sha, created_at, run_started_at, updated_at, completed_at, duration_ms, queue_wait_ms, synced_at)
  select n, ($2::int[])[1 + floor(200 * power(random(), 3))::int], 1, n % 9, 'workflow ' || n % 9, n, 'push', 'completed',
    (array['success','success','success','success','failure','success','success','cancelled','success','skipped'])[1 + n % 10],
    'main', md5(n::text) || '00000000', at, at, at, at, 20000 + 1500000 * random() * random(), 60000 * random(), at
  from (select n, '${today}'::timestamptz + interval '1 day' - (random() * 730) * interval '1 day' as at
        from generate_series(1, $1::int) n) made`;

const day = `/* days */ select day, sum(total), sum(success), sum(failure), sum(duration_sum), sum(duration_n), max(p95_ms)
  from repo_day where repo_id = any($1::int[]) and day > '${today}'::date - $2::int group by day order by day`;
const keyset = `/* keyset */ select * from workflow_runs where repo_id = $1::int and created_at < coalesce($2::timestamptz, 'infinity')
  order by created_at desc, id desc offset $3::int limit 200`;
const failures = `/* failures */ select * from workflow_runs where repo_id = $1::int and conclusion = 'failure'
  order by created_at desc, id desc limit 200`;

const server = await startServer(findPrograms());
try {
  await measure(await createDatabase(server.socket));
} finally {
  await server.stop();
}
