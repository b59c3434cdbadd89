// Ten hostile workflow files of 405 KB in one repository, on the built server: how long health and the scan take.
// SEARCH_SECONDS=3600 SEED=1 first searches for slower files, each at a fifth of the length.  node tests/bench/hostile-scan.mjs
import { Worker } from 'node:worker_threads';
import { scanFile } from '../../server/scan/scan.ts';
import { startDouble } from '../codehost-double/double.ts';
import { namedNow } from '../codehost-double/named-world.ts';
import { dice, print } from './made.mjs';
import { signIn, startServed } from './served.mjs';
import { hostileFile, hostileParts, searchSlowest } from './slow-workflows.mjs';

const [healthGoalMs, scanGoalMs] = [50, 3000];
const around = { visibility: 'public', largerRunnerLabels: [], actions: null };
/** Milliseconds of processor time of this thread, because others may keep the machine busy. */
function msOf(part, length = 80_000) {
  const text = hostileFile(part, length);
  const before = process.threadCpuUsage();
  scanFile('.github/workflows/hostile.yml', text, around, namedNow);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

const found = [];
if (process.env.SEARCH_SECONDS)
  found.push(
    ...searchSlowest({
      random: dice(Number(process.env.SEED ?? 1)),
      msOf,
      seconds: Number(process.env.SEARCH_SECONDS),
      found: ({ tried, ms, part }) => console.log(`${tried}: ${Math.round(ms)} ms ${JSON.stringify(part)}`),
    }),
  );

const parts = [...found.map(({ part }) => part), ...hostileParts].slice(0, 10);
const alone = [];
for (const part of parts)
  alone.push({ part: JSON.stringify(part.slice(0, 40)), 'processor ms at 405 KB': Math.round(msOf(part, 405_000)) });
print('Each file alone', alone);

/** Asks for health every 10 ms in a thread of its own; the longest wait for each message. */
const asking = `
const { parentPort, workerData } = require('node:worker_threads');
let longest = 0;
parentPort.on('message', () => { parentPort.postMessage(longest); longest = 0; });
(async () => { for (;;) {
  const from = performance.now();
  await (await fetch(workerData + '/api/health')).text();
  longest = Math.max(longest, performance.now() - from);
  await new Promise((go) => setTimeout(go, 10));
} })();`;

const clock = { now: () => Date.now() };
const double = await startDouble({ clock });
const served = await startServed({ CODEHOST_API_URL: double.url, CODEHOST_GRAPHQL_URL: double.graphqlUrl });
try {
  const cookie = await signIn(served, 'token-ann');
  const prober = new Worker(asking, { eval: true, workerData: served.url });
  const longestWait = () =>
    new Promise((received) => {
      prober.once('message', received);
      prober.postMessage('tell');
    });
  parts.forEach((part, n) => {
    double.putWorkflowFile('octo/api', `.github/workflows/hostile-${n}.yml`, hostileFile(part));
  });
  await fetch(`${served.url}/api/codehost/security-scan?owner=octo&repo=web`, { headers: { cookie } });
  await longestWait();
  const from = performance.now();
  const answer = await fetch(`${served.url}/api/codehost/security-scan?owner=octo&repo=api`, { headers: { cookie } });
  const body = await answer.json();
  const scanMs = performance.now() - from;
  const healthMs = await longestWait();
  print(`${parts.length} files of 405 KB`, [
    { what: 'longest wait for health, ms', measured: Math.round(healthMs), goal: healthGoalMs },
    { what: 'the answer of the scan, ms', measured: Math.round(scanMs), goal: scanGoalMs },
    { what: 'files scanned', measured: body.workflows_scanned, goal: '' },
    { what: 'files named as not scanned', measured: body.not_scanned.length, goal: '' },
    { what: 'findings', measured: body.total_findings, goal: '' },
  ]);
  console.log(healthMs <= healthGoalMs && scanMs <= scanGoalMs ? 'Reaches its goals.' : 'Misses its goals.');
  await prober.terminate();
} finally {
  await served.close();
  await double.close();
}
