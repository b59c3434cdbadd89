// Trends, totals and deep pages against bare statements, and how they grow with the number of runs.
//   [RUNS=1000000,10000000] [EMBEDDED=1000000] [ROUNDS=25] node tests/bench/trends.mjs
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createLog } from '../../server/platform/log.ts';
import { connect } from '../../server/store/connection.ts';
import { toDatabase } from '../../server/store/database.ts';
import { migrate } from '../../server/store/migrate.ts';
import { createStore } from '../../server/store/orm.ts';
import { createDatabase } from '../support/created-databases.ts';
import { findPrograms, startServer } from '../support/postgres.ts';
import { fillRuns, median, print, timed, trackMade } from './made.mjs';

const sizes = (name, fallback) => (process.env[name] ?? fallback).split(',').filter(Boolean).map(Number);
const rounds = Number(process.env.ROUNDS ?? 25);
const repositories = 200;
const today = '2026-03-01';
const window = (days) => ({ from: daysBefore(days - 1), to: today, timezone: 'UTC' });
const daysBefore = (days) => new Date(Date.parse(today) - days * 86_400_000).toISOString().slice(0, 10);

/** Answers the median of each question in milliseconds, when nothing is behind. */
async function measure(name, url, runs) {
  const connection = await connect({ url, log: createLog('silent'), poolMax: 4, statementTimeoutMs: 3_600_000 });
  await migrate(connection.orm);
  const database = toDatabase(connection.orm);
  const store = createStore(database, createLog('silent'), connection.close);
  const bare = await bareClient(url, database);
  const ids = [];
  for (let id = 1; id <= repositories; id++) ids.push(await trackMade(store, id));
  const filling = await timed(() => fillRuns(bare, { ids, runs, until: `${today}T24:00:00Z` }));
  const recompute = await timed(() => store.runs.recomputeDirty());
  await bare.query('vacuum analyze');
  await bare.query('checkpoint');
  const total = (await store.runs.page({ repoId: ids[0], limit: 1, offset: 0 })).total;
  console.log(
    `${name}: ${runs} runs made in ${seconds(filling)}, ${repositories} repositories, the largest has ${total}; all days made in ${seconds(recompute)}`,
  );
  const clean = await compare(`${name}, ${runs} runs, nothing is behind`, await questions(store, ids, total), bare);
  await bare.query('insert into dirty_day (repo_id, day) select unnest($1::int[]), $2::date', [ids, today]);
  const title = `${name}, ${runs} runs, today of every repository is behind`;
  await compare(title, await questions(store, ids, total), bare);
  await purgeMonth(store, bare, runs);
  await bare.end();
  await store.close();
  return clean;
}

/** What a run takes on the disk, and what it takes to delete the oldest month of them; its days stay. */
async function purgeMonth(store, bare, runs) {
  const { rows } = await bare.query(
    `select pg_total_relation_size('workflow_runs')::float8 as runs, pg_total_relation_size('repo_day')::float8 as days,
       (select count(*) from repo_day)::float8 as count`,
  );
  const [{ runs: bytes, days, count }] = rows;
  let gone = 0;
  const took = await timed(async () => {
    const purged = await store.purge(Date.parse(today), { runDays: 699, mayContinue: () => true });
    gone = purged.rows.workflow_runs;
  });
  console.log(
    `a run takes ${Math.round(bytes / runs)} bytes with its indexes, a day of a repository ${Math.round(days / count)}; ` +
      `the oldest ${gone} runs purged in ${seconds(took)}, pauses included`,
  );
}

/** A connection of its own to a server, with prepared statements; the embedded database has only the one there is. */
async function bareClient(url, database) {
  if (url.startsWith('pglite:')) {
    const query = async (text, values = []) => ({ rows: await database.query(text, values) });
    return { query, prepared: query, end: async () => {} };
  }
  const client = new pg.Client({ connectionString: url });
  // Otherwise a failure below would be hidden by the one of the ending server.
  client.on('error', () => {});
  await client.connect();
  return {
    query: (text, values) => client.query(text, values),
    prepared: (text, values) => client.query({ name: text.slice(0, 12), text, values }),
    end: () => client.end(),
  };
}

async function questions(store, ids, total) {
  const [largest] = ids;
  const deep = Math.floor(total * 0.95);
  const { runs: marker } = await store.runs.page({ repoId: largest, limit: 1, offset: deep });
  const from = new Date(marker[0].createdAt).toISOString();
  const page = (more) => () => store.runs.page({ repoId: largest, limit: 200, ...more });
  const daily = (repoIds, days) => () => store.trends.daily(repoIds, window(days));
  const quarterly = (repoIds, days) => () => store.trends.quarterly(repoIds, window(days));
  const most = ids.slice(5);
  const half = ids.filter((_, index) => index % 2 === 0);
  return [
    ['daily 90 d, largest repository', daily([largest], 90), [day, [[largest], 90]]],
    ['daily 365 d, largest repository', daily([largest], 365), [day, [[largest], 365]]],
    ['quarters with percentiles, 365 d, largest', quarterly([largest], 365), [day, [[largest], 365]]],
    ['organization 90 d', daily(ids, 90), [orgDay, [90]]],
    ['organization 365 d', daily(ids, 365), [orgDay, [365]]],
    ['organization 365 d, summed by repository', daily(ids, 365), [day, [ids, 365]]],
    ['organization 365 d, without the 5 largest', daily(most, 365), [day, [most, 365]]],
    ['organization 365 d, every other repository', daily(half, 365), [day, [half, 365]]],
    ['organization, quarters of 540 d', quarterly(ids, 540), [orgDay, [540]]],
    ['organization, coverage', () => store.trends.coverage(ids), [orgDay, [1]]],
    ['runs, first page of 200', page({ offset: 0 }), [keyset, [largest, null, 0]]],
    ['runs, at 95 %', page({ offset: deep }), [keyset, [largest, from, 0]]],
    ['runs, at 95 %, against plain offset', page({ offset: deep }), [keyset, [largest, null, deep]]],
    ['runs, total', page({ offset: 0, limit: 1 }), [count, [largest]]],
    ['failures, first page', page({ offset: 0, conclusion: 'failure' }), [failures, [largest]]],
  ];
}

async function compare(title, cases, bare) {
  const table = {};
  for (const [label, ours, [text, values]] of cases) {
    const prepared = () => bare.prepared(text, values);
    const [a, b] = [[], []];
    // A slow one needs fewer rounds.
    for (const end = performance.now() + 20_000; a.length < rounds && (a.length < 3 || performance.now() < end); ) {
      a.push(await timed(ours));
      b.push(await timed(prepared));
    }
    table[label] = {
      ms: round2(median(a)),
      least: round2(Math.min(...a)),
      'bare ms': round2(median(b)),
      'x bare': round2(median(a) / median(b)),
    };
  }
  print(`median of at most ${rounds} rounds, ${title}`, table);
  return table;
}

/** Each question against itself in the first size. */
function printGrowth(name, measured) {
  const [[least, first], ...others] = measured;
  for (const [runs, table] of others) {
    const growth = Object.entries(table).map(([label, { ms }]) => [
      label,
      { [`ms at ${least}`]: first[label].ms, [`ms at ${runs}`]: ms, growth: round2(ms / first[label].ms) },
    ]);
    print(`${name}: ${runs / least} times the runs`, Object.fromEntries(growth));
  }
}

const round2 = (value) => Math.round(value * 100) / 100;
const seconds = (ms) => `${round2(ms / 1000)} s`;

const sums = `select day, sum(total), sum(success), sum(failure), sum(duration_sum), sum(duration_n), sum(queue_sum)`;
const day = `/* days */ ${sums} from repo_day
  where repo_id = any($1::int[]) and day > '${today}'::date - $2::int group by day order by day`;
const orgDay = `/* org days */ ${sums} from org_day
  where owner_key = 'bench' and day > '${today}'::date - $1::int group by day order by day`;
const keyset = `/* keyset */ select * from workflow_runs where repo_id = $1::int and created_at < coalesce($2::timestamptz, 'infinity')
  order by created_at desc, id desc offset $3::int limit 200`;
const count = `/* total */ select count(*) from workflow_runs where repo_id = $1::int`;
const failures = `/* failures */ select * from workflow_runs where repo_id = $1::int and conclusion = 'failure'
  order by created_at desc, id desc limit 200`;

const wanted = sizes('RUNS', process.env.EMBEDDED ? '' : '1000000');
if (wanted.length > 0) {
  const server = await startServer(findPrograms());
  try {
    const measured = [];
    for (const runs of wanted)
      measured.push([runs, await measure('PostgreSQL', await createDatabase(server.socket), runs)]);
    printGrowth('PostgreSQL', measured);
  } finally {
    await server.stop();
  }
}
const embedded = [];
for (const runs of sizes('EMBEDDED', '')) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  try {
    embedded.push([runs, await measure('embedded', `pglite://${folder}/db`, runs)]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
if (embedded.length > 0) printGrowth('embedded', embedded);
