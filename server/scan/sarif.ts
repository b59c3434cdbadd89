import { hash } from 'node:crypto';
import type { Rule, Severity } from './rule.ts';

/** A finding as it goes into a SARIF log. */
export interface SarifFinding {
  ruleId: string;
  /** Without regard to suppression. */
  severity: Severity;
  confidence: Rule['confidence'];
  message: string;
  path: string;
  /** null when it is about the complete file. */
  line: number | null;
  snippet: string | null;
  job: string | null;
  step: string | null;
  /** Why it is left hidden; null when it is not. */
  suppressedBecause: string | null;
}

export interface SarifScan {
  version: string;
  /** Where people read about this tool. */
  informationUri: string;
  repositoryUri: string | null;
  commitSha: string | null;
  rules: readonly Rule[];
  findings: readonly SarifFinding[];
  /** Files that could not be read, with the reason. */
  unread: readonly { path: string; reason: string }[];
  /** What else could not be determined, one sentence each. */
  silent: readonly string[];
}

/** A SARIF 2.1.0 log with one run. */
export function sarifLog({ version, informationUri, rules, findings, unread, silent, ...source }: SarifScan) {
  const indexes = new Map(rules.map(({ id }, index) => [id as string, index]));
  const computeFingerprint = fingerprints();
  return {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Delivery Analytics',
            semanticVersion: version,
            informationUri,
            rules: rules.map(toDescriptor),
          },
        },
        automationDetails: { id: 'workflow-security/' },
        invocations: [{ executionSuccessful: true, toolExecutionNotifications: notifications(unread, silent) }],
        ...provenance(source),
        columnKind: 'utf16CodeUnits',
        results: findings.map((one) => ({
          ruleId: one.ruleId,
          ruleIndex: indexes.get(one.ruleId) ?? -1,
          level: levels[one.severity],
          message: { text: one.message },
          locations: [toLocation(one)],
          partialFingerprints: { 'workflowFinding/v1': computeFingerprint(one) },
          suppressions: toSuppressions(one),
          properties: { severity: one.severity, confidence: one.confidence },
        })),
      },
    ],
  };
}

const levels: Record<Severity, 'error' | 'warning' | 'note'> = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  info: 'note',
};

/** What readers of SARIF order security findings by, out of 10. */
const securitySeverities: Record<Severity, string> = { critical: '9.5', high: '8.0', medium: '5.0', info: '2.0' };

const toDescriptor = (rule: Rule) => ({
  id: rule.id,
  name: pascalCase(rule.title),
  shortDescription: { text: rule.title },
  fullDescription: { text: rule.description },
  help: {
    text: `${rule.description}\n\n${rule.fix}`,
    markdown: `${rule.description}\n\n**Fix:** ${rule.fix}\n\n[Reference](${rule.reference})`,
  },
  helpUri: rule.reference,
  defaultConfiguration: { level: levels[rule.severity] },
  properties: {
    tags: ['security'],
    precision: rule.confidence,
    'security-severity': securitySeverities[rule.severity],
  },
});

/** A name as readers of SARIF show it beside the id: words of the title run together, each with a capital. */
const pascalCase = (title: string) =>
  title
    .replace(/[^A-Za-z0-9]+(.?)/g, (_, next: string) => next.toUpperCase())
    .replace(/^./, (first) => first.toUpperCase());

const artifact = (path: string) => ({
  uri: path.split('/').map(encodeURIComponent).join('/'),
  uriBaseId: '%SRCROOT%',
});

function toLocation({ path, line, snippet, job, step }: SarifFinding) {
  const region = { startLine: line ?? 1, ...(snippet === null ? {} : { snippet: { text: snippet } }) };
  const names = [job, step].filter((one) => one !== null);
  return {
    physicalLocation: { artifactLocation: artifact(path), ...(line === null ? {} : { region }) },
    ...(names.length === 0 ? {} : { logicalLocations: [{ fullyQualifiedName: names.join(' / ') }] }),
  };
}

const toSuppressions = ({ suppressedBecause }: SarifFinding) =>
  suppressedBecause === null ? [] : [{ kind: 'inSource', status: 'accepted', justification: suppressedBecause }];

const notifications = (unread: SarifScan['unread'], silent: SarifScan['silent']) => [
  ...unread.map(({ path, reason }) => ({
    level: 'warning',
    message: { text: `The file could not be read: ${reason}` },
    locations: [{ physicalLocation: { artifactLocation: artifact(path) } }],
  })),
  ...silent.map((text) => ({ level: 'warning', message: { text } })),
];

function provenance({ repositoryUri, commitSha }: Pick<SarifScan, 'repositoryUri' | 'commitSha'>) {
  if (repositoryUri === null || commitSha === null) return {};
  const mappedTo = { uriBaseId: '%SRCROOT%' };
  return { versionControlProvenance: [{ repositoryUri, revisionId: commitSha, mappedTo }] };
}

/** Identifies a finding by its text, not by the number of its line, so that it is known again when lines move. */
function fingerprints(): (finding: SarifFinding) => string {
  const met = new Map<string, number>();
  return ({ ruleId, path, job, step, snippet }) => {
    const place = JSON.stringify([ruleId, path, job, step, snippet]);
    const times = met.get(place) ?? 0;
    met.set(place, times + 1);
    return hash('sha256', `${place} ${times}`);
  };
}
