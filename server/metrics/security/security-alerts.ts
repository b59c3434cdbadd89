import type { Instant, RepositoryName } from '../kernel/facts.ts';
import { type Metric, metric } from '../kernel/metric.ts';
import { mean, median, roundTo } from '../kernel/statistics.ts';
import { dayMs, inUnit, isWithin, type Window } from '../kernel/window.ts';

/** Where the platform finds what it alerts of. */
export const alertSources = ['dependabot', 'code_scanning', 'secret_scanning'] as const;
export type AlertSource = (typeof alertSources)[number];

/** From the worst down. */
export const alertSeverities = ['critical', 'high', 'medium', 'low'] as const;
export type AlertSeverity = (typeof alertSeverities)[number];

/** One alert of the platform. What it found is not stored: of a secret only its kind. */
export interface SecurityAlert {
  source: AlertSource;
  /** Unique in its source. */
  number: number;
  severity: AlertSeverity;
  state: 'open' | 'fixed' | 'dismissed';
  createdAt: Instant;
  /** When it was fixed or dismissed; null while open, and where the platform does not report it. */
  endedAt: Instant | null;
  title: string;
  /** The package, the rule or the kind of secret. */
  subject: string;
  /** Id of the published advisory, GHSA-…; of dependencies alone. */
  advisory: string | null;
  htmlUrl: string;
  /** 0–10. */
  cvss: number | null;
  /** Probability of exploitation within 30 days, 0–1. */
  epss: number | null;
  ecosystem: string | null;
  fixAvailable: boolean | null;
  /** The first version of the package without it; null where there is none, or it is not reported. */
  patchedVersion: string | null;
  path: string | null;
  publiclyLeaked: boolean | null;
  tool: string | null;
}

/** An alert with the repository that it is about. */
export interface RepositoryAlert {
  repository: RepositoryName;
  alert: SecurityAlert;
}

/** Alerts that are open. */
export const openAlerts: Metric<SecurityAlert> = metric({
  key: 'open_security_alerts',
  label: 'Open security alerts',
  unit: 'count',
  better: 'lower',
  source: 'open alerts',
  definition: 'Open alerts about dependencies, code and secrets.',
  valueWhenEmpty: 0,
  counts: ({ state }) => state === 'open' || state,
  value: (open) => open.length,
});

/** Age of the oldest open alert. */
export function oldestOpenAlert(now: Instant): Metric<SecurityAlert> {
  return metric({
    key: 'oldest_open_security_alert',
    label: 'Oldest open security alert',
    unit: 'days',
    better: 'lower',
    source: 'open alerts',
    definition: 'Time since the creation of the oldest open alert.',
    counts: ({ state, createdAt }) => {
      if (state !== 'open') return state;
      return createdAt <= now || 'created later than now';
    },
    value: (open) => inUnit(Math.max(...open.map(({ createdAt }) => now - createdAt)), dayMs),
  });
}

/** Alerts that were fixed in the window. */
export function fixedAlerts(window: Window): Metric<SecurityAlert> {
  return endedCount(window, {
    key: 'fixed_security_alerts',
    label: 'Security alerts fixed',
    state: 'fixed',
    definition: 'Alerts fixed in the window: in code, by an update, or by revoking the secret.',
  });
}

/** Alerts that somebody, or a rule, dismissed in the window. */
export function dismissedAlerts(window: Window): Metric<SecurityAlert> {
  return endedCount(window, {
    key: 'dismissed_security_alerts',
    label: 'Security alerts dismissed',
    state: 'dismissed',
    definition: 'Alerts closed in the window without a fix: tolerated, not used, false positive, or used in tests.',
  });
}

/** Creation to fix of the alerts fixed in the window, by `average`; dismissing is no fix. */
export function daysToFix(window: Window, average: 'mean' | 'median' = 'mean'): Metric<SecurityAlert> {
  return metric({
    key: average === 'mean' ? 'mean_days_to_fix' : 'median_days_to_fix',
    label: average === 'mean' ? 'Time to fix' : 'Median time to fix',
    unit: 'days',
    better: 'lower',
    source: 'alerts fixed in the window',
    definition: `${average === 'mean' ? 'Mean' : 'Median'} time from the creation of an alert to its fix. Dismissed alerts are excluded.`,
    counts: (alert) => {
      const verdict = endedIn(alert, window, 'fixed');
      return verdict === true ? timeToFix(alert).length > 0 || 'fixed before it was created' : verdict;
    },
    value: (fixed) => {
      const times = fixed.flatMap(timeToFix);
      const value = average === 'mean' ? mean(times) : median(times);
      return value === null ? null : inUnit(value, dayMs);
    },
  });
}

/** How many there are of each severity. */
export function severityCounts(alerts: readonly SecurityAlert[]): Record<AlertSeverity, number> {
  const of = (wanted: AlertSeverity) => alerts.filter(({ severity }) => severity === wanted).length;
  return { critical: of('critical'), high: of('high'), medium: of('medium'), low: of('low') };
}

/** The worst first, of equal ones the oldest. */
export function alertsInOrder(alerts: readonly SecurityAlert[]): SecurityAlert[] {
  const rank = ({ severity }: SecurityAlert) => alertSeverities.indexOf(severity);
  const place = ({ source }: SecurityAlert) => alertSources.indexOf(source);
  return alerts.toSorted(
    (a, b) => rank(a) - rank(b) || a.createdAt - b.createdAt || place(a) - place(b) || a.number - b.number,
  );
}

/** Days since its creation, one decimal; none for what the platform's clock dates ahead of ours. */
export const alertAge = ({ createdAt }: Pick<SecurityAlert, 'createdAt'>, now: Instant): number =>
  roundTo(inUnit(Math.max(0, now - createdAt), dayMs), 1);

/** Creation to the end in milliseconds; none while open, or when the times contradict each other. */
export const timeToFix = ({ createdAt, endedAt }: SecurityAlert): number[] =>
  endedAt === null || endedAt < createdAt ? [] : [endedAt - createdAt];

interface EndedLabels {
  key: string;
  label: string;
  state: 'fixed' | 'dismissed';
  definition: string;
}

function endedCount(window: Window, { key, label, state, definition }: EndedLabels): Metric<SecurityAlert> {
  return metric({
    key,
    label,
    definition,
    unit: 'count',
    better: 'neither',
    valueWhenEmpty: 0,
    source: `alerts ${state} in the window`,
    counts: (alert) => endedIn(alert, window, state),
    value: (alerts) => alerts.length,
  });
}

function endedIn({ state, endedAt }: SecurityAlert, window: Window, wanted: 'fixed' | 'dismissed'): true | string {
  if (state !== wanted) return state;
  if (endedAt === null) return `${wanted} at an unknown time`;
  return isWithin(endedAt, window) || `${wanted} outside the window`;
}
