import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { baseline } from './baseline.ts';
import { processScript } from './process-script.ts';

/** A script as a process of its own; `said` is what it has said so far. */
export function beginChild(script: string, ...given: string[]) {
  const child = spawn(process.execPath, [baseline, processScript(script), ...given], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const state = {
    said: '',
    child,
    exit: once(child, 'exit'),
    /** Waits for something to be so, or for its end. */
    async until(isSo: () => boolean) {
      while (!isSo() && child.exitCode === null) await Promise.race([sleep(2), state.exit]);
    },
    async kill(signal: NodeJS.Signals) {
      child.kill(signal);
      await state.exit;
    },
  };
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  child.stdout.on('data', (chunk) => {
    state.said += chunk;
  });
  return state;
}

export type Child = ReturnType<typeof beginChild>;
