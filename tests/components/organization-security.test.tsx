import { expect, test } from 'vitest';
import { Answer } from '../../app/routes/security/answer.tsx';
import type { Security } from '../../app/routes/security/labels.ts';
import { drawInRoot } from './in-root.tsx';

const page = { now: Date.parse('2026-11-16T10:00:00Z'), zone: 'UTC', base: '' };

/** What the card of findings says, of a page of five repositories. */
function textOf(summary: Partial<Security['summary']>) {
  const data = { denied_features: ['securityAlerts'], read_repos: 5, repos: [], summary } as unknown as Security;
  const part = <Answer data={data} evidence={() => '/e'} severityHref={() => '/s'} query={new URLSearchParams()} />;
  return (drawInRoot(part, page).container.textContent ?? '').replace(/\s+/g, ' ');
}

test('findings are unknown where nothing was scanned, and at least so many where not everything was', () => {
  const all = textOf({ severe_findings: 3, findings_at_least: false, scanned_repos: 5 });
  expect(all).toMatch(/findings.*3.*5 repositories scanned/);
  expect(all).not.toContain('at least');
  const some = textOf({ severe_findings: 3, findings_at_least: true, scanned_repos: 4 });
  expect(some).toMatch(/at least 3.*4 repositories scanned/);
  const none = textOf({ severe_findings: null, findings_at_least: false, scanned_repos: 0 });
  expect(none).toMatch(/No workflow file could be read\..*0 repositories scanned/);
});
