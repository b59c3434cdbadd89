import type { Instant } from '../../server/metrics/kernel/facts.ts';
import { anAlert, type DoubleSecurity } from './security.ts';

const day = 86_400_000;

/**
 * Alerts of octo/web. Open: two dependencies (critical, 40 days; medium, 3), code (high by its security severity though
 * its rule says warning, 12 days) and a secret (1 day). Fixed in 90 days: dependencies after 2 and 10 days, a secret
 * after 1; one more longer ago. Dismissed in 90 days: a dependency by a rule, code, a secret as a false positive.
 */
export function webSecurity(now: Instant): DoubleSecurity {
  const at = (days: number) => now - days * day;
  const dependency = { source: 'dependabot' as const };
  const code = { source: 'code_scanning' as const };
  const secret = { source: 'secret_scanning' as const };
  return {
    dependabot: {
      error: null,
      alerts: [
        anAlert({
          ...dependency,
          number: 1,
          createdAt: at(40),
          severity: 'critical',
          title: 'Lamp parser runs what it reads',
          subject: 'lamp-parser',
          cvss: 9.8,
          epss: 0.42,
        }),
        anAlert({
          ...dependency,
          number: 2,
          createdAt: at(3),
          severity: 'medium',
          title: 'Slow wick expression',
          subject: 'wick',
          fixAvailable: false,
        }),
        anAlert({ ...dependency, number: 3, createdAt: at(12), endedAt: at(10) }),
        anAlert({ ...dependency, number: 4, createdAt: at(30), endedAt: at(20) }),
        anAlert({ ...dependency, number: 5, createdAt: at(200), endedAt: at(120) }),
        anAlert({ ...dependency, number: 6, createdAt: at(50), endedAt: at(49), state: 'dismissed', byRule: true }),
      ],
    },
    code_scanning: {
      error: null,
      alerts: [
        anAlert({
          ...code,
          number: 1,
          createdAt: at(12),
          severity: 'high',
          severityWord: 'warning',
          securityLevel: 'high',
          title: 'Markup made of user input',
          subject: 'js/markup',
        }),
        anAlert({ ...code, number: 2, createdAt: at(60), endedAt: at(59), state: 'dismissed', severityWord: 'error' }),
      ],
    },
    secret_scanning: {
      error: null,
      alerts: [
        anAlert({ ...secret, number: 1, createdAt: at(1), title: 'Lighthouse access key', subject: 'lighthouse_key' }),
        anAlert({ ...secret, number: 2, createdAt: at(9), endedAt: at(8), resolution: 'revoked' }),
        anAlert({
          ...secret,
          number: 3,
          createdAt: at(30),
          endedAt: at(7),
          state: 'dismissed',
          resolution: 'false_positive',
        }),
      ],
    },
  };
}
