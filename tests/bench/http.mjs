// Requests a second of the built service against a bare server that gives the same bytes, in turns, each in a process
// of its own.  node tests/bench/http.mjs [rounds] [seconds]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Pool } from 'undici';
import { startDouble } from '../codehost-double/double.ts';
import { median, signIn, startServed } from './served.mjs';

const connections = 16;

if (process.argv[2] === 'bare') serveBare();
else await compare(Number(process.argv[2] ?? 5), Number(process.argv[3] ?? 2));

/** Answers every request with what it was sent to answer. */
function serveBare() {
  process.once('message', ({ headers, body }) => {
    const bytes = Buffer.from(body, 'base64');
    const server = createServer((request, response) => {
      request.resume();
      response.writeHead(200, headers).end(bytes);
    });
    server.listen(0, '127.0.0.1', () => process.send(server.address().port));
  });
}

async function compare(rounds, seconds) {
  const double = await startDouble();
  const served = await startServed({ CODEHOST_API_URL: double.url, CODEHOST_GRAPHQL_URL: double.graphqlUrl });
  try {
    const cookie = await signIn(served, 'token-ann');
    const table = {};
    for (const [label, path] of [
      ['JSON with session and access check', '/api/auth/me'],
      ['page with session and kept answers', '/repos/octo/web'],
      ['page of the demo', '/demo'],
    ])
      table[label] = await measure(served.url, path, cookie, rounds, seconds * 1000);
    console.log(`${connections} connections, median of ${rounds} interleaved rounds of ${seconds} s`);
    console.table(table);
  } finally {
    await served.close();
    await double.close();
  }
}

async function measure(url, path, cookie, rounds, ms) {
  const answer = await fetch(`${url}${path}`, { headers: { cookie, 'accept-encoding': 'identity' } });
  const body = Buffer.from(await answer.arrayBuffer());
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
  const bare = fork(import.meta.filename, ['bare']);
  const dropped = new Set(['transfer-encoding', 'connection', 'keep-alive', 'date', 'content-length']);
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => !dropped.has(name)));
  bare.send({ headers: { ...headers, 'content-length': String(body.length) }, body: body.toString('base64') });
  const [port] = await once(bare, 'message');
  const rates = { ours: [], bare: [] };
  const turns = { ours: new Pool(url, { connections }), bare: new Pool(`http://127.0.0.1:${port}`, { connections }) };
  for (const turn of Object.values(turns)) await load(turn, path, cookie, ms / 2);
  for (let round = 0; round < rounds; round++)
    for (const [name, pool] of Object.entries(turns)) rates[name].push(await load(pool, path, cookie, ms));
  for (const pool of Object.values(turns)) await pool.close();
  bare.kill();
  const [ours, limit] = [median(rates.ours), median(rates.bare)];
  return {
    bytes: body.length,
    'ours/s': Math.round(ours),
    'bare/s': Math.round(limit),
    'bare / ours': Number((limit / ours).toFixed(2)),
  };
}

/** Requests a second of as many loops as there are connections. */
async function load(pool, path, cookie, ms) {
  const from = performance.now();
  let answered = 0;
  const loop = async () => {
    while (performance.now() - from < ms) {
      const { statusCode, body } = await pool.request({ path, method: 'GET', headers: { cookie } });
      await body.dump();
      if (statusCode !== 200) throw new Error(`${path}: ${statusCode}`);
      answered++;
    }
  };
  await Promise.all(Array.from({ length: connections }, loop));
  return answered / ((performance.now() - from) / 1000);
}
