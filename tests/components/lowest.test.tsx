// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { Lowest } from '../../app/routes/org/lowest.tsx';
import { drawInRoot } from './in-root.tsx';

const page = { now: Date.parse('2026-11-16T10:00:00Z'), zone: 'UTC', base: '' };
const row = (name: string, success_rate: number | null) => ({
  repo: { name, full_name: `octo/${name}` },
  summary: { success_rate, success_rate_sample: success_rate === null ? 0 : 10 },
});

test.each<[(number | null)[], string[], string]>([
  [[100, 100, null], [], 'No failures in the last ten runs of the 2 repositories with results.'],
  [
    [100, null, null],
    ['octo/r1', 'octo/r2'],
    'No failures in the last ten runs of the 1 repository with results. 2 repositories could not be loaded.',
  ],
  [[null], [], 'No run passed or failed.'],
  [[null], ['octo/r0'], 'No known run passed or failed. 1 repository could not be loaded.'],
])('no failures are claimed of repositories with results alone: %j, failed %j', (rates, repos_failed, expected) => {
  const repos = rates.map((rate, index) => row(`r${index}`, rate));
  drawInRoot(<Lowest data={{ repos, repos_failed } as never} />, page);
  expect(document.body.textContent?.replaceAll('\u00a0', ' ')).toBe(expected);
});
