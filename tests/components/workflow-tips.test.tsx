// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Reliability } from '../../app/routes/repo/workflow/operations.ts';
import { Tips } from '../../app/routes/repo/workflow/tips.tsx';
import { drawInRoot } from './in-root.tsx';

const baselines = [{}] as Reliability['baselines'];
const anomalies = [1, 1, 2].map((id) => ({ run: { id } })) as Reliability['anomalies'];
const shifts = [{}] as Reliability['level_shifts'];

function draw(parts: Partial<Reliability>, features = ['anomalyDetection'], hidden: string[] = []) {
  const data = { runs_read: 50, tips: [], anomalies: [], level_shifts: [], baselines: [], ...parts } as unknown;
  const root = { now: 0, zone: 'UTC', base: '', features, hidden };
  drawInRoot(<Tips data={data as Reliability} csv={() => '/csv'} />, root, '/repos/octo/web/workflows/1?per_page=50');
  return document.body.textContent;
}

test('no anomalies are said only where runs were held against earlier ones', () => {
  expect(draw({ baselines })).toBe('No anomalies in the latest 50\u00a0runs.');
  document.body.replaceChildren();
  expect(draw({ runs_read: 3 })).toBe('No highlights in the latest 3\u00a0runs.');
});

test('unusual runs and lasting changes of the same answer are counted, and lead to their list', () => {
  expect(draw({ anomalies, level_shifts: shifts })).toBe('2\u00a0unusual runs, 1\u00a0lasting change');
  expect(screen.getByRole('link').getAttribute('href')).toBe('?per_page=50&tab=reliability');
});

test.each([
  ['who may not see them', [], []],
  ['who hides them', ['anomalyDetection'], ['anomalyDetection']],
])('%s is told nothing of unusual runs', (_who, features, hidden) => {
  expect(draw({ anomalies, level_shifts: shifts, baselines }, features, hidden)).toBe(
    'No highlights in the latest 50\u00a0runs.',
  );
});
