// One long step as a child process: a line when it begins, one every five seconds, its output and advice if it fails.
import { spawn } from 'node:child_process';

const maxCharacters = 200_000;

export async function runStep(plan, env, print, everyMs = 5000) {
  const begun = Date.now();
  const seconds = () => Math.round((Date.now() - begun) / 1000);
  print(`${plan.doing} …`);
  plan.begin();
  const ticking = setInterval(() => print(`${plan.doing}: ${seconds()} s …`), everyMs);
  const outcome = await run(plan, env).finally(() => clearInterval(ticking));
  if (outcome.interrupted) throw new Error(`${plan.doing}: stopped. The next start begins this step again.`);
  if (outcome.code !== 0) throw new Error(failureMessage(plan, outcome));
  plan.finish();
  print(`${plan.done} in ${seconds()} s.`);
}

/** What went wrong and what to do about it, after the child's own output. */
export function failureMessage(plan, { code, signal, output, error }) {
  const message = output.trim();
  const how = error?.message ?? (signal ? `stopped by ${signal}` : `exit code ${code}`);
  return [
    `${plan.doing} failed (${how}).`,
    ...(message ? [message.replace(/^/gm, '  | ')] : []),
    `What to do: ${advice(plan, `${error?.code ?? ''} ${signal ?? ''} ${message}`)}`,
  ].join('\n');
}

function advice(plan, symptoms) {
  const found = remedies.find(([pattern]) => pattern.test(symptoms));
  return found ? found[1](plan) : `read the lines above, or run \`${plan.byHand}\` by hand to see more.`;
}

const remedies = [
  [/ENOSPC/, (plan) => `the disk is full. Free about 2 GB for ${plan.cwd} and npm's cache, then try again.`],
  [
    /spawn \S*npm ENOENT|^ENOENT /,
    () => 'npm was not found. Install Node with npm (nodejs.org, or your system’s packages), then try again.',
  ],
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ERR_SOCKET_TIMEOUT/,
    () =>
      'the package registry could not be reached. Check the network (behind a proxy: `npm config set proxy …`) and try again; ' +
      'later starts need no network.',
  ],
  [
    /EBADPLATFORM|Unsupported platform|GLIBC|native binding/i,
    () =>
      `${process.platform} ${process.arch} lacks a package it needs. Use Linux with glibc or macOS, or the Dockerfile.`,
  ],
  [/EACCES|EPERM|EROFS/, (plan) => `this user may not write in ${plan.cwd}. Make the folder writable and try again.`],
  [/EINTEGRITY/, () => 'a downloaded package is damaged. Run `npm cache clean --force` and try again.'],
  [/SIGKILL|heap out of memory/, () => 'the machine ran out of memory. About 1 GB must be free; try again.'],
];

function run(plan, env) {
  return new Promise((settle) => {
    const [program, ...parameters] = plan.command();
    const child = spawn(program, parameters, {
      cwd: plan.cwd,
      env: plan.environment(env),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const keep = (chunk) => {
      output = (output + chunk).slice(-maxCharacters);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const signals = passOnSignals(child);
    const end = (outcome) => {
      signals.stop();
      settle({ ...outcome, output, interrupted: signals.passed() });
    };
    child.once('error', (error) => end({ code: null, signal: null, error }));
    child.once('close', (code, signal) => end({ code, signal }));
  });
}

/** A stopped setup takes its child along and leaves no stamp, so that the next one begins the step again. */
function passOnSignals(child) {
  let passed = false;
  const pass = (signal) => {
    passed = true;
    child.kill(signal);
  };
  const signals = ['SIGINT', 'SIGTERM'];
  for (const signal of signals) process.on(signal, pass);
  return {
    passed: () => passed,
    stop: () => {
      for (const signal of signals) process.off(signal, pass);
    },
  };
}
