// People at work: a mix of pages and API requests, each person in a session of their own, beside a delivery of a new run
// every second, on PostgreSQL, answered by one process of the built service and by two. First everybody asks for something
// every ten seconds, then sixteen ask again as soon as they are answered.
//   npm install --no-save autocannon@9.0.0 && npx react-router build
//   node tests/bench/load.mjs [minutes] [people] [runs]
import { setInterval as every } from 'node:timers/promises';
import pg from 'pg';
import { startDouble } from '../codehost-double/double.ts';
import { namedWorld } from '../codehost-double/named-world.ts';
import { delivered, runEvent, webhookSecret } from '../codehost-double/webhook.ts';
import { latestRuns, repositoryOf } from '../codehost-double/world.ts';
import { createDatabase } from '../support/created-databases.ts';
import { findPrograms, startServer } from '../support/postgres.ts';
import { dice, fillRuns } from './made.mjs';
import { addressOf, signIn, startServed } from './served.mjs';

const [minutes = 10, people = 200, runs = 1_000_000] = process.argv.slice(2).map(Number);
const secondsBetweenRequests = 10;
/** So many ask at once where nobody pauses: more would only wait until they give up. */
const atOnce = 16;
/** Of the time of each number of processes; the rest is without pauses. */
const shareWithPauses = 0.8;

/** How many of a hundred requests are for what. */
const mix = [
  [25, '/'],
  [20, '/repos/octo/web'],
  [8, '/repos/octo/web/pull-requests'],
  [7, '/repos/octo/web/workflows/7001'],
  [8, '/ci'],
  [5, '/org/octo'],
  [5, '/reports'],
  [4, '/repositories'],
  [3, '/alerts'],
  [5, '/api/auth/me'],
  [4, '/api/db/trends?owner=octo&repo=web'],
  [4, '/api/db/trends?owner=octo&type=org&days=365'],
  [2, '/api/db/runs?owner=octo&repo=web'],
];
const paths = mix.flatMap(([share, path]) => Array(share).fill(path));

const { default: autocannon } = await import('autocannon').catch(() => {
  throw new Error('First: npm install --no-save autocannon@9.0.0');
});
const programs = findPrograms();
if (!programs) throw new Error('PostgreSQL is not installed here.');
const postgres = await startServer(programs);
const double = await startDouble();
const settings = {
  DATABASE_URL: await createDatabase(postgres.socket),
  CODEHOST_API_URL: double.url,
  CODEHOST_GRAPHQL_URL: double.graphqlUrl,
  CODEHOST_WEBHOOK_SECRET: webhookSecret,
  TRUST_PROXY_HOPS: '1',
};
const first = await startServed(settings);
const all = [first];
try {
  const cookies = [];
  for (let n = 0; n < people; n++) cookies.push(await signIn(first, 'token-ann', addressOf(n)));
  await store(first, cookies[0]);
  console.log(`${people} people, ${runs} runs, ${minutes} minutes`);
  console.table(await measure([first], cookies));
  all.push(await startServed(settings));
  console.table(await measure(all, cookies));
} finally {
  await Promise.all(all.map((one) => one.close()));
  await double.close();
  await postgres.stop();
}

/** Reads the organization, and brings its repositories many runs of two years. */
async function store({ url, origin }, cookie) {
  const synced = await fetch(`${url}/api/db/sync?org=octo`, { method: 'POST', headers: { cookie, origin } });
  if (!synced.ok) throw new Error(`The synchronization answered ${synced.status}: ${await synced.text()}`);
  const client = new pg.Client({ connectionString: settings.DATABASE_URL });
  // Otherwise a failure below would be hidden by the one of the ending server.
  client.on('error', () => {});
  await client.connect();
  const { rows } = await client.query('select id from repos where tracked order by id');
  await fillRuns(client, { ids: rows.map(({ id }) => id), runs, until: new Date().toISOString() });
  // The service counts the days by itself.
  for await (const _ of every(1000)) {
    const { rowCount } = await client.query('select from dirty_day limit 1');
    if (rowCount === 0) break;
  }
  await client.end();
}

async function measure(servers, cookies) {
  const stopping = new AbortController();
  const delivering = deliver(servers[0], stopping.signal);
  const watching = watchMemory(servers, stopping.signal);
  const seconds = (minutes * 60) / 2;
  const rate = Math.round(people / secondsBetweenRequests);
  const table = {
    [`a request every ${secondsBetweenRequests} s each`]: await load(servers, cookies, seconds * shareWithPauses, rate),
    'without pauses': await load(servers, cookies, seconds * (1 - shareWithPauses)),
  };
  stopping.abort();
  const memory = await watching;
  console.log(
    `${servers.length} process${servers.length > 1 ? 'es' : ''}, ${await delivering}; resident at the beginning, after the pauses, at most: ${memory}`,
  );
  return table;
}

/** The same number of people on each server. */
async function load(servers, cookies, seconds, rate) {
  const processorMs = () => servers.reduce((total, one) => total + one.processorMs(), 0);
  const before = processorMs();
  const results = await Promise.all(
    servers.map(({ url }, index) => {
      const own = cookies.filter((_, n) => n % servers.length === index);
      let connection = 0;
      return autocannon({
        url,
        connections: rate ? own.length : atOnce / servers.length,
        duration: Math.round(seconds),
        ...(rate && { overallRate: Math.round(rate / servers.length) }),
        setupClient: (client) => client.setRequests(requestsOf(own, connection++)),
      });
    }),
  );
  const sum = (key) => results.reduce((total, result) => total + key(result), 0);
  const worst = (key) => Math.max(...results.map(key));
  const answered = sum(({ requests }) => requests.total);
  return {
    'processor ms each': Math.round((processorMs() - before) / answered),
    'requests/s': Number(sum(({ requests }) => requests.average).toFixed(1)),
    'p50 ms': worst(({ latency }) => latency.p50),
    'p97.5 ms': worst(({ latency }) => latency.p97_5),
    'p99 ms': worst(({ latency }) => latency.p99),
    'max ms': worst(({ latency }) => latency.max),
    'not 200': sum((result) => result.non2xx),
    errors: sum((result) => result.errors),
  };
}

/** What one connection asks for, again and again: of several people, in any order. */
function requestsOf(cookies, connection) {
  const random = dice(connection + 1);
  return Array.from({ length: 200 }, () => ({
    path: paths[random(paths.length)],
    headers: { cookie: cookies[random(cookies.length)], 'accept-encoding': 'gzip' },
  }));
}

/** Answers how many deliveries were taken, and how many not. */
async function deliver({ url }, signal) {
  const repository = repositoryOf(namedWorld(), 'octo/web');
  const [run] = latestRuns(repository);
  const count = { taken: 0, refused: 0 };
  for await (const _ of untilAborted(signal)) {
    const id = 20_000_000_000 + Date.now();
    const now = Date.now();
    const event = runEvent(repository, { ...run, id, createdAt: now, startedAt: now, updatedAt: now });
    const { body, headers } = delivered(event);
    const answer = await fetch(`${url}/api/webhooks/codehost`, { method: 'POST', headers, body });
    count[answer.ok ? 'taken' : 'refused']++;
  }
  return `deliveries: ${count.taken} taken, ${count.refused} refused`;
}

async function watchMemory(servers, signal) {
  const seen = servers.map((one) => [one.residentMb()]);
  for await (const _ of untilAborted(signal)) for (const [n, one] of servers.entries()) seen[n].push(one.residentMb());
  const place = (values) => values[Math.floor(values.length * shareWithPauses) - 1] ?? values.at(-1);
  return seen.map((values) => `${values[0]}, ${place(values)}, ${Math.max(...values)} MB`).join('; ');
}

async function* untilAborted(signal) {
  try {
    yield* every(1000, undefined, { signal });
  } catch (error) {
    if (error.name !== 'AbortError') throw error;
  }
}
