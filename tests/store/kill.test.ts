import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { DatabaseUnusable } from '../../server/embedded/lock.ts';
import { eachDatabase, openTestStore } from '../support/database.ts';
import { rounds } from '../support/rounds.ts';
import { type Life, live } from './life.ts';

const lives = rounds('WRITER_KILLS', 2, 20);

/** A writer that first checks what it finds, and reports the batches of its own that are safe. */
const writer = (url: string, reported: number) => live('writer.ts', url, String(reported));

/** Kills it at once and answers the last batch it reported. */
const endOf = async (life: Life, reported: number) => Number((await life.kill())?.split(' ')[1] ?? reported);

eachDatabase((given) => {
  test(`killed ${lives} times in the middle of writing, nothing reported is lost and nothing is there by half`, async () => {
    const url = await given.address();
    let reported = 0;
    for (let count = 0; count < lives; count++) {
      const life = writer(url, reported);
      // However slow the machine is: a life that wrote nothing would have nothing to lose.
      await life.waitFor('safe');
      await sleep(((count * 53) % 19) * 12);
      reported = await endOf(life, reported);
    }
    const final = writer(url, reported);
    await final.waitFor('safe');
    expect(await endOf(final, reported)).toBeGreaterThan(lives);
  });

  if (given.name === 'embedded')
    test('a second process is rejected in one sentence, until the first is killed', async () => {
      const url = await given.address();
      const first = writer(url, 0);
      await first.waitFor('checked');
      const opening = openTestStore(url);
      await expect(opening).rejects.toThrow(DatabaseUnusable);
      await expect(opening).rejects.toThrow(
        /^Another process already uses the embedded database: .*Stop that process first\.$/,
      );
      await first.kill();
      const here = await openTestStore(url);
      const second = writer(url, 0);
      await expect(second.waitFor('checked')).rejects.toThrow('Another process already uses the embedded database');
      await expect(openTestStore(url)).rejects.toThrow(DatabaseUnusable);
      await here.close();
    });
});
