import { expect, test } from 'vitest';
import type { Change } from '../../../server/advisor/patch/change.ts';
import { patched } from './patched.ts';

const size = 500_000;
const filled = (head: string, part: string, end = '') =>
  head + part.repeat(Math.floor((size - head.length) / part.length)) + end;
const count = (length: number) => Array.from({ length }, (_, n) => n);

/** As large as a file may be: each asks one thing very often. */
const texts: Record<string, string> = {
  keys: `on: push\n${count(30_000)
    .map((n) => `k${n}: ${n}\n`)
    .join('')}jobs: {a: {runs-on: x}}\n`,
  'keys in one line': `{on: push, ${count(30_000)
    .map((n) => `k${n}: ${n}, `)
    .join('')}jobs: {a: {runs-on: x}}}\n`,
  'events in brackets': `on: [${count(40_000)
    .map((n) => `e${n}`)
    .join(', ')}, push]\njobs: {a: {runs-on: x}}\n`,
  'events in lines': `on:\n${count(40_000)
    .map((n) => `  - e${n}\n`)
    .join('')}  - push\njobs: {a: {runs-on: x}}\n`,
  'blank lines': filled('on: push\njobs:\n  a:\n    runs-on: x', '\n', '    if: y\n'),
  'comment lines': filled('on: push\njobs:\n  a:\n    runs-on: x\n', '      #\n', '    if: y\n'),
  'needs of lines': filled('on: push\njobs:\n  a:\n    runs-on: x\n    needs:\n', '      - b\n'),
  anchors: filled('on: push\njobs:\n  a: &a {runs-on: x}\n  b: [', '*a , ', ']\n'),
  'comments behind a map that is a key': filled('on: push\njobs: {a: {runs-on: x}}\nb: [{x: y}: c, ', '#', '\n d]\n'),
  'brackets that close at their keys': filled('on: push\njobs: {a: {runs-on: x}}\n', 'b: [\n]\n'),
};
const changes: Change[] = [
  { do: 'insert', at: ['jobs', 'a'], key: 'timeout-minutes', value: 5, after: ['runs-on'] },
  { do: 'insert', at: [], key: 'permissions', value: { contents: 'read' }, after: ['on'] },
  { do: 'remove', at: ['jobs', 'a', 'needs'] },
  { do: 'remove', at: ['k29999'] },
  { do: 'filter-triggers', filters: { push: { branches: ['main'] } } },
];

test.each(Object.keys(texts))('%s take no longer than two seconds of processor time', (name) => {
  for (const change of changes) {
    const before = process.cpuUsage();
    patched(texts[name] ?? '', change);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(2000);
  }
});
