// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { expect, test } from 'vitest';
import type { WorkflowOverview } from '../../app/routes/repo/panels.ts';
import { MeasurementCard } from '../../app/routes/repo/workflow/measurement-cards.tsx';
import { WorkflowStatePanel } from '../../app/routes/repo/workflow-state.tsx';
import { drawInRoot } from './in-root.tsx';

const root = { now: 0, zone: 'UTC', base: '' };

test.each([
  [false, '2 in a row'],
  [true, 'at least 2 in a row'],
])('failures in a row of a repository, a lower bound: %s', (failures_lower_bound, expected) => {
  const latest = { conclusion: 'failed', run_at: '2026-11-16T10:00:00.000Z', failures: 2, failures_lower_bound };
  const row = { id: 1, name: 'CI', state: 'active', default_branch: latest, summary: { recent_runs: [] } };
  const workflows = { ok: true, data: [row as unknown as WorkflowOverview], notes: {} };
  const props = { workflows, summary: { ok: false }, repository: { owner: 'octo', repo: 'web' } } as unknown;
  drawInRoot(<WorkflowStatePanel {...(props as ComponentProps<typeof WorkflowStatePanel>)} />, root);
  expect(screen.getByText(expected)).toBeTruthy();
});

test.each([
  [false, '2'],
  [true, 'at least 2'],
])('failures in a row of a workflow, a lower bound: %s', (lower_bound, expected) => {
  const streak = { key: 'failure_streak', label: 'Consecutive failures', value: 2, unit: 'count', sample: 2 };
  const about = { better: 'lower' as const, source: 'runs', definition: null, left_out: [], lower_bound };
  drawInRoot(<MeasurementCard measurement={{ ...streak, ...about }} evidence={() => '#'} />, root);
  expect(document.querySelector('.headline')?.textContent).toBe(expected);
});
