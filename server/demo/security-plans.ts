import type { SourceError } from '../codehost/security-alerts/errors.ts';
import type { AlertSeverity, AlertSource } from '../metrics/security/security-alerts.ts';

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
  hasFix?: boolean;
  leaked?: boolean;
}

type SourcePlan = Finding[] | SourceError;

const off = (message: string): SourceError => ({ status: 'not_enabled', message });
const lock = 'package-lock.json';

/** What the platform alerts of, by repository; a source that is not named is on and has found nothing. All invented. */
export const securityPlans: Record<string, Partial<Record<AlertSource, SourcePlan>>> = {
  'tidewater-web': {
    dependabot: [
      {
        severity: 'critical',
        title: 'Crafted tide tables run code while they are parsed',
        subject: 'tide-table',
        age: 34,
        path: lock,
        cvss: 9.8,
        epss: 0.31,
      },
      {
        severity: 'high',
        title: 'Session cookies survive signing out',
        subject: 'berth-session',
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
        hasFix: false,
      },
      {
        severity: 'high',
        title: 'Redirects leave the allowed hosts',
        subject: 'ferry-http',
        age: 26,
        path: lock,
        fixed: 21,
      },
      { severity: 'low', title: 'Log lines can be forged', subject: 'plain-log', age: 70, path: lock, fixed: 52 },
      {
        severity: 'low',
        title: 'Memory grows with odd input',
        subject: 'crane-zip',
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
    secret_scanning: off('The platform has no secret scanning here, or hides it from this token.'),
  },
  'old-lantern': {
    dependabot: { status: 'error', message: 'The platform gives no Dependabot alerts of an archived repository.' },
  },
};
