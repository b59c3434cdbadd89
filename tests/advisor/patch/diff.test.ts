import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { formatDiff, joinDiffs } from '../../../server/advisor/patch/diff.ts';
import { patchFile } from '../../../server/advisor/patch/patch.ts';
import { dice, madeFile, madeSets, madeWorkflow } from './made-files.ts';
import { passed, path, setOf } from './patched.ts';

const folder = mkdtempSync(join(tmpdir(), 'patches-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, text: string) => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
};

/** What `git apply` makes of the files. */
function applyByGit(files: Record<string, string>, diff: string): Record<string, string> {
  for (const [name, text] of Object.entries(files)) write(name, text);
  write('the.patch', diff);
  execFileSync('git', ['apply', '--check', '--whitespace=nowarn', 'the.patch'], { cwd: folder });
  execFileSync('git', ['apply', '--whitespace=nowarn', 'the.patch'], { cwd: folder });
  return Object.fromEntries(Object.keys(files).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

test('a diff has three lines of context, its line breaks, and says where the last one is missing', () => {
  const text = 'on: push\r\njobs:\r\n  test:\r\n    name: x\r\n    runs-on: ubuntu-24.04';
  const limit = setOf({ do: 'insert', at: ['jobs', 'test'], key: 'timeout-minutes', value: 5, after: ['runs-on'] });
  expect(patchFile({ path, text }, [limit], passed).patch?.diff).toBe(
    [
      '--- a/.github/workflows/ci.yml',
      '+++ b/.github/workflows/ci.yml',
      '@@ -2,4 +2,5 @@',
      ' jobs:\r',
      '   test:\r',
      '     name: x\r',
      '-    runs-on: ubuntu-24.04',
      '\\ No newline at end of file',
      '+    runs-on: ubuntu-24.04\r',
      '+    timeout-minutes: 5',
      '\\ No newline at end of file',
      '',
    ].join('\n'),
  );
});

describe('git accepts', () => {
  test('the diffs of files written in every way', () => {
    const files: Record<string, string> = {};
    const expected: Record<string, string> = {};
    const diffs: { path: string; diff: string }[] = [];
    for (let seed = 1; seed <= 300; seed++) {
      const random = dice(seed * 7919);
      const workflow = madeWorkflow(random);
      const [name, text] = [`.github/workflows/${seed}.yml`, madeFile(random, workflow)];
      const { patch } = patchFile({ path: name, text }, madeSets(random, workflow), passed);
      if (!patch) continue;
      files[name] = text;
      expected[name] = patch.text;
      diffs.push({ path: name, diff: patch.diff });
    }
    expect(diffs.length).toBeGreaterThan(100);
    const head = { repository: 'octo/web', commit: 'f'.repeat(40), lines: ['ADV-05 Time limits\nfor jobs'] };
    expect(applyByGit(files, joinDiffs(head, diffs))).toEqual(expected);
  });

  test.each(['with spaces.yml', 'ümlaut 灯.yml', 'quo"te.yml', "it's.yml"])('a file called %s', (name) => {
    expect(applyByGit({ [name]: 'a\n' }, formatDiff(name, 'a\n', 'b\n'))).toEqual({ [name]: 'b\n' });
  });
});

test('a patch to download begins with its head and has its files in the order of their paths', () => {
  const diffs = ['b.yml', 'a.yml'].map((name) => ({ path: name, diff: formatDiff(name, 'a\n', 'b\n') }));
  const lines = joinDiffs({ repository: 'octo/web', commit: 'abc', lines: ['ADV-05 Time\r\nlimits'] }, diffs).split(
    '\n',
  );
  expect(lines.slice(0, 3)).toEqual(['# octo/web at abc', '# ADV-05 Time limits', '--- a/a.yml']);
  expect(lines.indexOf('--- a/b.yml')).toBeGreaterThan(3);
});
