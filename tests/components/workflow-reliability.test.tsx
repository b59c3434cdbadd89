// @vitest-environment jsdom
import { expect, test } from 'vitest';
import type { Reliability } from '../../app/routes/repo/workflow/operations.ts';
import { Flaky, Recovery } from '../../app/routes/repo/workflow/reliability.tsx';
import { drawInRoot } from './in-root.tsx';

const root = { now: Date.UTC(2026, 10, 24, 12), zone: 'UTC', base: '' };
const getText = () => document.body.textContent?.replaceAll('\u00a0', ' ') ?? '';

test('no flaky commits are said since when commits were looked at', () => {
  const data = { flaky_commits: [], flaky_jobs: [], attempts_with_jobs: 0, attempts_without_jobs: 0 };
  const flaky = { ...data, flaky_since: '2026-11-24T09:10:00.000Z' } as unknown as Reliability;
  drawInRoot(<Flaky data={flaky} csv={() => '/csv'} repository="octo/web" />, root);
  expect(getText()).toMatch(/^No flaky commits since .*09:10\.$/);
});

test.each([
  [0, 'No run of main among the latest 50 runs passed or failed.'],
  [12, 'No failures in the latest 12 runs of main.'],
])('no failures of %s runs of the default branch', (sample, expected) => {
  const streak = { key: 'failure_streak', label: 'Consecutive failures', value: null, unit: 'count', sample };
  const data = { runs_read: 50, default_branch: 'main', recoveries: [], measurements: [streak] } as unknown;
  const shared = {
    sample: { by: 'runs', hasRange: false } as const,
    zone: 'UTC',
    csv: () => '/csv',
    evidence: () => '#',
  };
  drawInRoot(<Recovery data={data as Reliability} {...shared} />, root);
  expect(getText()).toContain(expected);
});
