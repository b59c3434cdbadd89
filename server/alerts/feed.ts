import { formatHours, quantity } from '../domain/quantity.ts';
import type { AtomEntry, AtomFeed } from '../platform/atom.ts';
import { iso } from '../reports/kernel/instants.ts';
import type { AlertEvent } from '../store/alert-events.ts';
import { findAlertMetric } from './metrics.ts';
import { getMetricPath, getSentPath, metricLabels } from './rules.ts';
import { twoDecimals } from './shown.ts';

/** Events as a feed: fixed words, figures and names of repositories alone. */
export function alertFeed(events: readonly AlertEvent[], appUrl: string): AtomFeed {
  const { hostname } = new URL(appUrl);
  return {
    id: `tag:${hostname},2026:alerts`,
    title: 'Alerts',
    author: 'Delivery Analytics',
    self: `${appUrl}/api/feeds/alerts.atom`,
    page: `${appUrl}/alerts`,
    entries: events.map((event) => ({ id: `tag:${hostname},2026:alert-event:${event.id}`, ...toEntry(event, appUrl) })),
  };
}

function toEntry(event: AlertEvent, appUrl: string): Omit<AtomEntry, 'id'> {
  const { metric, repo, scope, resolvedAt, firedAt, details, isTest } = event;
  const { label } = metricLabels(metric);
  const subject = repo ?? scope.slice(scope.indexOf(':') + 1);
  const state = resolvedAt === null ? '' : ' (resolved)';
  return {
    title: `${isTest ? 'Test: ' : ''}${label} in ${subject}${state}`,
    updated: resolvedAt ?? firedAt,
    page: `${appUrl}${getSentPath(metric, repo, getMetricPath(metric, repo, details))}`,
    content: describe(event),
  };
}

/** What is known of a value, one fact per line. */
function describe({ metric, value, threshold, windowHours, sampleSize, computedAt }: AlertEvent): string {
  const { unit, isPointInTime } = metricLabels(metric);
  const hours = findAlertMetric(metric)?.effectiveHours(windowHours) ?? windowHours;
  return [
    `Value: ${quantity(twoDecimals(value), unit)}`,
    `Threshold: ${quantity(threshold, unit)}`,
    `Window: ${isPointInTime ? 'none (current value)' : `last ${formatHours(hours)}`}`,
    `Sample: n = ${sampleSize}`,
    `As of: ${iso(computedAt)}`,
  ].join('\n');
}
