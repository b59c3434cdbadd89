import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formatPatch, patchRecommendations } from '../../server/advisor/patch-recommendations.ts';
import { recommend } from '../../server/advisor/recommend.ts';
import { workflowTexts } from '../../server/demo/workflow-texts.ts';
import { aJob, anAdvisedRepository, anAttempt, day, hour, minute, now } from './histories.ts';
import { patchWith } from './patched-recommendation.ts';

/** Of each of 25 branches two runs of a pull request, the first replaced by the second, and of the push of the second. */
const attempts = Array.from({ length: 25 }, (_, index) => index).flatMap((index) => {
  const arrivedAt = now - 20 * day + index * hour;
  const one = { headBranch: `b-${index}`, headSha: `s-${index}`, arrivedAt };
  return [
    anAttempt({ ...one, headSha: `first-${index}` }),
    anAttempt({ ...one, arrivedAt: arrivedAt + minute }),
    anAttempt({ ...one, arrivedAt: arrivedAt + minute, event: 'push' }),
  ];
});

const repository = anAdvisedRepository({
  files: Object.entries(workflowTexts).map(([name, text]) => ({ path: `.github/workflows/${name}`, text })),
  workflowIds: new Map([['.github/workflows/test.yml', 7001]]),
  attempts,
});
const offered = (from = repository) => recommend(from).filter(({ reasons }) => reasons.length === 0);

test('every recommendation can be made, alone and together with all others, and nothing is left to recommend', () => {
  const all = offered();
  expect(new Set(all.map(({ kind }) => kind.id))).toEqual(new Set(['ADV-01', 'ADV-02', 'ADV-20', 'ADV-22']));
  for (const one of all) {
    const { files, refused } = patchRecommendations(repository, [one]);
    expect([one.id, files.map(({ path }) => path), refused]).toEqual([one.id, [one.path], []]);
  }
  const { files, refused } = patchRecommendations(repository, all);
  expect(refused).toEqual([]);
  const texts = new Map(files.map(({ path, patch }) => [path, patch.text]));
  const patched = {
    ...repository,
    files: repository.files.map(({ path, text }) => ({ path, text: texts.get(path) ?? text })),
  };
  const again = new Set(offered(patched).map(({ id }) => id));
  expect(all.filter(({ id }) => again.has(id))).toEqual([]);
});

describe('a change with a next step at the same place', () => {
  test('a schedule of every hour is patched, though one of every six hours is still too often', () => {
    const attempts = Array.from({ length: 40 }, (_, index) =>
      anAttempt({ event: 'schedule', headSha: 'same', arrivedAt: now - 20 * day + index * hour }),
    );
    const scheduled = (cron: string) =>
      `on:\n  schedule:\n    - cron: '${cron}'\npermissions: {}\njobs:\n  a:\n    runs-on: ubuntu-24.04\n    steps: [{run: make}]\n`;
    expect(patchWith('ADV-03', scheduled('0 * * * *'), { attempts })).toEqual({
      diff: ["-    - cron: '0 * * * *'", "+    - cron: '17 */6 * * *'"],
      refused: [],
    });
    expect(patchWith('ADV-03', scheduled('17 */6 * * *'), { attempts }).diff).toHaveLength(2);
  });

  test('a cell of a matrix of eight is left out, though another one is spare as well', () => {
    const [systems, versions] = [
      ['ubuntu-24.04', 'macos-15'],
      [18, 20, 22, 24],
    ];
    const text = `on: pull_request\npermissions: {}\njobs:\n  test:\n    runs-on: \${{ matrix.os }}\n    strategy:\n      matrix:\n        os: [${systems.join(', ')}]\n        node: [${versions.join(', ')}]\n    steps: [{run: make}]\n`;
    const attempts = Array.from({ length: 200 }, (_, index) => {
      const arrivedAt = now - 60 * day + index * hour;
      const cells = systems.flatMap((os) => versions.map((node) => `test (${os}, ${node})`));
      return anAttempt({ arrivedAt, jobs: cells.map((name) => aJob(name, arrivedAt, name.includes('22') ? 6 : 3)) });
    });
    expect(patchWith('ADV-07', text, { attempts, requiredChecks: [] })).toEqual({
      diff: ['+        exclude:', '+          - os: ubuntu-24.04', '+            node: 22'],
      refused: [],
    });
  });
});

test('an action that a secret reaches can be pinned: what is found of it is found as before', () => {
  const text = `on: push
jobs:
  ship:
    runs-on: ubuntu-24.04
    env:
      TOKEN: \${{ secrets.TOKEN }}
    steps:
      - uses: harbor/ship@v2
`;
  const commit = '8b1f3c0d9e7a45264fd1b6c82a9e03d75b4c1f60';
  const known = { commit, tags: ['v2.1.0'], isBranchAndTag: false, isArchived: false, isReachable: true };
  const actions = new Map([['harbor/ship@v2', { ...known, commentedCommit: null, advisories: [] }]]);
  const { diff, refused } = patchWith('ADV-21', text, {
    around: { visibility: 'private', largerRunnerLabels: [], actions },
  });
  expect(refused).toEqual([]);
  expect(diff).toEqual(['-      - uses: harbor/ship@v2', `+      - uses: harbor/ship@${commit} # v2.1.0`]);
});

test('the file to download is what git applies', () => {
  const folder = mkdtempSync(join(tmpdir(), 'patched-'));
  try {
    for (const { path, text } of repository.files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const chosen = offered();
    const patch = patchRecommendations(repository, chosen);
    const text = formatPatch(patch, { repository: 'octo/web', commit: 'abc', chosen });
    expect(text.split('\n')[0]).toBe('# octo/web at abc');
    const { status, stderr } = spawnSync('git', ['apply', '-'], { cwd: folder, input: text, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
    for (const { path, patch: one } of patch.files) expect(readFileSync(join(folder, path), 'utf8')).toBe(one.text);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('what a comment accepts for the scan is not recommended', () => {
  const suppressed = recommend(repository).filter(
    ({ path, kind }) => path.endsWith('nightly.yml') && kind.id === 'ADV-22',
  );
  expect(suppressed.map(({ reasons }) => reasons)).toEqual([['suppressed', 'needs_credentials']]);
});

describe('a hard-coded credential', () => {
  const path = '.github/workflows/release.yml';
  const token = `ghp_${'b7Qx2LkT9vRm4WzN8cYp6HsJ3fDg5AeU1tKo'}`;
  const far = Array.from({ length: 8 }, (_, index) => `      - run: echo ${index}`).join('\n');
  const patchOf = (text: string) => {
    const one = { ...repository, files: [{ path, text }], attempts: null };
    return patchRecommendations(
      one,
      recommend(one).filter(({ kind }) => kind.id === 'ADV-22'),
    );
  };
  const fileWith = (between: string) =>
    `on: push\njobs:\n  a:\n    runs-on: ubuntu-24.04\n    steps:\n      - uses: actions/checkout@v4\n${between}      - run: curl -H "token ${token}" https://example.com\n`;

  test('is in no diff: a change beside it is refused, with its lines', () => {
    const { files, refused } = patchOf(fileWith(''));
    expect(files).toEqual([]);
    expect(refused.map(({ refusal: { code, lines } }) => ({ code, lines }))).toEqual([
      { code: 'shows_credential', lines: [7] },
    ]);
    expect(JSON.stringify(refused)).not.toContain(token);
  });

  test('further away leaves the diff as it is, and the text is marked', () => {
    const { files, refused } = patchOf(fileWith(`${far}\n`));
    expect(refused).toEqual([]);
    expect(files.map(({ holdsCredential, patch }) => [holdsCredential, patch.diff.includes('ghp_')])).toEqual([
      [true, false],
    ]);
  });

  test('changes one of several recommendations alone', () => {
    const one = { ...repository, attempts: null, files: [{ path, text: fileWith('') }] };
    const chosen = recommend(one).filter(({ kind }) => ['ADV-20', 'ADV-22'].includes(kind.id));
    const { files, refused } = patchRecommendations(one, chosen);
    expect(files.map(({ patch }) => patch.diff.includes('+permissions:'))).toEqual([true]);
    expect(refused.map(({ refusal: { code } }) => code)).toEqual(['shows_credential']);
  });
});

test('more than 200 KB of diff are refused', () => {
  const wide = `      # ${'x'.repeat(120 * 1024)}\n`;
  const fileOf = (name: string) => ({
    path: `.github/workflows/${name}.yml`,
    text: `on: push\njobs:\n  a:\n    runs-on: ubuntu-24.04\n    steps:\n${wide}      - uses: actions/checkout@v4\n      - run: echo\n`,
  });
  const one = { ...repository, attempts: null, files: [fileOf('a'), fileOf('b')] };
  const chosen = recommend(one).filter(({ kind }) => kind.id === 'ADV-22');
  const { files, refused } = patchRecommendations(one, chosen);
  expect(files.map(({ path }) => path)).toEqual(['.github/workflows/a.yml']);
  expect(refused.map(({ refusal: { code } }) => code)).toEqual(['too_large']);
});
