import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { taskThread } from '../../server/platform/task-thread.ts';

const file = fileURLToPath(new URL('./busy-worker.mjs', import.meta.url));
const thread = taskThread<string, string>(file, 32);
afterAll(() => thread.close());

const longMs = 60_000;

test('tasks run one after the other in one thread that is stored', async () => {
  const outcomes = await Promise.all(['a', 'b'].map((task) => thread.run(task, longMs)));
  const results = outcomes.map((one) => (one.state === 'done' ? one.result : one.state));
  expect(results.map((result) => result.split(' in ')[0])).toEqual(['a', 'b']);
  expect(new Set(results.map((result) => result.split(' in ')[1])).size).toBe(1);
});

test.each([
  ['takes too long', 'loop', 200, 'timeout'],
  ['takes too much memory', 'fill', longMs, 'out_of_memory'],
  ['throws', 'throw', longMs, 'failed'],
])('a task that %s is given up, and the next one has a new thread', async (_name, task, limitMs, state) => {
  const [given, next] = await Promise.all([thread.run(task, limitMs), thread.run('next', longMs)]);
  expect(given.state).toBe(state);
  expect(next.state).toBe('done');
});

test('the process goes on while a task runs', async () => {
  let turns = 0;
  const counting = setInterval(() => turns++, 5);
  await thread.run('loop', 300);
  clearInterval(counting);
  expect(turns).toBeGreaterThan(0);
});

test('a task whose turn does not come in time is not started, and those behind it are', async () => {
  const [first, second, third] = await Promise.all([
    thread.run('loop', 1500),
    thread.run('b', longMs, 100),
    thread.run('c', longMs),
  ]);
  expect([first.state, second.state, third.state]).toEqual(['timeout', 'not_started', 'done']);
  expect(second.waitedMs).toBe(100);
  expect(third.waitedMs).toBeGreaterThan(1000);
});

test('a thread that is closed runs nothing, and none is started before the first task', async () => {
  const missing = taskThread<string, string>('/nowhere/worker.mjs', 32);
  missing.close();
  expect(await missing.run('a', longMs)).toMatchObject({ state: 'failed' });
});
