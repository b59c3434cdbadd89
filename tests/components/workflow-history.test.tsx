// @vitest-environment jsdom
import { expect, test } from 'vitest';
import type { Health } from '../../app/routes/repo/workflow/operations.ts';
import { Outcome } from '../../app/routes/repo/workflow/overview.tsx';
import { drawInRoot } from './in-root.tsx';

const outcomes = { passed: 4, failed: 1, cancelled: 0, other: 0, running: 0 };

test.each([
  [5, 'Latest 5\u00a0runs, by latest attempt.'],
  [0, 'No runs yet.'],
])('history of %s runs, as its own answer counts them', (runs_read, expected) => {
  const health = { runs_read, course: { outcomes, rolling: [], days: [], timezone: 'UTC' } } as unknown as Health;
  drawInRoot(<Outcome health={health} zone="UTC" />, { now: 0, zone: 'UTC', base: '' });
  expect(document.body.textContent).toContain(expected);
});
