import { expect, test } from 'vitest';
import { Answer } from '../../app/routes/security/answer.tsx';
import type { Security } from '../../app/routes/security/labels.ts';
import { SecurityTable } from '../../app/routes/security/repositories.tsx';
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

/** The row of a repository of which all sources were read but one, whose list may be longer than what was read. */
function rowWith(truncated: boolean) {
  const source = { status: 'ok', message: null, open_count: 2, truncated: false };
  const row = {
    owner: 'octo',
    repo: 'web',
    visibility: 'private',
    open: { critical: 0, high: 2, medium: 0, low: 0 },
    open_count: 2,
    oldest_open_days: 3,
    alerts: [],
    sources: { dependabot: { ...source, truncated }, code_scanning: source, secret_scanning: source },
    workflows: null,
  };
  const data = { denied_features: ['securityScan'], repos: [row], pages: 1 } as unknown as Security;
  const part = (
    <SecurityTable data={data} rule={null} repositoryQuery="" search="" csvHref="/c" empty={{ cause: '' }} />
  );
  return (drawInRoot(part, page).container.textContent ?? '').replace(/\s+/g, ' ');
}

test('none of a severity is unknown where the list was cut, and a count is at least that', () => {
  const cut = rowWith(true);
  expect(cut).toContain('More alerts are open than were read.');
  expect(cut).toContain('at least 2');
  const complete = rowWith(false);
  expect(complete).not.toMatch(/More alerts are open|at least/);
});
