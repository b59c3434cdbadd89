// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { HealthTable } from '../../app/routes/org/health-table.tsx';
import { drawInRoot } from './in-root.tsx';

const page = { now: Date.parse('2026-11-16T10:00:00Z'), zone: 'UTC', base: '' };

test('the trend of merges promises no more weeks than it compares', () => {
  const row = { repo: 'web', overall_bus_factor: null, dora_level: null, risk_band: 'insufficient_data', reasons: [] };
  drawInRoot(<HealthTable data={{ repos: [row], limit: 10, org: 'octo' } as never} search="" base="" />, page);
  expect(document.body.innerHTML).toContain('Latest full weeks, up to six, compared with as many before');
});
