// Time from `npm start` to a healthy answer when everything is in place.  node tests/bench/start.mjs [times]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { answering, benchEnvironment, median, root } from './served.mjs';

const times = Number(process.argv[2] ?? 5);
const { env, url, remove } = await benchEnvironment();

/** Starts, waits for health, stops; milliseconds to health. */
async function start() {
  const from = performance.now();
  const npm = spawn('npm', ['start', '--silent'], {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: true,
  });
  await answering(url, npm);
  const took = performance.now() - from;
  // The server is a grandchild: its whole group is signalled.
  process.kill(-npm.pid, 'SIGTERM');
  if (npm.exitCode === null) await once(npm, 'exit');
  return took;
}

const first = await start();
const later = [];
for (let n = 0; n < times; n++) later.push(await start());
remove();
const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`;
console.log(`first start: ${seconds(first)} (makes the database; installs and builds what is not in place)`);
console.log(`later starts: ${later.map(seconds).join(', ')}; median ${seconds(median(later))}`);
