// Runs before `npm start` and `npm test` on whatever Node is there (18 or newer): installs the locked packages with the
// Node they bring along, builds, and gives a first start its secrets. Does nothing when everything is up to date.
import { mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { prepareEnvFile } from './bootstrap-env.mjs';
import { acquireSetupLock } from './bootstrap-lock.mjs';
import { buildPlan, installPlan, linkBundledNode, nodeStarts } from './bootstrap-plans.mjs';
import { runStep } from './bootstrap-step.mjs';

const print = (line) => console.log(`[setup] ${line}`);

export async function bootstrap(root, command, env = process.env) {
  const begun = Date.now();
  requireUsablePlatform();
  if (!isCurrent(root)) {
    mkdirSync(join(root, 'data'), { recursive: true });
    const release = await acquireSetupLock(join(root, 'data', '.setup-lock'), print);
    try {
      await bringUpToDate(root, env);
    } finally {
      release();
    }
  }
  if (command === 'start') prepareEnvFile(root, env, print);
  if (Date.now() - begun > 1000) print(`Everything is in place after ${((Date.now() - begun) / 1000).toFixed(1)} s.`);
}

function requireUsablePlatform() {
  if (Number.parseInt(process.versions.node, 10) < 18)
    throw new Error(`Node ${process.version} is too old to set this up. Install Node 20 or newer and try again.`);
  if (process.platform === 'win32')
    throw new Error('Windows is not supported directly. Use the Windows Subsystem for Linux, or the Dockerfile.');
}

const isCurrent = (root) => installPlan(root).isCurrent() && linkBundledNode(root) && buildPlan(root).isCurrent();

async function bringUpToDate(root, env) {
  const install = installPlan(root);
  if (!install.isCurrent()) await runStep(install, env, print);
  if (!linkBundledNode(root))
    throw new Error(
      `There is no packaged Node for ${process.platform} ${process.arch}, and ${process.version} is too old. Install Node 22.22 or newer and try again.`,
    );
  if (!nodeStarts(root))
    throw new Error(
      'The packaged Node does not start here: the system is too old. Use Debian 12 or newer, or the like.',
    );
  const build = buildPlan(root);
  if (!build.isCurrent()) await runStep(build, env, print);
}

if (process.argv[1] && import.meta.url === pathToFileURL(resolve(process.argv[1])).href) {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  bootstrap(root, process.argv[2] ?? 'start').catch((error) => {
    console.error(`[setup] ${error.message}`);
    process.exit(1);
  });
}
