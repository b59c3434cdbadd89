import { expect, test } from 'vitest';
import { scanFile } from '../../server/scan/scan.ts';
import { around } from './found-by.ts';

const now = Date.parse('2026-11-16T10:00:00Z');
const head = 'on: [issues, workflow_run]\njobs:\n  a:\n    runs-on: x\n    steps:\n      - run: |\n          ';
const script = (part: string) => (length: number) => head + part.repeat(Math.ceil(length / part.length));
const secret = `\${{ secrets.A }}`;
const times = (count: number, one: (index: number) => string) =>
  Array.from({ length: count }, (_, n) => one(n)).join('');

/** Processor time of this thread, the better of two, because others may keep the machine busy. */
function cpuMs(text: string): number {
  const once = () => {
    const before = process.threadCpuUsage();
    scanFile('.github/workflows/hostile.yml', text, around, now);
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  };
  return Math.min(once(), once());
}

/** Each took time with the square of its length; four times the length may take ten times as long, not sixteen. */
test.each([
  ['secrets in one command', script(`docker login -p ${secret} `), 30_000],
  ['variables written to the environment', script('echo $A $B $C >> $GITHUB_ENV '), 30_000],
  ['`sudo` before `sudo`', script('sudo '), 400_000],
  [
    'a block with many redirects',
    (n: number) => `${script('a;')(n / 2).replace('a;', '{ a;')} }${' >x'.repeat(n / 6)}`,
    15_000,
  ],
  ['a pipe behind a block', (n: number) => `${head}{ ${'curl x;'.repeat(n / 14)} }${'| tee x'.repeat(n / 14)}`, 40_000],
  ['an old command with spaces', (n: number) => `${head}::set-output${' '.repeat(n)}x`, 30_000],
  ['openings of expressions', (n: number) => `${head}${`\${{`.repeat(n / 3)}}}`, 60_000],
  ['refs of pull requests', (n: number) => `${head}git fetch ${':pull/'.repeat(n / 6)}`, 60_000],
  ['tags of flags', (n: number) => `on: push\nname: "${'\u{E0041}'.repeat(n / 2)}"\n`, 30_000],
  [
    'short passwords',
    (n: number) =>
      `on: push\njobs:\n  a:\n    services:\n${times(n / 60, (i) => `      s${i}: { image: x, credentials: { password: p${i} } }\n`)}`,
    30_000,
  ],
  [
    'variables of the workflow and jobs that use actions',
    (n: number) =>
      `on: push\nenv:\n${times(n / 60, (i) => `  V${i}: ${secret}\n`)}jobs:\n${times(n / 80, (i) => `  j${i}: { steps: [{ uses: a/b@v1 }] }\n`)}`,
    60_000,
  ],
  [
    'labels that a matrix lists',
    (n: number) =>
      `on: push\njobs:\n  a:\n    runs-on: [${`'\${{ matrix.x }}',`.repeat(n / 40)}]\n    strategy:\n      matrix:\n        x: [${'y,'.repeat(n / 4)}]\n`,
    30_000,
  ],
])('%s are read in time that grows with their length', (_name, make, length) => {
  const [small, large] = [cpuMs(make(length)), cpuMs(make(length * 4))];
  expect(large).toBeLessThan(10 * Math.max(small, 15));
});

test('a name of a variable is no pattern', () => {
  const text = `on: push\njobs:\n  a:\n    runs-on: x\n    env:\n      "(": \${{ toJSON(github) }}\n    steps:\n      - run: echo "$A"\n`;
  expect(scanFile('.github/workflows/odd.yml', text, around, now).parseError).toBeNull();
});

test('what is shown of a file is short, however long its names are', () => {
  const steps = `      - name: ${'n'.repeat(5000)}\n        run: |\n${`          echo \${{ github.head_ref }}\n`.repeat(3)}`;
  const { findings } = scanFile(
    '.github/workflows/long.yml',
    `on: pull_request\njobs:\n  a:\n    steps:\n${steps}`,
    around,
    now,
  );
  expect(findings.length).toBeGreaterThan(2);
  for (const { step, context, detail } of findings)
    for (const text of [step, context, detail]) expect((text ?? '').length).toBeLessThanOrEqual(500);
});
