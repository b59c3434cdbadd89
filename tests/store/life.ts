import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { baseline } from '../support/baseline.ts';
import { processScript } from '../support/process-script.ts';

/** A process that reports in lines what it has done, until it is killed. */
export interface Life {
  /** Resolves with the first line that begins so; rejects when the process ends before. */
  waitFor(word: string): Promise<string>;
  /** Kills it at once and answers its last line, null when it said nothing. */
  kill(): Promise<string | null>;
}

/** Runs a script of this folder in a process of its own. */
export function live(script: string, ...args: string[]): Life {
  const file = processScript(fileURLToPath(new URL(`./${script}`, import.meta.url)));
  const child = spawn(process.execPath, [baseline, file, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const said: string[] = [];
  let complaint = '';
  child.stderr.on('data', (text) => {
    complaint += text;
  });
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => said.push(line));
  const ended = once(child, 'exit').then(() => {
    throw new Error(complaint || 'The process ended by itself.');
  });
  // A life that is killed early never says more; only who waits for it wants to hear of that.
  ended.catch(() => {});
  return {
    waitFor(word) {
      const heard = new Promise<string>((resolve) => {
        for (const line of said) if (line.startsWith(word)) resolve(line);
        lines.on('line', (line) => line.startsWith(word) && resolve(line));
      });
      return Promise.race([heard, ended]);
    },
    async kill() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await once(child, 'close');
      }
      return said.at(-1) ?? null;
    },
  };
}
