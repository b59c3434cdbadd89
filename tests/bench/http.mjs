// Requests a second of the built service against a bare server that gives the same bytes, in turns, each in a process
// of its own.  node tests/bench/http.mjs [rounds] [seconds] [connections] [part of a name]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Pool } from 'undici';
import { startDouble } from '../codehost-double/double.ts';
import { createDatabase } from '../support/created-databases.ts';
import { findPrograms, startServer } from '../support/postgres.ts';
import { median, signIn, startServed } from './served.mjs';

const connections = Number(process.argv[4] ?? 16);

/** What is asked again and again while nothing changes; "known" by a caller who has the answer. */
const requests = [
  ['JSON with session and access check', '/api/auth/me'],
  ['stored trends of a repository', '/api/db/trends?owner=octo&repo=web'],
  ['stored trends, known', '/api/db/trends?owner=octo&repo=web', 304],
  ['stored trends of an organization, 365 days', '/api/db/trends?owner=octo&type=org&days=365'],
  ['stored runs', '/api/db/runs?owner=octo&repo=web'],
  ['overview of an organization', '/api/db/overview?org=octo'],
  ['pull requests of an organization', '/api/db/pull-requests?org=octo'],
  ['deployments of an organization', '/api/db/deployments?org=octo'],
  ['merge queues of an organization', '/api/codehost/org-merge-queues?org=octo'],
  ['workflows of an organization', '/api/db/workflows?org=octo'],
  ['health of a workflow', '/api/codehost/workflow-health?owner=octo&repo=web&workflow_id=7001'],
  ['reliability of a workflow', '/api/codehost/workflow-reliability?owner=octo&repo=web&workflow_id=7001'],
  ['contributors of a repository', '/api/codehost/repo-contributors?owner=octo&repo=web'],
  ['page of a repository', '/repos/octo/web'],
  ['page of the demo', '/demo'],
  ['page of a repository of the demo', '/demo/repos/lumen-harbor/tidewater-web'],
  ['page of its pull requests', '/demo/repos/lumen-harbor/tidewater-web/pull-requests'],
];

if (process.argv[2] === 'bare') serveBare();
else await compare(Number(process.argv[2] ?? 5), Number(process.argv[3] ?? 2));

/** Answers every request with what it was sent to answer. */
function serveBare() {
  process.once('message', ({ status, headers, body }) => {
    const bytes = Buffer.from(body, 'base64');
    const server = createServer((request, response) => {
      request.resume();
      response.writeHead(status, headers).end(bytes);
    });
    server.listen(0, '127.0.0.1', () => process.send(server.address().port));
  });
}

async function compare(rounds, seconds) {
  console.log(`${connections} connections, median of ${rounds} interleaved rounds of ${seconds} s`);
  const programs = findPrograms();
  const server = programs && (await startServer(programs));
  try {
    if (server) await compareOn('PostgreSQL', { DATABASE_URL: await createDatabase(server.socket) }, rounds, seconds);
    await compareOn('embedded', {}, rounds, seconds);
  } finally {
    await server?.stop();
  }
}

async function compareOn(name, env, rounds, seconds) {
  const double = await startDouble();
  const served = await startServed({ CODEHOST_API_URL: double.url, CODEHOST_GRAPHQL_URL: double.graphqlUrl, ...env });
  try {
    const cookie = await signIn(served, 'token-ann');
    const headers = { cookie, origin: served.origin };
    const synced = await fetch(`${served.url}/api/db/sync?org=octo`, { method: 'POST', headers });
    if (!synced.ok) throw new Error(`The synchronization answered ${synced.status}: ${await synced.text()}`);
    const table = {};
    for (const [label, path, status = 200] of requests.filter(([label]) => label.includes(process.argv[5] ?? '')))
      table[label] = await measure(served.url, { path, cookie, status }, rounds, seconds * 1000);
    console.log(name);
    console.table(table);
  } finally {
    await served.close();
    await double.close();
  }
}

async function measure(url, { path, cookie, status }, rounds, ms) {
  const answer = await fetch(`${url}${path}`, { headers: { cookie, 'accept-encoding': 'identity' } });
  const body = Buffer.from(await answer.arrayBuffer());
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
  const bare = fork(import.meta.filename, ['bare']);
  const dropped = new Set(['transfer-encoding', 'connection', 'keep-alive', 'date', 'content-length']);
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => !dropped.has(name)));
  const sent = status === 304 ? Buffer.alloc(0) : body;
  bare.send({ status, headers: { ...headers, 'content-length': String(sent.length) }, body: sent.toString('base64') });
  const [port] = await once(bare, 'message');
  const rates = { ours: [], bare: [] };
  const turns = { ours: new Pool(url, { connections }), bare: new Pool(`http://127.0.0.1:${port}`, { connections }) };
  const asked = { cookie, 'if-none-match': status === 304 ? answer.headers.get('etag') : '' };
  for (const turn of Object.values(turns)) await load(turn, path, asked, ms / 2, status);
  for (let round = 0; round < rounds; round++)
    for (const [name, pool] of Object.entries(turns)) rates[name].push(await load(pool, path, asked, ms, status));
  for (const pool of Object.values(turns)) await pool.close();
  bare.kill();
  const [ours, limit] = [median(rates.ours), median(rates.bare)];
  return {
    bytes: sent.length,
    'ours/s': Math.round(ours),
    'bare/s': Math.round(limit),
    'ours / bare': Number((ours / limit).toFixed(3)),
  };
}

/** Requests a second of as many loops as there are connections. */
async function load(pool, path, headers, ms, status) {
  const from = performance.now();
  let answered = 0;
  const loop = async () => {
    while (performance.now() - from < ms) {
      const { statusCode, body } = await pool.request({ path, method: 'GET', headers });
      await body.dump();
      if (statusCode !== status) throw new Error(`${path}: ${statusCode}`);
      answered++;
    }
  };
  await Promise.all(Array.from({ length: connections }, loop));
  return answered / ((performance.now() - from) / 1000);
}
