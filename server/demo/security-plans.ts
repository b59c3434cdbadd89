import type { SourceError } from '../codehost/security-alerts/errors.ts';
import type { AlertSeverity, AlertSource } from '../metrics/security/security-alerts.ts';
import { advisoryNames } from './advisory-repositories.ts';
import type { Situation } from './situations.ts';

/** Something the platform found, in days before now. Without `fixed` or `dismissed` it is open. */
export interface Finding {
  severity: AlertSeverity;
  title: string;
  subject: string;
  age: number;
  path: string;
  /** Id of the advisory; of dependencies. */
  advisory?: string;
  fixed?: number;
  dismissed?: number;
  cvss?: number;
  epss?: number;
  /** The version without it; of dependencies. */
  fixedIn?: string;
  leaked?: boolean;
}

type SourcePlan = Finding[] | SourceError;

const off = (message: string): SourceError => ({ status: 'not_enabled', message });
const lock = 'package-lock.json';

/** The advisory that several repositories are open to, each by the release of the package that it is on. */
const tideTable = ({ age, fixedIn, path = lock }: Pick<Finding, 'age' | 'fixedIn'> & { path?: string }): Finding => ({
  severity: 'critical',
  title: 'Crafted tide tables run code while they are parsed',
  subject: 'tide-table',
  advisory: 'GHSA-t1de-tab1-e042',
  age,
  path,
  fixedIn,
  cvss: 9.8,
  epss: 0.31,
});

/** What the platform alerts of, by repository; a source that is not named is on and has found nothing. All invented. */
const securityPlans: Record<string, Partial<Record<AlertSource, SourcePlan>>> = {
  'tidewater-web': {
    dependabot: [
      tideTable({ age: 34, fixedIn: '4.2.1' }),
      {
        severity: 'high',
        title: 'Session cookies survive signing out',
        subject: 'berth-session',
        fixedIn: '2.9.0',
        age: 12,
        path: lock,
        cvss: 7.5,
        epss: 0.04,
      },
      {
        severity: 'medium',
        title: 'Slow expression in the date reader',
        subject: 'quay-dates',
        age: 61,
        path: 'tools/package-lock.json',
        cvss: 5.3,
      },
      {
        severity: 'high',
        title: 'Redirects leave the allowed hosts',
        subject: 'ferry-http',
        fixedIn: '1.8.3',
        age: 26,
        path: lock,
        fixed: 21,
      },
      {
        severity: 'low',
        title: 'Log lines can be forged',
        subject: 'plain-log',
        fixedIn: '3.0.2',
        age: 70,
        path: lock,
        fixed: 52,
      },
      {
        severity: 'low',
        title: 'Memory grows with odd input',
        subject: 'crane-zip',
        fixedIn: '0.9.7',
        age: 45,
        path: lock,
        dismissed: 44,
      },
    ],
    code_scanning: [
      {
        severity: 'high',
        title: 'Markup made of what a visitor typed',
        subject: 'beam/markup-from-input',
        age: 9,
        path: 'src/booking/notice.go',
      },
      {
        severity: 'medium',
        title: 'Comparison that can be timed',
        subject: 'beam/timed-compare',
        age: 41,
        path: 'src/account/token.go',
      },
      {
        severity: 'high',
        title: 'Query put together from text',
        subject: 'beam/query-text',
        age: 80,
        path: 'src/search/berths.go',
        fixed: 66,
      },
    ],
    secret_scanning: [
      {
        severity: 'critical',
        title: 'Map service key',
        subject: 'map_service_key',
        age: 2,
        path: 'docs/setup.md',
        leaked: true,
      },
      {
        severity: 'critical',
        title: 'Mail relay password',
        subject: 'mail_relay',
        age: 33,
        path: '.env.old',
        fixed: 32,
      },
      { severity: 'critical', title: 'Test key', subject: 'test_key', age: 50, path: 'tests/keys.go', dismissed: 50 },
    ],
  },
  'harbor-gateway': {
    dependabot: [
      {
        severity: 'high',
        title: 'Header names are not checked',
        subject: 'hull-headers',
        fixedIn: '1.14.2',
        age: 5,
        path: 'Cargo.lock',
        cvss: 8.1,
      },
    ],
    code_scanning: off('Code scanning is switched off for this repository.'),
    secret_scanning: {
      status: 'forbidden',
      message: 'The token may not read secret scanning alerts of this repository.',
    },
  },
  'pilot-mobile': {
    dependabot: off('Dependabot is switched off for this repository.'),
    code_scanning: off('Code scanning has never analysed this repository.'),
    secret_scanning: off('No secret scanning here, or not visible to this token.'),
  },
  'beacon-api': { dependabot: [tideTable({ age: 34, fixedIn: '4.2.1', path: 'web/package-lock.json' })] },
  'driftwood-docs': { dependabot: [tideTable({ age: 21, fixedIn: '4.2.1' })] },
  'anchor-charts': { dependabot: [tideTable({ age: 34, fixedIn: '3.9.6' })] },
  'old-lantern': {
    dependabot: { status: 'error', message: 'No Dependabot alerts for archived repositories.' },
  },
};

/** The findings of a source in a situation: where all is well, none that hurry are open. */
export function plannedFindings(repo: string, source: AlertSource, situation: Situation): SourcePlan {
  if (source === 'dependabot' && advisoryNames.includes(repo)) return [tideTable({ age: 2, fixedIn: '4.2.1' })];
  const plan = securityPlans[repo]?.[source] ?? [];
  if (situation !== 'healthy' || !Array.isArray(plan)) return plan;
  return plan.filter(({ severity, fixed, dismissed }) => fixed || dismissed || severity === 'medium');
}
