import { createLog } from '../../server/platform/log.ts';
import { openStore } from '../../server/store/orm.ts';

/** The same pseudo-random numbers every time. */
export function dice(seed = 1) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const endings = ['success', 'success', 'success', 'success', 'success', 'success', 'failure', 'cancelled', 'skipped'];
const minute = 60_000;

/** One completed run of an ordinary project. */
export function madeRun(id, createdAt, random) {
  const startedAt = createdAt + random(90) * 1000;
  const actor = { login: `person-${random(60)}`, avatarUrl: `https://avatars.test/u/${random(60)}`, isBot: false };
  const workflow = random(6);
  return {
    id,
    attempt: random(40) === 0 ? 2 : 1,
    workflowId: 9000 + workflow,
    workflowName: `workflow ${workflow}`,
    runNumber: id,
    displayTitle: null,
    event: ['push', 'pull_request', 'schedule'][random(3)],
    status: 'completed',
    conclusion: endings[random(endings.length)],
    headBranch: random(3) === 0 ? 'main' : `feature/change-${random(5000)}`,
    headSha: (random(2 ** 31) * 7919).toString(16).padStart(40, '0'),
    actor,
    triggeringActor: actor,
    createdAt,
    startedAt,
    updatedAt: startedAt + (20 + random(1500)) * 1000 + random(1000),
    htmlUrl: `https://codehost.test/bench/repo/actions/runs/${id}`,
  };
}

export const madeRuns = (count, random = dice(), first = Date.UTC(2026, 0, 1)) =>
  Array.from({ length: count }, (_, i) => madeRun(i + 1, first + i * 3 * minute, random));

export const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

export async function timed(work) {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

export function print(title, rows) {
  console.log(`\n${title}`);
  console.table(rows);
}

export const openBench = (url) =>
  openStore({ url, log: createLog('silent'), poolMax: 4, statementTimeoutMs: 600_000, migrate: true });

export const trackMade = (store, id) =>
  store.repositories.track(
    {
      id,
      owner: 'bench',
      repo: `repo-${id}`,
      description: null,
      htmlUrl: `https://codehost.test/bench/repo-${id}`,
      language: null,
      private: false,
      visibility: 'public',
      stars: 0,
      archived: false,
      fork: false,
      defaultBranch: 'main',
      ownerType: 'org',
      updatedAt: null,
      pushedAt: null,
    },
    'bench',
    Date.now(),
  );

/**
 * Brings repositories runs of the two years before an instant, the first of them most; every day is to be counted. Indexes
 * are made afterwards, which takes a third of the time.
 */
export async function fillRuns(client, { ids, runs, until }) {
  const indexes = await client.query(
    `select indexname, indexdef from pg_indexes where tablename = 'workflow_runs' and indexdef not like '%UNIQUE%'`,
  );
  for (const { indexname } of indexes.rows) await client.query(`drop index ${indexname}`);
  await client.query(facts, [runs, ids, until]);
  for (const { indexdef } of indexes.rows) await client.query(indexdef);
  await client.query('vacuum analyze workflow_runs');
  await client.query(
    'insert into dirty_day (repo_id, day) select distinct repo_id, created_at::date from workflow_runs',
  );
}

/** Their ids are none of the double's. */
const facts = `
  insert into workflow_runs (id, repo_id, run_attempt, workflow_id, workflow_name, run_number, event, status, conclusion,
    head_branch, head_sha, created_at, run_started_at, updated_at, completed_at, duration_ms, queue_wait_ms, synced_at)
  select n, ($2::int[])[1 + floor(cardinality($2::int[]) * power(random(), 3))::int], 1, n % 9, 'workflow ' || n % 9, n,
    'push', 'completed',
    (array['success','success','success','success','failure','success','success','cancelled','success','skipped'])[1 + n % 10],
    'main', md5(n::text) || '00000000', at, at, at, at, 20000 + 1500000 * random() * random(), 60000 * random(), at
  from (select n, $3::timestamptz - (random() * 730) * interval '1 day' as at
        from generate_series(1000000001, 1000000000 + $1::int) n) made`;
