// Ingest of runs against COPY into the same table on the same server.  node tests/bench/ingest.mjs [rows] [rounds]
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { createDatabase } from '../support/created-databases.ts';
import { findPrograms, startServer } from '../support/postgres.ts';
import { madeRuns, median, openBench, print, timed, trackMade } from './made.mjs';

const [rows = 50_000, rounds = 3] = process.argv.slice(2).map(Number);
const columns = `id, run_attempt, workflow_id, workflow_name, run_number, event, status, conclusion, head_branch, head_sha,
  actor_id, triggering_actor_id, created_at, run_started_at, updated_at, html_url, repo_id, completed_at, duration_ms,
  queue_wait_ms, synced_at`;
const runColumns = columns.split(/,\s+/);
const runs = madeRuns(rows);
const newer = runs.map((run) => ({ ...run, updatedAt: run.updatedAt + 1000 }));
const perSecond = (ms) => Math.round((rows / ms) * 1000);

const programs = findPrograms();
if (programs) {
  const server = await startServer(programs);
  try {
    await measure('PostgreSQL', () => createDatabase(server.socket), copyThroughDriver);
  } finally {
    await server.stop();
  }
}
await measure('embedded, in memory', async () => 'pglite://memory', copyInPglite);

async function measure(name, address, copy) {
  const times = { copy: [], first: [], again: [], newer: [] };
  for (let round = 0; round < rounds; round++) {
    const url = await address();
    const store = await openBench(url);
    const repo = await trackMade(store, 1);
    const ingest = (some) => timed(() => store.runs.ingest(repo, some, { syncedAt: Date.now() }));
    times.first.push(await ingest(runs));
    times.again.push(await ingest(runs));
    times.newer.push(await ingest(newer));
    await store.close();
    times.copy.push(await copy(await address()));
  }
  const limit = median(times.copy);
  const table = {};
  for (const [label, of] of [
    ['COPY into the same table (limit)', times.copy],
    ['first load', times.first],
    ['the same again', times.again],
    ['all newer', times.newer],
  ])
    table[label] = { 'rows/s': perSecond(median(of)), 'x limit': Number((limit / median(of)).toFixed(2)) };
  print(`${name}: ${rows} rows, median of ${rounds} rounds`, table);
}

function text() {
  const at = (instant) => new Date(instant).toISOString();
  const line = (run) => ({
    id: run.id,
    run_attempt: run.attempt,
    workflow_id: run.workflowId,
    workflow_name: run.workflowName,
    run_number: run.runNumber,
    event: run.event,
    status: run.status,
    conclusion: run.conclusion,
    head_branch: run.headBranch,
    head_sha: run.headSha,
    actor_id: run.id,
    triggering_actor_id: run.id,
    created_at: at(run.createdAt),
    run_started_at: at(run.startedAt),
    updated_at: at(run.updatedAt),
    html_url: '\\N',
    repo_id: 1,
    completed_at: at(run.updatedAt),
    duration_ms: run.updatedAt - run.startedAt,
    queue_wait_ms: run.startedAt - run.createdAt,
    synced_at: at(run.updatedAt),
  });
  return `${runs.map((run) => runColumns.map((column) => line(run)[column]).join('\t')).join('\n')}\n`;
}

async function copyThroughDriver(url) {
  await (await openBench(url)).close();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const bytes = Buffer.from(text());
  const took = await timed(
    () =>
      new Promise((resolve, reject) =>
        client.query({
          submit: (connection) => connection.query(`copy workflow_runs (${columns}) from stdin`),
          handleCopyInResponse(connection) {
            for (let at = 0; at < bytes.length; at += 65_536)
              connection.sendCopyFromChunk(bytes.subarray(at, at + 65_536));
            connection.endCopyFrom();
          },
          handleCommandComplete() {},
          handleError: reject,
          handleReadyForQuery: resolve,
        }),
      ),
  );
  await client.end();
  return took;
}

async function copyInPglite() {
  const database = await PGlite.create();
  const { migrations } = await import('../../migrations/list.ts');
  for (const { class: Migration } of migrations) {
    const migration = new Migration({}, { get: () => undefined });
    await migration.up();
    for (const statement of migration.getQueries()) await database.exec(statement);
  }
  const blob = new Blob([text()]);
  const took = await timed(() => database.query(`copy workflow_runs (${columns}) from '/dev/blob'`, [], { blob }));
  await database.close();
  return took;
}
