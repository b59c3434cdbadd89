import type { Metric } from '../../metrics/kernel/metric.ts';
import { dayMs, inUnit } from '../../metrics/kernel/window.ts';
import {
  type AlertSource,
  alertAge,
  alertSources,
  daysToFix,
  dismissedAlerts,
  fixedAlerts,
  oldestOpenAlert,
  openAlerts,
  type SecurityAlert,
  timeToFix,
} from '../../metrics/security/security-alerts.ts';
import { type Explanation, explained } from '../kernel/evidence.ts';
import { type AlertReading, isPartial, readAlerts } from './reading.ts';

interface OfAlerts {
  metricOf(reading: AlertReading): Metric<SecurityAlert>;
  /** What it is made of; a source that did not tell that is unknown, not clean. */
  of: 'open' | 'ended';
  /** What an alert adds; null where alerts are only counted. */
  adds?(alert: SecurityAlert, reading: AlertReading): number | null;
}

/** A number of alerts, of one source or severity where the question names it, opened into the alerts. */
const ofAlerts = (key: string, { metricOf, of, adds = () => null }: OfAlerts): Explanation => ({
  key,
  feature: 'securityAlerts',
  needs: ['owner', 'repo'],
  async explain({ owner = '', repo = '', source, severity }, context, reply) {
    const reading = await readAlerts({ owner, repo }, context, reply);
    const reads = (source ? [source] : alertSources).map((one) => reading.sources[one]);
    const readable = reads.filter((read) => (of === 'open' ? read.status === 'ok' : read.ended !== null));
    const alerts = readable.flatMap(({ open, ended }) => [...open, ...(ended ?? [])]);
    const metric = metricOf(reading);
    const answer = explained(
      metric,
      alerts.filter((alert) => !severity || alert.severity === severity),
      {
        window: of === 'open' ? null : reading.window,
        partial: reads.some(isPartial),
        source: 'live',
        asOf: Math.min(...reads.map(({ asOf }) => asOf)),
        item: (alert) => alertItem(alert, adds(alert, reading)),
      },
    );
    const named = [severity, source && sourceNames[source]].filter((one) => one !== undefined);
    return {
      ...answer,
      label: [metric.label, ...named].join(', '),
      value: readable.length === 0 ? null : answer.value,
    };
  },
});

const sourceNames: Record<AlertSource, string> = {
  dependabot: 'dependencies',
  code_scanning: 'code',
  secret_scanning: 'secrets',
};

const alertItem = (alert: SecurityAlert, value: number | null) => ({
  label: `${sourceNames[alert.source]} #${alert.number}: ${alert.title}`,
  url: alert.htmlUrl,
  at: alert.createdAt,
  value,
  note: [alert.severity, alert.subject].join(', '),
});

const daysOf = (alert: SecurityAlert) => {
  const [time] = timeToFix(alert);
  return time === undefined ? null : inUnit(time, dayMs);
};

/** The headline numbers of what the platform alerts of. */
export const securityAlertExplanations: readonly Explanation[] = [
  ofAlerts('open_security_alerts', { metricOf: () => openAlerts, of: 'open' }),
  ofAlerts('oldest_open_security_alert', {
    metricOf: ({ now }) => oldestOpenAlert(now),
    of: 'open',
    adds: (alert, { now }) => (alert.state === 'open' ? alertAge(alert, now) : null),
  }),
  ofAlerts('fixed_security_alerts', { metricOf: ({ window }) => fixedAlerts(window), of: 'ended' }),
  ofAlerts('dismissed_security_alerts', { metricOf: ({ window }) => dismissedAlerts(window), of: 'ended' }),
  ofAlerts('mean_days_to_fix', { metricOf: ({ window }) => daysToFix(window), of: 'ended', adds: daysOf }),
  ofAlerts('median_days_to_fix', { metricOf: ({ window }) => daysToFix(window, 'median'), of: 'ended', adds: daysOf }),
];
