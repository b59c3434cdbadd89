import { z } from 'zod';
import { repository } from '../../api/parameters.ts';
import { alertSeverities } from '../../metrics/security/security-alerts.ts';
import { getSecurityAlerts } from '../../reports/security-alerts/operations.ts';
import { getSecurityScan } from '../../reports/security-scan/operations.ts';
import { paging } from '../input.ts';
import { type Measurement, measure, type Place, type Shared } from '../measurement.ts';
import type { Note, Part } from '../reader.ts';
import { repositoryPage, sharedOf } from '../shared.ts';
import { tool } from '../tool.ts';
import { untrusted } from '../untrusted.ts';

const unreadable = 'No source of alerts could be read.';

const ofAlerts: readonly Place[] = [
  {
    key: 'open_security_alerts',
    label: 'Open security alerts',
    unit: 'count',
    better: 'lower',
    at: '/total_open',
    missing: unreadable,
  },
  {
    key: 'oldest_open_security_alert',
    label: 'Oldest open security alert',
    unit: 'days',
    better: 'lower',
    at: '/oldest_open_days',
    missing: 'There is no open alert, or none could be read.',
  },
];

const ofFiles: readonly Place[] = (
  [
    ['total_findings', 'Findings in workflow files'],
    ['critical_count', 'Critical findings in workflow files'],
    ['high_count', 'High findings in workflow files'],
  ] as const
).map(([key, label]) => ({
  key,
  label,
  unit: 'count',
  better: 'lower',
  at: `/${key}`,
  n: '/workflows_scanned',
  metric: null,
  missing: null,
}));

type Scan = z.output<typeof getSecurityScan.output>;

/** What the counts of findings are of: a file that was not scanned is not clean. */
function coverageOf({ workflows_found: expected, workflows_scanned: read, not_scanned, partial }: Scan) {
  const reasons: string[] = [...new Set(not_scanned.map(({ reason }) => reason))];
  return { complete: !partial && read === expected, expected, read, reasons };
}

const notApplied: Record<Exclude<Scan['online_rules']['state'], 'complete'>, string> = {
  off: 'Rules that check actions on GitHub are not enabled.',
  reading: 'Actions are being checked on GitHub. Call again in a few seconds.',
  partial: 'Some actions could not be checked on GitHub, so the rules for that do not apply to them.',
};

/** What of the workflow files is not known. */
function scanNotes({ status, online_rules: { state } }: Scan): Note[] {
  const part = 'workflow_files';
  return [
    ...(status === 'unreadable'
      ? [{ code: 'not_scanned', text: 'No workflow file could be scanned, so nothing is counted.', part }]
      : []),
    ...(state === 'complete' ? [] : [{ code: `online_rules_${state}`, text: notApplied[state], part }]),
  ];
}

/** The counts of findings; none where no file could be scanned. */
function measureScan(scan: Part<Scan>, shared: Shared): Measurement[] {
  if (scan.answer.status === 'unreadable') return [];
  return ofFiles.map((place) => measure(scan, place, { ...shared, coverage: coverageOf(scan.answer) }));
}

export const securityFindings = tool({
  name: 'security_findings',
  title: 'Security',
  question: 'Which critical alerts are open, and is there a fix?',
  description:
    'Open alerts for dependencies, code and secrets of a repository by source and severity, and weaknesses found in its workflow files with the way to fix them.',
  input: z.object({ ...repository, severity: z.enum(alertSeverities).optional(), ...paging }),
  operations: [getSecurityAlerts, getSecurityScan],
  questions: ({ owner, repo }) => [
    { operation: getSecurityAlerts, params: { owner, repo } },
    { operation: getSecurityScan, params: { owner, repo } },
  ],
  async run({ owner, repo, severity }, reader) {
    const [alerts, scan] = await Promise.all([
      reader.readPart('alerts', getSecurityAlerts, { owner, repo, severity }),
      reader.readPart('workflow_files', getSecurityScan, { owner, repo }),
    ]);
    const page = repositoryPage({ owner, repo }, '/security');
    const shared = sharedOf(reader, { owner, repo }, page);
    const { matching_open: open, alerts: shown } = alerts?.answer ?? { matching_open: null, alerts: [] };
    if (open !== null && open > shown.length)
      reader.notes.push({
        code: 'worst_only',
        text: `The worst ${shown.length} of ${open} open alerts can be listed.`,
      });
    if (scan) reader.notes.push(...scanNotes(scan.answer));
    const findings = (scan?.answer.results ?? []).flatMap((file) => file.findings);
    return {
      subject: { owner, repo },
      parts: [alerts, scan].filter((part) => part !== null),
      measurements: [
        ...(alerts ? ofAlerts.map((place) => measure(alerts, place, shared)) : []),
        ...(scan ? measureScan(scan, shared) : []),
      ],
      items: [
        ...Object.entries(alerts?.answer.sources ?? {}).map(([source, { message: _message, ...rest }]) => ({
          key: `source ${source}`,
          value: { kind: 'source', source, ...rest },
        })),
        ...(alerts?.answer.alerts ?? []).map((alert) => ({
          key: `${alert.source} ${alert.number}`,
          value: {
            kind: 'alert',
            source: alert.source,
            number: alert.number,
            severity: alert.severity,
            title: untrusted(alert.title),
            subject: untrusted(alert.subject),
            advisory: untrusted(alert.advisory),
            path: untrusted(alert.path),
            age_days: alert.age_days,
            cvss: alert.cvss,
            epss: alert.epss,
            fix_available: alert.fix_available,
            patched_version: untrusted(alert.patched_version),
          },
        })),
        ...(scan?.answer.not_scanned ?? []).map(({ file_path, reason, detail }) => ({
          key: `not scanned ${file_path}`,
          value: { kind: 'not_scanned', path: untrusted(file_path), reason, detail: untrusted(detail) },
        })),
        ...findings
          .filter((one) => severity === undefined || one.severity === severity)
          .map((finding) => ({
            key: `finding ${finding.rule_id} ${finding.file_path} ${finding.line}`,
            value: {
              kind: 'finding',
              rule_id: finding.rule_id,
              severity: finding.severity,
              confidence: finding.confidence,
              title: finding.title,
              fix: finding.fix,
              path: untrusted(finding.file_path),
              line: finding.line,
              job: untrusted(finding.job),
              step: untrusted(finding.step),
              detail: untrusted(finding.detail),
            },
          })),
      ],
      page,
    };
  },
});
