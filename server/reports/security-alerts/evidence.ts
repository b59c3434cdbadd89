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
import { type Explanation, explainMetric } from '../kernel/evidence.ts';
import { type AlertReading, isEndedPartial, isOpenPartial, readAlerts } from './reading.ts';

interface ExplainedAlerts {
  getMetric(reading: AlertReading): Metric<SecurityAlert>;
  /** What it is made of; a source that did not report it is unknown, not clean. */
  state: 'open' | 'ended';
  /** What an alert adds; null where alerts are only counted. */
  adds?(alert: SecurityAlert, reading: AlertReading): number | null;
}

/** A number of alerts, of one source or severity where the question names it, opened into the alerts. */
const explainAlerts = (key: string, { getMetric, state, adds = () => null }: ExplainedAlerts): Explanation => ({
  key,
  feature: 'securityAlerts',
  needs: ['owner', 'repo'],
  async explain({ owner = '', repo = '', source, severity }, context, reply) {
    const reading = await readAlerts({ owner, repo }, context, reply);
    const reads = (source ? [source] : alertSources).map((one) => reading.sources[one]);
    const readable = reads.filter((read) => (state === 'open' ? read.status === 'ok' : read.ended !== null));
    const alerts = readable.flatMap(({ open, ended }) => [...open, ...(ended ?? [])]);
    const metric = getMetric(reading);
    const answer = explainMetric(
      metric,
      alerts.filter((alert) => !severity || alert.severity === severity),
      {
        window: state === 'open' ? null : reading.window,
        partial: reads.some(state === 'open' ? isOpenPartial : isEndedPartial),
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

const countDays = (alert: SecurityAlert) => {
  const [time] = timeToFix(alert);
  return time === undefined ? null : inUnit(time, dayMs);
};

/** The headline numbers of what the platform alerts of. */
export const securityAlertExplanations: readonly Explanation[] = [
  explainAlerts('open_security_alerts', { getMetric: () => openAlerts, state: 'open' }),
  explainAlerts('oldest_open_security_alert', {
    getMetric: ({ now }) => oldestOpenAlert(now),
    state: 'open',
    adds: (alert, { now }) => (alert.state === 'open' ? alertAge(alert, now) : null),
  }),
  explainAlerts('fixed_security_alerts', { getMetric: ({ window }) => fixedAlerts(window), state: 'ended' }),
  explainAlerts('dismissed_security_alerts', { getMetric: ({ window }) => dismissedAlerts(window), state: 'ended' }),
  explainAlerts('mean_days_to_fix', { getMetric: ({ window }) => daysToFix(window), state: 'ended', adds: countDays }),
  explainAlerts('median_days_to_fix', {
    getMetric: ({ window }) => daysToFix(window, 'median'),
    state: 'ended',
    adds: countDays,
  }),
];
