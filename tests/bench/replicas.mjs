// What the shared limit of a session costs, and how soon one process knows what another one did: two processes of the
// built service on one PostgreSQL, many sessions, one kind of request.  node tests/bench/replicas.mjs [rounds] [seconds]
import { Pool } from 'undici';
import { startDouble } from '../codehost-double/double.ts';
import { createDatabase } from '../support/created-databases.ts';
import { findPrograms, startServer } from '../support/postgres.ts';
import { addressOf, median, signIn, startServed } from './served.mjs';

const connections = 16;
/** So many that none of them comes near its limit. */
const sessions = 400;
const path = '/api/auth/me';
let asked = 0;
const [rounds, seconds] = [Number(process.argv[2] ?? 5), Number(process.argv[3] ?? 2)];

const programs = findPrograms();
if (!programs) throw new Error('PostgreSQL is not installed here.');
const postgres = await startServer(programs);
const double = await startDouble();
const DATABASE_URL = await createDatabase(postgres.socket);
const start = (RATE_LIMIT_SESSION_PER_MINUTE) =>
  startServed({
    DATABASE_URL,
    RATE_LIMIT_SESSION_PER_MINUTE,
    TRUST_PROXY_HOPS: '1',
    CODEHOST_API_URL: double.url,
    CODEHOST_GRAPHQL_URL: double.graphqlUrl,
  });
const served = { off: [await start('0'), await start('0')], shared: [await start('600'), await start('600')] };
try {
  const cookies = [];
  for (let n = 0; n < sessions; n++) cookies.push(await signIn(served.off[0], 'token-ann', addressOf(n)));
  console.log(
    `${sessions} sessions, ${connections} connections, median of ${rounds} interleaved rounds of ${seconds} s`,
  );
  console.table(await compare(cookies));
  const { typical, longest } = await signOuts(cookies);
  console.log(`From signing out of one process until the other refuses: ${typical} ms, at most ${longest} ms`);
} finally {
  await Promise.all(
    Object.values(served)
      .flat()
      .map((one) => one.close()),
  );
  await double.close();
  await postgres.stop();
}

async function compare(cookies) {
  const turns = {
    'one process, no limit': served.off.slice(0, 1),
    'one process, shared limit': served.shared.slice(0, 1),
    'two processes, no limit': served.off,
    'two processes, shared limit': served.shared,
  };
  const loads = Object.fromEntries(Object.keys(turns).map((name) => [name, []]));
  for (let round = -1; round < rounds; round++)
    for (const [name, processes] of Object.entries(turns)) {
      const one = await load(processes, cookies, seconds * 1000);
      if (round >= 0) loads[name].push(one);
    }
  const rows = Object.entries(loads).map(([name, each]) => [
    name,
    {
      'requests/s': Math.round(median(each.map(({ rate }) => rate))),
      'processor µs a request': Math.round(median(each.map(({ processorUs }) => processorUs))),
    },
  ]);
  return Object.fromEntries(rows);
}

/** As many loops as there are connections, shared out among the processes. */
async function load(processes, cookies, ms) {
  const pools = processes.map(({ url }) => new Pool(url, { connections: connections / processes.length }));
  const processorMs = () => processes.reduce((sum, one) => sum + one.processorMs(), 0);
  const [from, before] = [performance.now(), processorMs()];
  let answered = 0;
  const loop = async (_, n) => {
    while (performance.now() - from < ms) {
      const headers = { cookie: cookies[asked++ % cookies.length] };
      const { statusCode, body } = await pools[n % pools.length].request({ path, method: 'GET', headers });
      await body.dump();
      if (statusCode !== 200) throw new Error(`${path}: ${statusCode}`);
      answered++;
    }
  };
  await Promise.all(Array.from({ length: connections }, loop));
  const rate = answered / ((performance.now() - from) / 1000);
  const processorUs = (1000 * (processorMs() - before)) / answered;
  for (const pool of pools) await pool.close();
  return { rate, processorUs };
}

async function signOuts(cookies) {
  const [here, there] = served.off;
  const waits = [];
  for (const cookie of cookies.slice(0, 100)) {
    await status(there, cookie);
    const ended = await fetch(`${here.url}/api/auth/setup`, {
      method: 'DELETE',
      headers: { cookie, origin: here.origin },
    });
    if (!ended.ok) throw new Error(await ended.text());
    const from = performance.now();
    while ((await status(there, cookie)) !== 401);
    waits.push(performance.now() - from);
  }
  return { typical: Math.round(median(waits)), longest: Math.round(Math.max(...waits)) };
}

async function status({ url }, cookie) {
  return (await fetch(`${url}${path}`, { headers: { cookie } })).status;
}
