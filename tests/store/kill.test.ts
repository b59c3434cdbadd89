import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { DatabaseRefused } from '../../server/embedded/refused.ts';
import { eachDatabase, openTestStore } from '../support/database.ts';

const writer = fileURLToPath(new URL('./writer.ts', import.meta.url));
const lives = 20;

interface Life {
  /** Resolves when the writer has checked what it found. */
  checked: Promise<unknown>;
  /** Resolves when it has reported a batch of its own. */
  wrote: Promise<unknown>;
  /** Kills it at once and answers the last batch it reported. */
  kill(): Promise<number>;
}

function live(url: string, reported: number): Life {
  const child = spawn(process.execPath, [writer, url, String(reported)], { stdio: ['ignore', 'pipe', 'pipe'] });
  let last = reported;
  let complaint = '';
  child.stderr.on('data', (text) => {
    complaint += text;
  });
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    last = Number(line.split(' ')[1]);
  });
  const ended = once(child, 'exit').then(() => {
    throw new Error(complaint || 'The writer ended by itself.');
  });
  const told = (word: string) => {
    const said = new Promise((resolve) => lines.on('line', (line) => line.startsWith(word) && resolve(line)));
    return Promise.race([said, ended]);
  };
  const [checked, wrote] = [told('checked'), told('safe')];
  // A life that is killed early never writes; only who waits for it wants to hear of that.
  for (const promise of [checked, wrote]) promise.catch(() => {});
  return {
    checked,
    wrote,
    async kill() {
      child.kill('SIGKILL');
      await once(child, 'close');
      return last;
    },
  };
}

eachDatabase((given) => {
  test(`killed ${lives} times in the middle of writing, nothing reported is lost and nothing is there by half`, async () => {
    const url = await given.address();
    let reported = 0;
    for (let count = 0; count < lives; count++) {
      const life = live(url, reported);
      // However slow the machine is: a life that wrote nothing would have nothing to lose.
      await life.wrote;
      await sleep(((count * 53) % 19) * 12);
      reported = await life.kill();
    }
    const final = live(url, reported);
    await final.wrote;
    expect(await final.kill()).toBeGreaterThan(lives);
  }, 180_000);

  if (given.name === 'embedded')
    test('a second process is refused in one sentence, until the first is killed', async () => {
      const url = await given.address();
      const first = live(url, 0);
      await first.checked;
      const opening = openTestStore(url);
      await expect(opening).rejects.toThrow(DatabaseRefused);
      await expect(opening).rejects.toThrow(
        /^Another process already uses the embedded database: .*Stop that process first\.$/,
      );
      await first.kill();
      const here = await openTestStore(url);
      const second = live(url, 0);
      await expect(second.checked).rejects.toThrow('Another process already uses the embedded database');
      await expect(openTestStore(url)).rejects.toThrow(DatabaseRefused);
      await here.close();
    }, 60_000);
});
