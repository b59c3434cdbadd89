// Tools of agents against the API: 50 access tokens, four calls of each at once, of stored facts on PostgreSQL, in turn
// with the requests to the API that have the same answers; then whether memory stays flat while they call for long.
//   npx react-router build && node tests/bench/mcp.mjs [rounds] [seconds] [minutes]
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { startDouble } from '../codehost-double/double.ts';
import { namedWorld } from '../codehost-double/named-world.ts';
import { createDatabase } from '../support/created-databases.ts';
import { findPrograms, startServer } from '../support/postgres.ts';
import { median } from './made.mjs';
import { addressOf, signIn, startServed } from './served.mjs';

const [rounds = 5, seconds = 5, minutes = 30] = process.argv.slice(2).map(Number);
/** An account makes ten tokens an hour. */
const [accounts, tokensOfOne, atOnce] = [5, 10, 4];
const features = ['reports', 'costAnalytics'];
const of = { owner: 'octo', repo: 'web' };

/** A call of a tool, and the request with the same answer. */
const questions = [
  [
    'compare_periods',
    { ...of, metrics: ['success_rate', 'lead_time'], days: 30 },
    '/api/db/compare?owner=octo&repo=web&metrics=success_rate,lead_time&days=30',
  ],
  ['trends', { ...of, days: 90 }, '/api/db/trends?owner=octo&repo=web&type=daily&days=90&quarters=6'],
  ['ci_cost', of, '/api/db/cost?repo=octo/web'],
  ['inspect_run', of, '/api/db/runs?owner=octo&repo=web&limit=500'],
];

const programs = findPrograms();
if (!programs) throw new Error('PostgreSQL is not installed here.');
const postgres = await startServer(programs);
const world = namedWorld();
for (let n = 0; n < accounts; n++) {
  const login = `agent-${n}`;
  world.accounts.push({ id: 9000 + n, login, name: null, email: null, memberOf: ['octo'] });
  world.tokens.push({ token: `token-${n}`, login, scopes: ['repo', 'read:org'], authorizedFor: [], only: null });
}
const double = await startDouble({ world });
const served = await startServed({
  DATABASE_URL: await createDatabase(postgres.socket),
  CODEHOST_API_URL: double.url,
  CODEHOST_GRAPHQL_URL: double.graphqlUrl,
  STANDALONE_ALLOWED_LOGINS: '*',
  MCP_RATE_PER_MINUTE: '0',
  TRUST_PROXY_HOPS: '1',
  SCHEDULER: 'off',
});
try {
  const tokens = [];
  for (let n = 0; n < accounts; n++) tokens.push(...(await makeTokens(n)));
  const times = { tools: [], api: [] };
  const before = served.residentMb();
  for (let round = -1; round < rounds; round++)
    for (const [kind, ask] of Object.entries({ tools: callTool, api: requestApi })) {
      const found = await load(tokens, ask, { seconds });
      if (round >= 0) times[kind].push(p95(found));
    }
  const [tools, api] = [median(times.tools), median(times.api)];
  console.log(`${tokens.length} tokens, ${atOnce} at once each, median of ${rounds} rounds of ${seconds} s`);
  console.table({
    tools: { 'p95, ms': tools.toFixed(0), 'of the API': (tools / api).toFixed(2), goal: 1.25 },
    API: { 'p95, ms': api.toFixed(0) },
    'memory, MB': { before, after: served.residentMb() },
  });
  if (minutes > 0) await watchMemory(tokens);
} finally {
  await served.close();
  await double.close();
  await postgres.stop();
}

async function makeTokens(n) {
  const cookie = await signIn(served, `token-${n}`, addressOf(n));
  const post = async (path, body) => {
    const headers = { cookie, origin: served.origin, 'content-type': 'application/json' };
    const answer = await fetch(`${served.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  if (n === 0) await post('/api/db/sync?owner=octo&repo=web', {});
  const made = [];
  for (let one = 0; one < tokensOfOne; one++)
    made.push((await post('/api/tokens', { name: `${one}`, features })).token);
  return made;
}

/** Memory while all tokens call for minutes, each loop once a second: flat where the last third is as the one before. */
async function watchMemory(tokens) {
  const sampled = [];
  const sampling = setInterval(() => sampled.push(served.residentMb()), 1000);
  const calls = await load(tokens, callTool, { seconds: minutes * 60, pauseMs: 1000 });
  clearInterval(sampling);
  const third = Math.floor(sampled.length / 3);
  const [first, second, last] = [0, 1, 2].map((n) => median(sampled.slice(n * third, (n + 1) * third)));
  console.log(`${calls.length} calls in ${minutes} minutes; the median of each third`);
  console.table({
    'memory, MB': { first, second, last, highest: Math.max(...sampled) },
    'last of second': { last: (last / second).toFixed(3), goal: 1.05 },
  });
}

/** Milliseconds of every request that was answered. */
async function load(tokens, ask, { seconds, pauseMs = 0 }) {
  const pool = new Pool(served.url, { connections: tokens.length * atOnce });
  const [from, found] = [performance.now(), []];
  const loop = async (token, first) => {
    for (let n = first; performance.now() - from < seconds * 1000; n++) {
      const began = performance.now();
      await ask(pool, token, questions[n % questions.length]);
      found.push(performance.now() - began);
      if (pauseMs > 0) await sleep(pauseMs);
    }
  };
  await Promise.all(tokens.flatMap((token) => Array.from({ length: atOnce }, (_, n) => loop(token, n))));
  await pool.close();
  return found;
}

async function requestApi(pool, token, [, , path]) {
  const { statusCode, body } = await pool.request({
    path,
    method: 'GET',
    headers: { authorization: `Bearer ${token}` },
  });
  if (statusCode !== 200) throw new Error(`${path}: ${statusCode} ${await body.text()}`);
  await body.dump();
}

async function callTool(pool, token, [name, input]) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = { name, arguments: input, _meta: meta };
  const headers = {
    authorization: `Bearer ${token}`,
    host: new URL(served.origin).host,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': name,
  };
  const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const { statusCode, body } = await pool.request({ path: '/api/mcp', method: 'POST', headers, body: message });
  const text = await body.text();
  if (statusCode !== 200 || text.includes('"isError":true')) throw new Error(`${name}: ${statusCode} ${text}`);
}

function p95(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)];
}
