import { parseEvents } from 'js-yaml';
import { expect, test } from 'vitest';
import { patchFile } from '../../../server/advisor/patch/patch.ts';
import { patchRecommendations } from '../../../server/advisor/patch-recommendations.ts';
import { recommend } from '../../../server/advisor/recommend.ts';
import { processorMs } from '../../support/processor-time.ts';
import { anAdvisedRepository } from '../histories.ts';

const job = (n: number) => `  job-${n}:
    runs-on: ubuntu-24.04 # as everywhere
    timeout-minutes: 30
    permissions: {contents: read}
    steps:
      - uses: actions/checkout@v6
        with: {persist-credentials: false}
      - name: Test ${n}
        run: |
          npm ci
          npm test -- --coverage
`;
const size = 500_000;
const jobs = Array.from({ length: Math.floor(size / job(1000).length) }, (_, n) => job(n));
const text = `on: [push]\npermissions: {contents: read}\njobs:\n${jobs.join('')}`;
const path = '.github/workflows/ci.yml';
const check = { isGone: () => true, newFindings: () => [], showsCredential: () => false };

test('a file of 500 KB is patched and verified in a few times what it takes to parse it twice', () => {
  const at = ['jobs', `job-${jobs.length - 1}`];
  const changes = [{ do: 'replace', at: [...at, 'timeout-minutes'], value: 40 } as const];
  const patch = () => patchFile({ path, text }, [{ id: 'a', kind: 'ADV-05', changes }], check).patch;
  const parse = () => [parseEvents(text, {}), parseEvents(text, {})];
  expect(patch()?.edits.map(({ path: of }) => of)).toEqual([`jobs.job-${jobs.length - 1}.timeout-minutes`]);
  const best = (work: () => unknown) => Math.min(...Array.from({ length: 5 }, () => processorMs(work)));
  best(patch);
  expect(best(patch)).toBeLessThan(6 * best(parse));
});

test('its recommendations are found, and their change is verified with the scan', () => {
  const repository = anAdvisedRepository({
    files: [
      {
        path,
        text: text.replace('    permissions: {contents: read}\n', '').replace('permissions: {contents: read}\n', ''),
      },
    ],
  });
  const chosen = recommend(repository).filter(({ kind }) => kind.id === 'ADV-20');
  const { files, refused } = patchRecommendations(repository, chosen);
  expect([chosen.map(({ reasons }) => reasons), refused]).toEqual([[[]], []]);
  expect(files.map(({ patch }) => patch.edits.length)).toEqual([1]);
});
