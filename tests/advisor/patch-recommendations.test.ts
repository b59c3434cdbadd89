import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { formatPatch, patchRecommendations } from '../../server/advisor/patch-recommendations.ts';
import { type AdvisedRepository, recommend } from '../../server/advisor/recommend.ts';
import { workflowTexts } from '../../server/demo/workflow-texts.ts';
import { anAttempt, day, hour, minute, now } from './histories.ts';

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

const repository: AdvisedRepository = {
  id: 42,
  defaultBranch: 'main',
  files: Object.entries(workflowTexts).map(([name, text]) => ({ path: `.github/workflows/${name}`, text })),
  workflowIds: new Map([['.github/workflows/test.yml', 7001]]),
  around: { visibility: 'private', largerRunnerLabels: [], actions: null },
  attempts,
  deployedAt: [],
  now,
};
const offered = (from = repository) => recommend(from).filter(({ reasons }) => reasons.length === 0);

test('every recommendation can be made, alone and together with all others, and nothing is left to recommend', () => {
  const all = offered();
  expect(new Set(all.map(({ kind }) => kind.id))).toEqual(new Set(['ADV-01', 'ADV-02', 'ADV-20']));
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
  expect(suppressed.map(({ reasons }) => reasons)).toEqual([['suppressed']]);
});
