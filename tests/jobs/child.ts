import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A script beside this file as a process of its own; `said` is what it has said so far. */
export function beginChild(script: string, ...given: string[]) {
  const child = spawn(process.execPath, [join(import.meta.dirname, script), ...given], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const state = {
    ...{ said: '', child, exit: once(child, 'exit') },
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
