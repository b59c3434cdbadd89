import { z } from 'zod';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { iso } from '../../reports/kernel/instants.ts';
import type { AlertEvent } from '../../store/alert-events.ts';
import { findAlertMetric } from '../metrics.ts';
import { getMetricPath, getSentPath, metricLabels } from '../rules.ts';
import { twoDecimals } from '../shown.ts';
import { ruleHref } from './channel.ts';
import type { WebhookMessage } from './webhook-signature.ts';

const time = z.iso.datetime();

/** The body of a webhook; its JSON Schema stands in the documentation. */
export const WebhookBody = z.object({
  type: z.enum(['alert.fired', 'alert.test']),
  timestamp: time.describe('When the alert fired.'),
  data: z.object({
    event_id: z.int().nullable().describe('null for a test of the endpoint alone.'),
    rule_id: z.int().nullable().describe('null where the rule was deleted.'),
    scope: z.string().describe('Scope of the rule: repo:<owner>/<repo> or org:<org>.'),
    repo: z.string().nullable().describe('The repository that reached the threshold.'),
    metric: z.string(),
    label: z.string(),
    value: z.number().nullable(),
    unit: z.string(),
    threshold: z.number(),
    window_hours: z.int(),
    sample_size: z.int(),
    computed_at: time,
    is_test: z.boolean(),
    links: z.object({
      page: z.url().describe('The rule.'),
      evidence: z.url().describe('What explains the value.'),
    }),
  }),
});

/** What of an event leaves: nothing about people, and no text that a stranger wrote. */
type SentEvent = Pick<
  AlertEvent,
  'ruleId' | 'scope' | 'repo' | 'metric' | 'value' | 'threshold' | 'windowHours' | 'sampleSize' | 'details' | 'isTest'
> &
  Pick<AlertEvent, 'computedAt' | 'firedAt'>;

/** The message about an event. */
export const webhookMessage = (event: AlertEvent, appUrl: string): WebhookMessage => ({
  id: `evt_${event.id}`,
  body: JSON.stringify(toBody(event, event.id, appUrl)),
});

/** The message by which an endpoint alone is tested, about a made-up repository. */
export function exampleMessage(now: Instant, appUrl: string): WebhookMessage {
  const event = { ...example, computedAt: now, firedAt: now };
  return { id: `evt_test_${now}`, body: JSON.stringify(toBody(event, null, appUrl)) };
}

const example = {
  ruleId: null,
  scope: 'repo:example/example',
  repo: 'example/example',
  metric: 'failure_rate',
  value: 25,
  threshold: 20,
  windowHours: 24,
  sampleSize: 40,
  details: {},
  isTest: true,
};

function toBody(event: SentEvent, eventId: number | null, appUrl: string): z.output<typeof WebhookBody> {
  const { metric, repo, isTest } = event;
  const { label, unit } = metricLabels(metric);
  return {
    type: isTest ? 'alert.test' : 'alert.fired',
    timestamp: iso(event.firedAt),
    data: {
      event_id: eventId,
      rule_id: event.ruleId,
      scope: event.scope,
      repo,
      metric,
      label,
      value: twoDecimals(event.value),
      unit,
      threshold: event.threshold,
      window_hours: findAlertMetric(metric)?.effectiveHours(event.windowHours) ?? event.windowHours,
      sample_size: event.sampleSize,
      computed_at: iso(event.computedAt),
      is_test: isTest,
      links: {
        page: `${appUrl}${ruleHref(event.ruleId)}`,
        evidence: `${appUrl}${getSentPath(metric, repo, getMetricPath(metric, repo, event.details))}`,
      },
    },
  };
}
