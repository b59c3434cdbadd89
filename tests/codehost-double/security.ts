import type { AlertSource, SecurityAlert } from '../../server/metrics/security/security-alerts.ts';
import { type DoubleWorld, repositoryOf, webUrl } from './world.ts';

/** An alert as the platform keeps it; how it ended follows from `state`. */
export interface DoubleAlert extends SecurityAlert {
  updatedAt: number;
  /** The platform's own word; null for none. */
  severityWord: string | null;
  /** Of a rule that has a severity for security beside its usual one. */
  securityLevel: 'low' | 'medium' | 'high' | 'critical' | null;
  /** Of a resolved secret. */
  resolution: 'false_positive' | 'wont_fix' | 'revoked' | 'used_in_tests' | null;
  /** Dismissed by a rule instead of a person; of dependencies. */
  byRule: boolean;
}

/** An error of a source, as the platform words it. */
export interface SourceError {
  status: number;
  message: string;
}

export interface DoubleSource {
  /** null: the source answers. */
  error: SourceError | null;
  alerts: DoubleAlert[];
}

export type DoubleSecurity = Record<AlertSource, DoubleSource>;

/** What the platform answers instead of alerts, in its own words. */
export const sourceErrors = {
  dependabotOff: { status: 403, message: 'Dependabot alerts are disabled for this repository.' },
  dependabotArchived: { status: 403, message: 'Dependabot alerts are not available for archived repositories.' },
  dependabotRefused: { status: 403, message: 'You are not authorized to perform this operation.' },
  codeScanningOff: { status: 403, message: 'Code scanning is not enabled for this repository.' },
  codeScanningUnlicensed: {
    status: 403,
    message: 'Code Security must be enabled for this repository to use code scanning.',
  },
  codeScanningUnlicensedEarlier: {
    status: 403,
    message: 'Advanced Security must be enabled for this repository to use code scanning.',
  },
  codeScanningRefused: { status: 403, message: 'You are not authorized to read code scanning alerts.' },
  nothingAnalysed: { status: 404, message: 'no analysis found' },
  secretScanningOff: { status: 404, message: 'Secret scanning is disabled on this repository.' },
  notFound: { status: 404, message: 'Not Found' },
  plan: { status: 403, message: 'Upgrade to GitHub Pro or make this repository public to enable this feature.' },
  fineGrained: { status: 403, message: 'Resource not accessible by personal access token' },
  addressNotAllowed: {
    status: 403,
    message:
      'Although you appear to have the correct authorization credentials, the `octo` organization has an IP allow list enabled, and your IP address is not permitted to access this resource.',
  },
  applicationRestricted: {
    status: 403,
    message:
      'Although you appear to have the correct authorization credentials, the `octo` organization has enabled OAuth App access restrictions, meaning that data access to third-parties is limited.',
  },
  unavailable: { status: 503, message: 'Service unavailable' },
} as const satisfies Record<string, SourceError>;

/** Sources that are on and have found nothing. */
export const quietSecurity = (): DoubleSecurity => ({
  dependabot: { error: null, alerts: [] },
  code_scanning: { error: null, alerts: [] },
  secret_scanning: { error: null, alerts: [] },
});

export type AlertParts = Partial<DoubleAlert> & Pick<DoubleAlert, 'source' | 'number' | 'createdAt'>;

/** An open alert; what is not said is filled in. `endedAt` alone makes a fixed one. */
export function anAlert(parts: AlertParts): DoubleAlert {
  const { source, number, createdAt } = parts;
  const endedAt = parts.endedAt ?? null;
  const path = { dependabot: 'package-lock.json', code_scanning: 'src/app.ts', secret_scanning: 'config/old.env' };
  const area = { dependabot: 'dependabot', code_scanning: 'code-scanning', secret_scanning: 'secret-scanning' };
  return {
    severity: 'high',
    severityWord: parts.severity ?? 'high',
    securityLevel: null,
    state: endedAt === null ? 'open' : 'fixed',
    endedAt,
    updatedAt: endedAt ?? createdAt,
    resolution: endedAt === null ? null : 'revoked',
    byRule: false,
    title: `Alert ${number} of ${source}`,
    subject: `subject-${number}`,
    advisory: source === 'dependabot' ? `GHSA-0000-0000-${String(number).padStart(4, '0')}` : null,
    htmlUrl: `${webUrl}/octo/web/security/${area[source]}/${number}`,
    cvss: null,
    epss: null,
    ecosystem: source === 'dependabot' ? 'npm' : null,
    fixAvailable: source === 'dependabot' ? true : null,
    patchedVersion: source === 'dependabot' && parts.fixAvailable !== false ? '2.0.0' : null,
    path: path[source],
    publiclyLeaked: source === 'secret_scanning' ? false : null,
    tool: source === 'code_scanning' ? 'CodeQL' : null,
    ...parts,
  };
}

/** How a source itself calls the state of an alert. */
export function stateWord(source: AlertSource, { state, byRule }: DoubleAlert): string {
  if (source === 'secret_scanning') return state === 'open' ? 'open' : 'resolved';
  return source === 'dependabot' && state === 'dismissed' && byRule ? 'auto_dismissed' : state;
}

/** What a test does to the alerts of the world. Repositories are named `owner/repo`. */
export interface SecurityChanges {
  putAlert(repository: string, parts: AlertParts): DoubleAlert;
  /** Adds open alerts, one a minute before the other, numbered from 1. */
  addAlerts(repository: string, source: AlertSource, count: number, newestAt: number): void;
  rejectAlerts(repository: string, source: AlertSource, error: SourceError | null): void;
}

export function securityChangesOf(world: DoubleWorld): SecurityChanges {
  const sourceOf = (name: string, source: AlertSource) => repositoryOf(world, name).security[source];
  const putAlert: SecurityChanges['putAlert'] = (name, parts) => {
    const alert = anAlert(parts);
    const stored = sourceOf(name, parts.source);
    stored.alerts = [...stored.alerts.filter(({ number }) => number !== alert.number), alert];
    return alert;
  };
  return {
    putAlert,
    addAlerts: (name, source, count, newestAt) => {
      const made = (index: number) => anAlert({ source, number: index + 1, createdAt: newestAt - index * 60_000 });
      sourceOf(name, source).alerts.push(...Array.from({ length: count }, (_, index) => made(index)));
    },
    rejectAlerts: (name, source, error) => {
      sourceOf(name, source).error = error;
    },
  };
}
