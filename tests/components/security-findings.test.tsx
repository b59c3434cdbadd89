import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Scan } from '../../app/routes/repo/security.tsx';
import { WorkflowFindings } from '../../app/routes/repo/security-findings.tsx';
import { drawInRoot } from './in-root.tsx';

const now = '2026-11-16T10:00:00Z';
const page = { now: Date.parse(now), zone: 'UTC', base: '' };

/** A scan of one file in which no rule found anything. */
const clean = {
  not_scanned: [],
  status: 'ok',
  workflows_found: 1,
  workflows_scanned: 1,
  results: [],
} as unknown as Scan;

function textWith(state: Scan['online_rules']['state'], checked = 0, unknown = 0) {
  const online = {
    state,
    actions_checked: checked,
    actions_unknown: unknown,
    as_of: checked + unknown > 0 ? now : null,
  };
  const data = { ...clean, online_rules: online };
  const part = <WorkflowFindings data={data} csvHref="/csv" sarifHref="/sarif" />;
  const { container } = drawInRoot(part, page);
  return (container.textContent ?? '').replace(/\s+/g, ' ');
}

test('rules that were not applied are not taken for ones that found nothing', () => {
  expect(textWith('off')).toContain('Not checked on this installation: archived actions');
  expect(screen.queryByRole('note')).toBeNull();
});

test('a reading that is under way, or left something open, is reported in a notice', () => {
  expect(textWith('reading', 0, 2)).toContain('Reload the page in a few seconds.');
  expect(textWith('partial', 1, 2)).toContain('1 of 3 actions checked.');
  expect(screen.getAllByRole('note')).toHaveLength(2);
});

type Finding = Scan['results'][number]['findings'][number];

test('a finding is a place, and one that a comment suppresses is none', () => {
  const place = (line: number, severity: Finding['severity'], suppression: Finding['suppression'] = null) =>
    ({
      rule_id: 'SEC-001',
      severity,
      title: 'A',
      description: 'B',
      fix: 'C',
      reference: 'D',
      file_path: 'ci.yml',
      line,
      suppression,
    }) as Finding;
  const suppressed = { state: 'active', reason: 'ours', until: null } as const;
  const findings = [place(1, 'medium'), place(2, 'info'), place(3, 'info'), place(4, 'info', suppressed)];
  const online_rules = { state: 'complete', actions_checked: 0, actions_unknown: 0, as_of: null };
  const data = { ...clean, results: [{ findings }], online_rules } as unknown as Scan;
  const { container } = drawInRoot(<WorkflowFindings data={data} csvHref="/csv" sarifHref="/sarif" />, page);
  const text = (container.textContent ?? '').replace(/\s+/g, ' ');
  expect(text).toContain('1 of 1 workflow file scanned; 3 findings: 1 medium, 2 info.');
  expect(text).toContain('1 suppressed finding');
});

test('what was looked up is counted, with its time, and what is not public is named', () => {
  expect(textWith('complete', 3, 1)).toContain('3 actions checked just now. 1 not public or not found.');
  expect(textWith('complete', 2)).not.toContain('Nothing is known');
});
