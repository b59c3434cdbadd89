import type { AlertSource } from '../../server/metrics/security/security-alerts.ts';
import type { RestRequest } from './answers.ts';
import { shaOf } from './delivery-builders.ts';
import { type DoubleAlert, stateWord } from './security.ts';
import { moment, repository as wireRepository } from './wire.ts';
import { type DoubleRepository, fullName } from './world.ts';

type Shape = (request: RestRequest, repository: DoubleRepository, one: DoubleAlert) => object;

const common = ({ base, path }: RestRequest, one: DoubleAlert) => ({
  number: one.number,
  url: `${base}${path}/${one.number}`,
  html_url: one.htmlUrl,
  created_at: moment(one.createdAt),
  updated_at: moment(one.updatedAt),
});

const ended = (one: DoubleAlert, state: DoubleAlert['state'], byRule = false) =>
  one.state === state && one.byRule === byRule && one.endedAt !== null ? moment(one.endedAt) : null;

const dependabot: Shape = (request, _repository, one) => {
  const named = { ecosystem: one.ecosystem ?? 'npm', name: one.subject };
  const vulnerability = {
    package: named,
    severity: one.severityWord ?? 'low',
    vulnerable_version_range: '< 2.0.0',
    first_patched_version: one.fixAvailable ? { identifier: one.patchedVersion ?? '2.0.0' } : null,
  };
  const score = { score: one.cvss ?? 0, vector_string: one.cvss === null ? null : 'CVSS:3.1/AV:N/AC:L' };
  return {
    ...common(request, one),
    state: stateWord('dependabot', one),
    dependency: { package: named, manifest_path: one.path ?? '', scope: 'runtime' },
    security_advisory: {
      ghsa_id: one.advisory ?? '',
      cve_id: null,
      summary: one.title,
      description: 'Long words.',
      vulnerabilities: [vulnerability],
      severity: one.severityWord ?? 'low',
      cvss: score,
      cvss_severities: { cvss_v3: score, cvss_v4: null },
      ...(one.epss === null ? {} : { epss: { percentage: one.epss, percentile: 0.5 } }),
      cwes: [],
      identifiers: [],
      references: [],
      withdrawn_at: null,
      published_at: moment(one.createdAt),
      updated_at: moment(one.createdAt),
    },
    security_vulnerability: vulnerability,
    dismissed_at: ended(one, 'dismissed'),
    dismissed_by: null,
    dismissed_reason: one.state === 'dismissed' ? 'tolerable_risk' : null,
    dismissed_comment: null,
    fixed_at: ended(one, 'fixed'),
    auto_dismissed_at: ended(one, 'dismissed', true),
  };
};

const codeScanning: Shape = (request, repository, one) => ({
  ...common(request, one),
  instances_url: `${request.base}${request.path}/${one.number}/instances`,
  state: one.state,
  fixed_at: ended(one, 'fixed'),
  dismissed_at: ended(one, 'dismissed'),
  dismissed_by: null,
  dismissed_reason: one.state === 'dismissed' ? "won't fix" : null,
  dismissed_comment: null,
  rule: {
    id: one.subject,
    name: one.subject,
    description: one.title,
    tags: ['security'],
    severity: one.severityWord,
    security_severity_level: one.securityLevel,
  },
  tool: { name: one.tool ?? 'CodeQL', guid: null, version: '2.20.0' },
  most_recent_instance: {
    ref: `refs/heads/${repository.facts.defaultBranch}`,
    analysis_key: 'ci.yml:scan',
    environment: '{}',
    category: 'ci.yml:scan',
    state: one.state,
    commit_sha: shaOf('scanned'),
    message: { text: 'Long words.' },
    location: { path: one.path ?? '', start_line: 3, end_line: 3, start_column: 1, end_column: 9 },
    classifications: [],
  },
});

/** The secret is in the answer unless it was asked to be hidden. */
export const theSecret = 'AKIAVERYSECRET0000XY';

const secretScanning: Shape = (request, repository, one) => ({
  ...common(request, one),
  locations_url: `${request.base}${request.path}/${one.number}/locations`,
  state: stateWord('secret_scanning', one),
  resolution: one.state === 'open' ? null : one.resolution,
  resolved_by: null,
  resolution_comment: null,
  resolved_at: one.endedAt === null ? null : moment(one.endedAt),
  secret_type: one.subject,
  secret_type_display_name: one.title,
  secret: request.query.get('hide_secret') === 'true' ? '' : theSecret,
  push_protection_bypassed: false,
  push_protection_bypassed_by: null,
  push_protection_bypassed_at: null,
  validity: 'unknown',
  publicly_leaked: one.publiclyLeaked,
  multi_repo: false,
  first_location_detected: {
    path: one.path ?? '',
    start_line: 1,
    end_line: 1,
    start_column: 1,
    end_column: 20,
    blob_sha: shaOf('blob'),
    blob_url: `${request.base}/blob`,
    commit_sha: shaOf('leak'),
    commit_url: `${request.base}/commit`,
    html_url: `${repository.facts.htmlUrl}/blob/main/x`,
  },
});

export const wireAlerts: Record<AlertSource, Shape> = {
  dependabot,
  code_scanning: codeScanning,
  secret_scanning: secretScanning,
};

/** The same alert in the list of an organization, with its repository; its own addresses stay those below it. */
export function wireOrganizationAlert(
  request: RestRequest,
  source: AlertSource,
  { repository, one }: { repository: DoubleRepository; one: DoubleAlert },
): object {
  const path = `/repos/${fullName(repository)}/${request.path.split('/').slice(3).join('/')}`;
  return {
    ...wireAlerts[source]({ ...request, path }, repository, one),
    repository: wireRepository(request.base, repository, null),
  };
}
