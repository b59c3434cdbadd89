import { spawnSync } from 'node:child_process';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'log-'));
afterAll(() => rmSync(folder, { recursive: true }));

const module = resolve(import.meta.dirname, '../../server/platform/log.ts');
const many = 3000;

/** What a process that wrote many lines and then ended like this left behind, by their numbers. */
function written(ending: string, to: 'file' | 'pipe'): number[] {
  const program = `
    import { createLog } from ${JSON.stringify(module)};
    const log = createLog('info');
    for (let i = 0; i < ${many}; i++) log.info({ i }, 'a line');
    ${ending}`;
  const file = join(folder, 'out');
  const child = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', to === 'file' ? openSync(file, 'w') : 'pipe', 'ignore'],
    encoding: 'utf8',
    maxBuffer: 1e8,
  });
  const text = to === 'file' ? readFileSync(file, 'utf8') : child.stdout;
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).i);
}

describe.each(['file', 'pipe'] as const)('into a %s, every line comes, in order', (to) => {
  test.each([
    ['by itself', ''],
    ['at once', 'process.exit(0);'],
    ['by a crash', `throw new Error('a crash');`],
    ['by a promise nobody watched', `Promise.reject(new Error('a crash'));`],
    ['while a line is being written', 'setTimeout(() => process.exit(0), 1);'],
  ])('when the process ends %s', (_, ending) => {
    expect(written(ending, to)).toEqual(Array.from({ length: many }, (_, i) => i));
  });
});
