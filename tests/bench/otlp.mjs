// Traces a second from stored runs of 8 jobs and 6 steps to a receiver that takes everything, by the built service on
// PostgreSQL with nothing else to do; then what memory as many take above rest, and what they make of a page that is
// visited twenty times a second, without export and with it.
//   npx react-router build && node tests/bench/otlp.mjs [attempts]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase } from '../support/created-databases.ts';
import { findPrograms, startServer } from '../support/postgres.ts';
import { dice, madeRun, openBench, print, trackMade } from './made.mjs';
import { startServed } from './served.mjs';

const [jobs, steps] = [8, 6];
/** The attempt, its jobs with their waits, and their steps. */
const spansOfAttempt = 1 + 2 * jobs + jobs * steps;
const codehostId = 4711;
const quietMs = 15_000;
const pausedMs = 15 * 60_000;

if (process.argv[2] === 'receiver') takeEverything();
else await measure(Number(process.argv[2] ?? 5000));

function takeEverything() {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200).end());
  });
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
  process.once('disconnect', () => process.exit());
}

async function measure(attempts) {
  const programs = findPrograms();
  if (!programs) throw new Error('PostgreSQL is missing.');
  const postgres = await startServer(programs);
  const receiver = fork(import.meta.filename, ['receiver']);
  const [port] = await once(receiver, 'message');
  const url = await createDatabase(postgres.socket);
  const store = await openBench(url);
  const endpoint = `http://127.0.0.1:${port}`;
  const served = await startServed({ DATABASE_URL: url, OTLP_ALLOWED_HOSTS: '127.0.0.1' });
  try {
    const destination = toDestination(endpoint);
    const by = { actor: { id: null, login: 'bench' }, requestId: null, now: Date.now() };
    const id = await store.otlpDestinations.create(destination, 5, by);
    const repoId = await trackMade(store, codehostId);
    let stored = 0;
    /** Stores attempts while the destination waits, and answers what is found while they are sent. */
    const send = async (watching) => {
      const pause = { message: 'Attempts are being stored.', retryAfterMs: pausedMs };
      await store.otlpDestinations.pause(id, pause, Date.now());
      await storeAttempts(store, repoId, { first: stored + 1, attempts });
      stored += attempts;
      await store.otlpDestinations.update(id, destination, by);
      return watching(() => drained(store, id, stored * spansOfAttempt));
    };
    const alone = await send(async (sent) => {
      const [before, from] = [served.processorMs(), performance.now()];
      await sent();
      return { processorMs: served.processorMs() - before, seconds: (performance.now() - from) / 1000 };
    });
    await watch(served, () => sleep(quietMs / 3));
    const rest = await watch(served, () => sleep(quietMs));
    const busy = await send((sent) => watch(served, sent));
    print(`${attempts} attempts of ${spansOfAttempt} spans`, {
      'attempts/s': Math.round(attempts / alone.seconds),
      'attempts per second of processor time': Math.round((1000 * attempts) / alone.processorMs),
      'memory above rest, MB': busy.megabytes - rest.megabytes,
      'page p95 without export, ms': Math.round(rest.p95),
      'with export, times': Number((busy.p95 / rest.p95).toFixed(2)),
    });
  } finally {
    await served.close();
    await store.close();
    receiver.kill();
    await postgres.stop();
  }
}

/** The p95 of a page, and the most memory, while something happens. */
async function watch(served, work) {
  const took = [];
  let megabytes = 0;
  let isOver = false;
  const visit = async () => {
    while (!isOver) {
      const from = performance.now();
      await (await fetch(`${served.url}/demo`)).text();
      took.push(performance.now() - from);
      megabytes = Math.max(megabytes, served.residentMb());
      await sleep(50);
    }
  };
  const visits = visit();
  await work();
  isOver = true;
  await visits;
  return { p95: took.toSorted((a, b) => a - b)[Math.floor(took.length * 0.95)], megabytes };
}

function toDestination(endpoint) {
  const options = {
    protocol: 'http/protobuf',
    compression: 'gzip',
    owners: [],
    repos: [],
    workflows: [],
    only_default_branch: false,
    sample_ratio: 1,
    include_actor: false,
    service_name: '{owner}/{repo}',
    fetch_jobs: false,
    parallel: 1,
    host: 'codehost.test',
  };
  return { name: 'Receiver', endpoint, enabled: true, options };
}

/** As they are read by a synchronization of two minutes ago, so that all are due. */
async function storeAttempts(store, repoId, { first, attempts }) {
  const repository = await store.repositories.find({ id: codehostId });
  const random = dice();
  const syncedAt = Date.now() - 120_000;
  const runs = Array.from({ length: attempts }, (_, index) => ({
    ...madeRun(first + index, syncedAt - 3_600_000, random),
    attempt: 1,
    updatedAt: syncedAt,
  }));
  const given = { ...repository, id: codehostId, htmlUrl: `https://codehost.test/bench/repo-${codehostId}` };
  for (let start = 0; start < attempts; start += 500) {
    const some = runs.slice(start, start + 500);
    await store.jobs.attempts.store(
      given,
      some.map((run) => ({ runId: run.id, attempt: 1, detail: 'full', jobs: madeJobs(run) })),
      syncedAt,
    );
    await store.runs.ingest(repoId, some, { syncedAt });
  }
}

function madeJobs(run) {
  return Array.from({ length: jobs }, (_, index) => {
    const startedAt = run.createdAt + 5000;
    return {
      id: run.id * 100 + index,
      runId: run.id,
      attempt: 1,
      name: `test (${index})`,
      workflowName: run.workflowName,
      status: 'completed',
      conclusion: 'success',
      createdAt: run.createdAt,
      startedAt,
      completedAt: startedAt + 60_000,
      runnerName: `runner-${index}`,
      runnerGroup: 'Default',
      labels: ['ubuntu-latest'],
      htmlUrl: `${run.htmlUrl}/job/${run.id * 100 + index}`,
      steps: Array.from({ length: steps }, (_step, number) => ({
        number: number + 1,
        name: `Step ${number + 1}`,
        status: 'completed',
        conclusion: 'success',
        startedAt: startedAt + number * 10_000,
        completedAt: startedAt + (number + 1) * 10_000,
      })),
    };
  });
}

async function drained(store, id, spans) {
  while ((await store.otlpDestinations.find(id)).accepted < spans) await sleep(100);
}
