import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SiteReply, SiteRequest } from './site-host-child.ts';

/** The process that serves the sites of a worker. */
export interface SiteHost {
  pid: number;
  /** What it has printed, as lines of a log: libraries do not know for which site. */
  printed(): string;
  /** Opens a site with these variables, and answers what closes it. */
  open(variables: Record<string, string>, logFile: string): Promise<() => Promise<void>>;
}

/** Few collections, and no optimizing of what a process of tests runs some hundred times only. */
const engine = [
  '--min-semi-space-size=16',
  '--max-semi-space-size=32',
  '--invocation-count-for-maglev=2000',
  '--invocation-count-for-turbofan=30000',
];

let shared: Promise<SiteHost> | undefined;

/** Ends with the worker. */
export const sharedHost = (bundle: string): Promise<SiteHost> => (shared ??= openHost(bundle));

async function openHost(bundle: string): Promise<SiteHost> {
  const folder = mkdtempSync(join(tmpdir(), 'site-host-'));
  const outputFile = join(folder, 'output');
  const output = openSync(outputFile, 'a');
  const child = fork(resolve(import.meta.dirname, 'site-host-child.ts'), [bundle], {
    cwd: resolve(import.meta.dirname, '../..'),
    stdio: ['ignore', output, output, 'ipc'],
    execArgv: engine,
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, NODE_ENV: 'production' },
  });
  closeSync(output);
  process.once('exit', () => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  const printed = () => readFileSync(outputFile, 'utf8');
  child.once('exit', () => {
    shared = undefined;
  });
  const request = talkTo(child, printed);
  await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error(`The process of the sites did not start:\n${printed()}`))),
  ]);
  child.unref();
  child.channel?.unref();
  return {
    pid: child.pid ?? 0,
    printed,
    async open(variables, logFile) {
      const id = await request((id) => ({ id, open: { variables, logFile } }));
      // What waits for a platform that does not answer ends when the platform does.
      return () =>
        Promise.race([request((closing) => ({ id: closing, close: id })), sleep(15_000)]).then(() => undefined);
    },
  };
}

/**
 * Sends requests to a child, each answered with its number; rejects where it replies with an error, or ends. A child
 * that nobody waits for keeps no script from ending.
 */
function talkTo(child: ChildProcess, printed: () => string) {
  let last = 0;
  const waiting = new Map<number, PromiseWithResolvers<number>>();
  child.on('message', ({ id, error }: SiteReply) => {
    const reply = waiting.get(id);
    waiting.delete(id);
    if (waiting.size === 0) child.channel?.unref();
    if (error === undefined) reply?.resolve(id);
    else reply?.reject(new Error(error));
  });
  child.once('exit', (code) => {
    for (const { reject } of waiting.values())
      reject(new Error(`The process of the sites ended (${code}):\n${printed()}`));
  });
  return (make: (id: number) => SiteRequest): Promise<number> => {
    const reply = Promise.withResolvers<number>();
    last += 1;
    waiting.set(last, reply);
    child.channel?.ref();
    child.send(make(last));
    return reply.promise;
  };
}
