import type { Domain } from '../../api/wire.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { alertAge, alertsInOrder, type SecurityAlert, severityCounts } from '../../metrics/security/security-alerts.ts';
import { matchesFinding, type SecurityFilter } from '../../metrics/security/security-filter.ts';
import { Problem } from '../../platform/problem.ts';
import type { Finding } from '../../scan/scan.ts';
import { isScanPartial, scanStatus } from '../security-scan/scans.ts';
import { isReadable, isUnreadable, type SourceState } from './alerts.ts';
import { listFindings } from './entries.ts';
import type { KnownRepository, ReadRepository } from './reading.ts';
import type { OrganizationSecurity } from './schema.ts';

type Row = Domain<typeof OrganizationSecurity>['repos'][number];

/** How many alerts of a repository are named; its own page has the others. */
const maxNamed = 3;

/** A repository of the page with its open alerts that match. */
export function toRow(known: KnownRepository, alerts: SecurityAlert[], filter: SecurityFilter, now: Instant): Row {
  const { repository, open, read } = known;
  const created = alerts.map(({ createdAt }) => createdAt);
  return {
    owner: repository.owner,
    repo: repository.repo,
    visibility: repository.visibility,
    open: open && severityCounts(alerts),
    openCount: open && alerts.length,
    oldestOpenDays: created.length === 0 ? null : alertAge({ createdAt: Math.min(...created) }, now),
    alerts: alertsInOrder(alerts)
      .slice(0, maxNamed)
      .map((alert) => toNamed(alert, now)),
    sources: read?.sources
      ? {
          dependabot: toSource(read.sources.dependabot),
          codeScanning: toSource(read.sources.code_scanning),
          secretScanning: toSource(read.sources.secret_scanning),
        }
      : null,
    workflows: toWorkflows(read, filter),
    partial: isRowPartial(known),
  };
}

const toNamed = (alert: SecurityAlert, now: Instant): Row['alerts'][number] => ({
  ...alert,
  ageDays: alertAge(alert, now),
});

const toSource = ({ status, message, open, truncated }: SourceState) => ({
  status,
  message,
  openCount: isReadable({ status }) ? open.length : null,
  truncated,
});

function toWorkflows(read: ReadRepository | null, filter: SecurityFilter): Row['workflows'] {
  const workflows = read?.workflows ?? null;
  if (workflows === null) return null;
  if (workflows instanceof Problem)
    return {
      status: 'error',
      message: workflows.message,
      filesFound: null,
      filesScanned: null,
      findings: null,
      partial: true,
    };
  const { files, scanned } = workflows;
  const scans = scanned.map(({ scan }) => scan);
  const status = scanStatus(scans);
  const findings = listFindings(read).map(({ finding }) => finding);
  const [firstError] = scans.flatMap(({ parseError }) => parseError ?? []);
  return {
    status,
    message: firstError ?? null,
    filesFound: scans.length,
    filesScanned: scans.filter(({ parseError }) => parseError === null).length,
    findings: status === 'unreadable' ? null : countFindings(findings.filter((one) => matchesFinding(one, filter))),
    partial: isScanPartial(files, scanned),
  };
}

/** One for each place; a finding that a comment suppresses is not open. */
export function countFindings(findings: readonly Finding[]) {
  const open = findings.filter(({ suppression }) => suppression?.state !== 'active');
  const count = (wanted: Finding['severity']) => open.filter(({ severity }) => severity === wanted).length;
  return { critical: count('critical'), high: count('high'), medium: count('medium'), info: count('info') };
}

/** Whether something of a repository could not be read, or not to its end. */
export function isRowPartial({ read }: KnownRepository): boolean {
  const sources = Object.values(read?.sources ?? {});
  if (sources.some((source) => isUnreadable(source) || source.truncated)) return true;
  const workflows = read?.workflows ?? null;
  if (workflows === null) return false;
  return workflows instanceof Problem || isScanPartial(workflows.files, workflows.scanned);
}
