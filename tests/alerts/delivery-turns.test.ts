import { expect, test } from 'vitest';
import type { DeliveryResult } from '../../server/alerts/channels/channel.ts';
import { createTurns } from '../../server/alerts/delivery-turns.ts';

const ok: DeliveryResult = { ok: true };
const failed = { ok: false, permanent: false, error: 'no', retryAfterMs: null } as const;

/** An attempt that ends when it is told to. */
function open() {
  const { promise, resolve, reject } = Promise.withResolvers<DeliveryResult | null>();
  const seen: object[] = [];
  const attempt = (turn: object) => {
    seen.push(turn);
    return promise;
  };
  return { attempt, seen, resolve, reject };
}

const settled = () => new Promise((done) => setImmediate(done));

test('attempts at one destination follow each other, whatever became of the one before; others go on', async () => {
  const turns = createTurns();
  const [first, second, third, elsewhere] = [open(), open(), open(), open()];
  const [one, two, three] = [first, second, third].map(({ attempt }) => turns.take('a', attempt));
  const other = turns.take('b', elsewhere.attempt);
  await settled();
  expect([first, second, third, elsewhere].map(({ seen }) => seen.length)).toEqual([1, 0, 0, 1]);
  elsewhere.resolve(ok);
  expect(await other).toBe(true);
  first.reject(new Error('gone'));
  await expect(one).rejects.toThrow('gone');
  await settled();
  expect([second, third].map(({ seen }) => seen.length)).toEqual([1, 0]);
  second.resolve(failed);
  expect(await two).toBe(false);
  third.resolve(null);
  expect(await three).toBe(false);
  expect([first, third].map(({ seen }) => seen)).toEqual([
    [{ hasWaited: false, unreachable: null }],
    [{ hasWaited: true, unreachable: null }],
  ]);
});

test('that a destination could not be reached is known to those after it there, and to no other', async () => {
  const turns = createTurns();
  const unreachable: DeliveryResult = { ...failed, cause: 'unreachable' };
  await turns.take('a', async () => unreachable);
  const seen: object[] = [];
  for (const destination of ['a', 'b'])
    await turns.take(destination, async (turn) => {
      seen.push(turn);
      return ok;
    });
  expect(seen).toEqual([
    { hasWaited: true, unreachable },
    { hasWaited: false, unreachable: null },
  ]);
});
