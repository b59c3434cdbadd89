import { figures, formatHours, quantity } from '../../domain/quantity.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import type { Unit } from '../../metrics/kernel/metric.ts';
import { compose, type EmailContent, facts, links } from './layout.ts';
import { formatMoment } from './moment.ts';

/** What an alert found in one repository. */
export interface AlertEmailData {
  repo: string;
  /** What the metric is called. */
  label: string;
  value: number | null;
  unit: Unit;
  threshold: number;
  /** Over which it was measured; null for what is of the moment. */
  windowHours: number | null;
  /** How many facts stand behind the value. */
  sample: number;
  firedAt: Instant;
  /** The team's zone. */
  zone: string;
  isTest: boolean;
  /** Paths of this service: what explains the value, and the rule. */
  explainHref: string;
  ruleHref: string;
}

/** The email about one alert. */
export function alertEmail(data: AlertEmailData, appUrl: string): EmailContent {
  const { repo, label, unit, windowHours, sample, firedAt, zone, isTest, explainHref, ruleHref } = data;
  const [value, threshold] = [quantity(data.value, unit), quantity(data.threshold, unit)];
  return compose({
    appUrl,
    isTest,
    subject: `${repo}: ${label} ${value} (threshold ${threshold})`,
    heading: `${label} in ${repo}: ${value}`,
    parts: [
      facts([
        ['Repository', repo],
        ['Metric', label],
        ['Value', value],
        ['Threshold', `${threshold} or more`],
        ['Window', windowHours === null ? 'none (current value)' : `last ${formatHours(windowHours)}`],
        ['Sample', figures(sample, 0)],
        ['Time', formatMoment(firedAt, zone)],
      ]),
      links(appUrl, [
        ['View details', explainHref],
        ['Edit, mute or delete this rule', ruleHref],
      ]),
    ],
  });
}
