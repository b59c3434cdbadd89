// Time from `npm start` to a healthy answer when everything is in place, and from there to the first answer of the page of
// a repository whose facts are stored.  node tests/bench/start.mjs [times]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { startDouble } from '../codehost-double/double.ts';
import { answering, benchEnvironment, median, root, signIn } from './served.mjs';

const times = Number(process.argv[2] ?? 5);
const double = await startDouble();
const { env, url, origin, remove } = await benchEnvironment({
  CODEHOST_API_URL: double.url,
  CODEHOST_GRAPHQL_URL: double.graphqlUrl,
});

/** Starts, waits for health, makes a visit, stops; milliseconds to health and of the visit. */
async function start(visit) {
  const from = performance.now();
  const npm = spawn('npm', ['start', '--silent'], {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: true,
  });
  await answering(url, npm);
  const started = performance.now();
  await visit();
  const visited = performance.now();
  // The server is a grandchild: its whole group is signalled.
  process.kill(-npm.pid, 'SIGTERM');
  if (npm.exitCode === null) await once(npm, 'exit');
  return { start: started - from, page: visited - started };
}

let cookie;
async function syncAll() {
  cookie = await signIn({ url, origin }, 'token-ann');
  const synced = await fetch(`${url}/api/db/sync?org=octo`, { method: 'POST', headers: { cookie, origin } });
  if (!synced.ok) throw new Error(`The synchronization answered ${synced.status}.`);
  await visitRepository();
}

async function visitRepository() {
  const answer = await fetch(`${url}/repos/octo/web`, { headers: { cookie } });
  await answer.text();
  if (!answer.ok) throw new Error(`The page answered ${answer.status}.`);
}

const first = await start(syncAll);
const later = [];
for (let n = 0; n < times; n++) later.push(await start(visitRepository));
await double.close();
remove();
const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`;
const list = (all) => `${all.map(seconds).join(', ')}; median ${seconds(median(all))}`;
console.log(`first start: ${seconds(first.start)} (makes the database; installs and builds what is not in place)`);
console.log(`later starts: ${list(later.map(({ start }) => start))}`);
console.log(`first page after each: ${list(later.map(({ page }) => page))}`);
