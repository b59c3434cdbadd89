import type { Issue } from '../../server/metrics/kernel/delivery-facts.ts';
import { lastDaysWindow } from '../../server/metrics/kernel/window.ts';
import {
  alertSeverities,
  alertSources,
  daysToFix,
  dismissedAlerts,
  fixedAlerts,
  oldestOpenAlert,
  openAlerts,
  type SecurityAlert,
} from '../../server/metrics/security/security-alerts.ts';
import type { DeliveryWorld } from './delivery-worlds.ts';
import { type HeldMetrics, held } from './held-metrics.ts';
import { naiveRound } from './naive-people.ts';
import { day } from './worlds.ts';

/** The metrics of security alerts, over alerts that come and go as the world's issues do. */
export function heldAlerts({ now, issues }: DeliveryWorld): HeldMetrics {
  const alerts = issues.map(toAlert);
  const window = lastDaysWindow(90, now);
  const expected = naiveAlerts(alerts, now);
  return {
    openAlerts: [held(openAlerts, alerts, expected.open)],
    oldestOpenAlert: [held(oldestOpenAlert(now), alerts, expected.oldest)],
    fixedAlerts: [held(fixedAlerts(window), alerts, expected.fixed)],
    dismissedAlerts: [held(dismissedAlerts(window), alerts, expected.dismissed)],
    daysToFix: [
      held(daysToFix(window), alerts, expected.mean),
      held(daysToFix(window, 'median'), alerts, expected.median),
    ],
  };
}

export function toAlert({ number, createdAt, closedAt }: Issue): SecurityAlert {
  const dismissed = number % 4 === 0;
  return {
    source: alertSources[number % 3] ?? 'dependabot',
    severity: alertSeverities[number % 4] ?? 'low',
    number,
    state: closedAt === null ? 'open' : dismissed ? 'dismissed' : 'fixed',
    createdAt,
    endedAt: number % 11 === 0 ? null : closedAt,
    title: '',
    subject: '',
    advisory: null,
    htmlUrl: '#',
    cvss: null,
    epss: null,
    ecosystem: null,
    fixAvailable: null,
    patchedVersion: null,
    path: null,
    publiclyLeaked: null,
    tool: null,
  };
}

/** Read once more, one alert after the other. */
function naiveAlerts(alerts: SecurityAlert[], now: number) {
  const counted = { open: 0, fixed: 0, dismissed: 0 };
  const times: number[] = [];
  let oldest: number | null = null;
  for (const { state, createdAt, endedAt } of alerts) {
    if (state === 'open') {
      counted.open += 1;
      if (createdAt <= now && (oldest === null || createdAt < oldest)) oldest = createdAt;
    } else if (endedAt !== null && endedAt <= now && endedAt >= now - 90 * day) {
      counted[state] += 1;
      if (state === 'fixed' && endedAt >= createdAt) times.push(endedAt - createdAt);
    }
  }
  times.sort((one, other) => one - other);
  const sum = times.reduce((total, one) => total + one, 0);
  const [low = 0, high = 0] = [times[Math.floor((times.length - 1) / 2)], times[Math.ceil((times.length - 1) / 2)]];
  return {
    ...counted,
    oldest: oldest === null ? null : naiveRound(now - oldest, day, 1),
    mean: times.length === 0 ? null : naiveRound(sum, times.length * day, 1),
    median: times.length === 0 ? null : naiveRound(low + high, 2 * day, 1),
  };
}
