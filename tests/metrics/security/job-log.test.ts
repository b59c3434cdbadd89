import { describe, expect, test } from 'vitest';
import { JobLogReader, type JobTimes } from '../../../server/metrics/security/job-log.ts';
import { maxLogBytes } from '../../../server/metrics/security/log-lines.ts';
import { dated, download, immutablePackage, jobLines, logStart } from './log-text.ts';

const [evil, good] = ['e'.repeat(40), 'a'.repeat(40)];
const digest = `sha256:${'d'.repeat(64)}`;
const times: JobTimes = { startedAt: logStart, completedAt: logStart + 30_000 };

/** In pieces of so many bytes. */
function readText(text: string, { size = 1 << 16, of = times } = {}) {
  const reader = new JobLogReader(of);
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += size) if (!reader.push(bytes.subarray(start, start + size))) break;
  return reader.end();
}
const read = (parts: Parameters<typeof jobLines>[0], more?: Parameters<typeof readText>[1]) =>
  readText(dated(jobLines(parts)).join('\n'), more);
const lineOf = (commit: string, more: object = {}) => ({
  actionKey: 'a/b',
  ref: 'v4',
  commit,
  isInStep: false,
  isAtOtherTime: false,
  ...more,
});
const [real, other] = [download('a/b@v4', evil), download('a/b@v4', good)];

describe('what the head of a log says that a job was granted', () => {
  const grants = (lines: readonly string[]) => {
    const reader = new JobLogReader(times);
    reader.push(Buffer.from(dated(lines).join('\n')));
    reader.end();
    return reader.grants();
  };
  const whole = jobLines({});

  test('scopes of its token as workflow files write them, and whose secrets it has', () => {
    const more = whole.toSpliced(3, 0, 'PullRequests: write', 'Metadata: read');
    expect(grants(more)).toEqual({
      permissions: { contents: 'read', 'pull-requests': 'write', metadata: 'read' },
      secretSource: 'Actions',
    });
    expect(grants(whole.map((line) => line.replace('source: Actions', 'source: None'))).secretSource).toBe('None');
  });

  test('none where it does not say so, and nothing that a step wrote', () => {
    const head = whole.filter((line) => !/Permissions|Contents|Secret source/.test(line));
    expect(grants(head)).toEqual({ permissions: null, secretSource: null });
    const written = ['##[group]GITHUB_TOKEN Permissions', 'Contents: write', '##[endgroup]', 'Secret source: None'];
    expect(grants([...head, ...written])).toEqual({ permissions: null, secretSource: null });
    expect(grants([...whole, ...written])).toEqual({ permissions: { contents: 'read' }, secretSource: 'Actions' });
    expect(grants(['somebody wrote this', ...written])).toEqual({ permissions: null, secretSource: null });
  });
});

describe('what a log names', () => {
  test('1 and 2: the commit of each action, in a log that is whole', () => {
    const found = read({ downloads: [real, download('Actions/Checkout@v6.0.1', good)] });
    expect(found.isComplete).toBe(true);
    expect(found.downloads).toMatchObject([
      lineOf(evil),
      lineOf(good, { actionKey: 'actions/checkout', ref: 'v6.0.1' }),
    ]);
    expect(found.downloads[0]?.at).toBe(logStart + 80);
    expect(read({}).isComplete).toBe(true);
  });

  test('a ref with a control character is none', () => {
    expect(read({ downloads: [download('a/b@v4\u0000', evil)] })).toEqual({ downloads: [], isComplete: false });
  });

  test('23: an immutable package by the commit of its source', () => {
    expect(read({ downloads: immutablePackage('a/b@v4', evil) })).toMatchObject({
      downloads: [lineOf(evil, { digest })],
      isComplete: true,
    });
    expect(read({ downloads: [real] }).downloads).toMatchObject([lineOf(evil, { digest: null })]);
    const without = immutablePackage('a/b@v4', evil).filter((line) => !line.startsWith('Digest'));
    expect(read({ downloads: without }).downloads).toMatchObject([lineOf(evil, { digest: null })]);
    const cut = immutablePackage('a/b@v4', evil).filter((line) => !line.startsWith('Source'));
    expect(read({ downloads: cut })).toEqual({ downloads: [], isComplete: false });
  });

  test('22: an image by the digest of its pull', () => {
    const pull = (name: string) => [`##[command]/usr/bin/docker pull ${name}`, `Digest: ${digest}`];
    expect(read({ setUp: pull('T/Scan:0.69.4') }).downloads).toMatchObject([
      lineOf(digest, { actionKey: 'docker://t/scan', ref: '0.69.4' }),
    ]);
    expect(read({ setUp: ['##[command]/usr/bin/docker pull t/scan:0.69.4'] }).downloads).toEqual([]);
    expect(read({ steps: pull('t/scan:0.69.4') }).downloads).toEqual([]);
    const built = ['##[command]/usr/bin/docker build -t 1 .', ...pull('t/scan:0.69.4')];
    expect(read({ setUp: built }).downloads).toEqual([]);
  });

  test('nested actions are resolved in several rounds, and a warning between them ends nothing', () => {
    const rounds = [other, 'Getting action download info', '##[warning]Back off', download('x/y@v1', good)];
    const found = read({ downloads: rounds });
    expect(found.downloads.map(({ isInStep }) => isInStep)).toEqual([false, false]);
    expect(found.isComplete).toBe(true);
  });
});

describe('what a step writes', () => {
  test('9: a forged line neither removes a real one nor counts itself', () => {
    const forgedClean = read({ downloads: [real], steps: [other] });
    expect(forgedClean).toMatchObject({ downloads: [lineOf(evil)], isComplete: false });
    const forgedBad = read({ downloads: [other], steps: [real] });
    expect(forgedBad).toMatchObject({ downloads: [lineOf(good)], isComplete: false });
    const whole = ['Getting action download info', real, 'Complete job name: build', '##[endgroup]', real];
    expect(read({ downloads: [other], steps: whole }).downloads).toMatchObject([lineOf(good)]);
  });

  test('20: a line of a local action is kept as one of a step', () => {
    const local = ['Prepare all required actions', 'Getting action download info', real];
    const before = read({ steps: [...local, '##[group]Run ./.github/actions/x', '##[endgroup]'] });
    expect(before).toMatchObject({ downloads: [lineOf(evil, { isInStep: true })], isComplete: true });
    const within = read({ steps: ['##[group]Run $/.github/actions/x', '##[endgroup]', ...local, '##[group]Run y'] });
    expect(within).toMatchObject({ downloads: [lineOf(evil, { isInStep: true })], isComplete: true });
    const nested = ['##[group]Run ./x', '##[group]Run echo', real];
    expect(read({ steps: nested })).toEqual({ downloads: [], isComplete: false });
  });

  test('a script that begins with a path is no local action', () => {
    const script = ['##[group]Run ./gradlew build', './gradlew build', 'shell: /usr/bin/bash -e {0}', '##[endgroup]'];
    expect(read({ downloads: [other], steps: [...script, real] })).toMatchObject({
      downloads: [lineOf(good)],
      isComplete: false,
    });
    expect(read({ steps: [real, ...script] })).toEqual({ downloads: [], isComplete: false });
    expect(read({ downloads: [other], steps: script }).isComplete).toBe(true);
  });

  test('a line separator in the head of a step, or in a ref, hides neither', () => {
    const found = read({
      setUp: ['##[group]Run echo\u2028x', '##[command]/usr/bin/docker pull t/scan:1', `Digest: ${digest}`],
    });
    expect(found.downloads).toEqual([]);
    expect(read({ downloads: [download('a/b@v4\u2028', evil)] })).toEqual({ downloads: [], isComplete: false });
  });

  test('inputs of a called workflow, of several lines, are no downloads', () => {
    const inputs = ['##[group] Inputs', '  title: x', 'Getting action download info', real, '##[endgroup]'];
    const late = read({ downloads: [other, ...inputs] });
    expect(late).toMatchObject({ downloads: [lineOf(good)], isComplete: false });
    const early = read({ before: inputs, downloads: [other] });
    expect(early).toEqual({ downloads: [], isComplete: false });
  });

  test('secrets in any place of a log are not kept', () => {
    const secret = 'hunter2-hunter2';
    const places = [secret, `Download action repository '${secret}'`, `Download action repository '${secret}' (SHA:x)`];
    const found = read({ before: [secret], downloads: [other, ...places], setUp: places, steps: places });
    expect(JSON.stringify(found)).not.toContain(secret);
    expect(found.isComplete).toBe(false);
  });
});

describe('what stands before the runner starts', () => {
  const sha = 'c'.repeat(40);
  const header = [
    'Requested labels: ubuntu-latest',
    'Job defined at: octo/flows/.github/workflows/test.yml@refs/heads/main',
    'Reusable workflow chain:',
    `octo/app/.github/workflows/ci.yml@refs/pull/36/merge (${sha})`,
    `-> octo/flows/.github/workflows/test.yml@refs/heads/main (${sha})`,
    'Evaluating notify.if',
    "Evaluating: (github.ref == 'refs/heads/main')",
    "Expanded: ('refs/heads/main' == 'refs/heads/main')",
    'Result: true',
    'Waiting for a runner to pick up this job...',
    'Job is about to start running on the hosted runner: GitHub Actions 7',
  ];
  const readWith = (before: string[]) => readText(dated([...before, ...jobLines({ downloads: [real] })]).join('\n'));

  test('which workflows led to the job', () => {
    expect(readWith(header)).toMatchObject({ downloads: [lineOf(evil)], isComplete: true });
  });

  test('a text that may go on in the next line', () => {
    const forged = ["Expanded: ('a", "Current runner version: '2'", 'Getting action download info', other];
    expect(readWith(forged)).toMatchObject({ isComplete: false });
    expect(readWith(forged).downloads.filter(({ isInStep }) => !isInStep)).toEqual([]);
  });
});

describe('a log that does not tell all', () => {
  const lines = dated(jobLines({ downloads: [other] }));

  test('cut at its end or at its start', () => {
    for (let kept = 1; kept < lines.length; kept++) {
      expect(readText(lines.slice(0, kept).join('\n')).isComplete).toBe(false);
      expect(readText(lines.slice(kept).join('\n')).isComplete).toBe(false);
    }
    expect(readText('')).toEqual({ downloads: [], isComplete: false });
  });

  test('with an end that a step wrote before the true one', () => {
    expect(read({ steps: ['Cleaning up orphan processes', 'more'] }).isComplete).toBe(false);
    const early = dated(jobLines({})).join('\n');
    const later = { startedAt: logStart, completedAt: logStart + 3_600_000 };
    expect(readText(early, { of: later }).isComplete).toBe(false);
  });

  test('a download without a commit, or in an unknown form', () => {
    for (const line of ["Download action repository 'a/b@v4'", `Download action repository 'a b' (SHA:${good})`])
      expect(read({ downloads: [line] })).toEqual({ downloads: [], isComplete: false });
  });

  test('26: a clock that is 20 minutes off', () => {
    const off = { startedAt: logStart - 20 * 60_000, completedAt: logStart - 19 * 60_000 };
    expect(read({ downloads: [real] }, { of: off })).toMatchObject({
      downloads: [lineOf(evil, { isAtOtherTime: true })],
      isComplete: false,
    });
    const near = { startedAt: logStart + 59_000, completedAt: logStart + 60_000 };
    expect(read({ downloads: [real] }, { of: near })).toMatchObject({ downloads: [lineOf(evil)], isComplete: true });
  });

  test('more lines about downloads than a job has', () => {
    const many = Array.from({ length: 1200 }, (_, index) => download(`a/b${index}@v1`, good));
    const found = read({ downloads: many });
    expect(found.downloads).toHaveLength(1000);
    expect(found.isComplete).toBe(false);
  });
});

describe('how a log is written and arrives', () => {
  const lines = dated(jobLines({ downloads: [real], steps: ['ünïcödé ✓', ''] }));

  test('with marks of the encoding, either end of lines, and in pieces of any size', () => {
    const expected = { downloads: [lineOf(evil)], isComplete: true };
    for (const size of [1, 2, 3, 7, 64, 1 << 20]) {
      expect(readText(lines.join('\n'), { size })).toMatchObject(expected);
      expect(readText(`\uFEFF${lines.join('\r\n')}\r\n`, { size })).toMatchObject(expected);
      expect(readText(lines.map((line) => `\uFEFF${line}`).join('\n'), { size })).toMatchObject(expected);
    }
  });

  test('60 MiB, of which 8 are read and hardly any kept, in many lines or a single one', () => {
    const filler = Buffer.alloc(1 << 20, `${dated(['x'.repeat(500)])[0]}\n`);
    const single = Buffer.alloc(1 << 20, 'x');
    for (const piece of [filler, single]) {
      const reader = new JobLogReader(times);
      reader.push(Buffer.from(`${lines.slice(0, -1).join('\n')}\n`));
      let pushed = 0;
      while (pushed < 60 << 20 && reader.push(piece)) pushed += piece.length;
      expect(pushed).toBeLessThanOrEqual(maxLogBytes);
      expect(reader.end()).toMatchObject({ downloads: [lineOf(evil)], isComplete: false });
    }
  });
});
