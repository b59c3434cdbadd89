import { z } from 'zod';
import type { Domain } from '../api/wire.ts';
import type { Instant } from '../metrics/kernel/facts.ts';
import { roundTo } from '../metrics/kernel/statistics.ts';
import { dayMs } from '../metrics/kernel/window.ts';
import { instant } from '../reports/kernel/instants.ts';
import type { AlertEvent } from '../store/alert-events.ts';
import type { AlertRule, AlertRuleDays, AlertRuleStatus } from '../store/alert-rules.ts';
import { alertEventSources, deliveryStatuses } from '../store/entities/alert-event.ts';
import { alertChannels } from '../store/entities/alert-rule.ts';
import type { StoredEndpoint } from '../store/webhook-endpoints.ts';
import { findEndpoint } from './destinations.ts';
import { findAlertMetric } from './metrics.ts';
import { getMetricPath, metricLabels, type RuleHealth } from './rules.ts';

const hours = z.int().meta({ description: 'Hours.' });
const value = z
  .number()
  .nullable()
  .meta({ description: 'In the unit, two decimals; rules compare the unrounded value.' });

const about = {
  scope: z.string().meta({ description: '`repo:<owner>/<repo>` or `org:<org>`.' }),
  metric: z.string(),
  label: z.string(),
  unit: z.string(),
  threshold: z.number(),
  window_hours: hours,
  channel: z.enum(alertChannels),
};

const effectiveHours = hours.meta({ description: 'The window in use; some metrics have a minimum.' });
const isPointInTime = z
  .boolean()
  .meta({ description: 'The value is current; the window only sets how long a rule stays quiet.' });

const highestByDay =
  'Daily maximum over the last 30 UTC days, oldest first, not rounded; null for days without a value.';

export const ShownRule = z
  .object({
    id: z.int(),
    ...about,
    effective_window_hours: effectiveHours,
    is_of_now: isPointInTime,
    min_sample: z.int(),
    destination: z.string().nullable(),
    destination_name: z
      .string()
      .nullable()
      .meta({ description: 'Name of the webhook endpoint that `destination` is the number of.' }),
    destination_hidden: z.boolean(),
    enabled: z.boolean(),
    muted_until: instant.nullable(),
    owner_note: z.string().nullable(),
    runbook_url: z.string().nullable(),
    created_by: z.string().nullable(),
    created_at: instant,
    updated_by: z.string().nullable(),
    updated_at: instant,
    last_fired_at: instant.nullable(),
    last_evaluated_at: instant.nullable(),
    last_value: value,
    last_sample: z.int().nullable(),
    has_reached: z.boolean().nullable().meta({
      description: 'Whether the last value, unrounded, has reached the threshold; null when unknown.',
    }),
    highest_by_day: z.array(z.number().nullable()).length(30).meta({ description: highestByDay }),
    incomplete: z.string().nullable().meta({ description: 'Why there is no value yet.' }),
    unsent: z.string().nullable().meta({ description: 'Why its notifications are not sent.' }),
    health: z.enum(['ok', 'no_data', 'delivery_failing', 'scope_unreachable']),
  })
  .meta({ id: 'AlertRule' });

export const ShownEvent = z
  .object({
    id: z.int(),
    rule_id: z.int().nullable(),
    ...about,
    effective_window_hours: effectiveHours,
    is_of_now: isPointInTime,
    repo: z.string().nullable().meta({ description: 'The repository that reached the threshold.' }),
    value,
    sample_size: z.int(),
    source: z.enum(alertEventSources),
    computed_at: instant,
    fired_at: instant,
    resolved_at: instant.nullable(),
    is_open: z
      .boolean()
      .meta({ description: 'Open: its rule exists and is enabled, not resolved, at most seven days old, not a test.' }),
    details: z.record(z.string(), z.union([z.string(), z.number()])),
    explained_at: z.string().meta({ description: 'Page that explains the value.' }),
    delivery_status: z.enum(deliveryStatuses),
    delivery_attempts: z.int(),
    delivery_error: z.string().nullable(),
    digest_sent_at: instant.nullable(),
    is_test: z.boolean(),
  })
  .meta({ id: 'AlertEvent' });

/** An event that nothing resolved needs attention as long as this, and no longer. */
export const openForMs = 7 * dayMs;

/** A value as answers have it. */
export const twoDecimals = (given: number | null) => (given === null ? null : roundTo(given, 2));

const getEffectiveHours = ({ metric, windowHours }: Pick<AlertRule, 'metric' | 'windowHours'>) =>
  findAlertMetric(metric)?.effectiveHours(windowHours) ?? windowHours;

interface Shown {
  status: AlertRuleStatus | undefined;
  /** Of each of the last 30 days. */
  highest: AlertRuleDays['highest'];
  health: RuleHealth;
  /** Why what it is about is never read here, or was not lately; null where it was. */
  noDataReason: string | null;
  /** Why nothing of what it finds is sent here; null where nothing hinders. */
  undeliverableReason: string | null;
  endpoints: readonly Pick<StoredEndpoint, 'id' | 'name' | 'enabled'>[];
  isAdmin: boolean;
}

/** A rule as it is reported; where it sends to, and who made it, to administrators alone. */
export function shownRule(
  rule: AlertRule,
  { status, highest, health, noDataReason, undeliverableReason, endpoints, isAdmin }: Shown,
): Domain<typeof ShownRule> {
  const { label, unit, minSample, isPointInTime } = metricLabels(rule.metric);
  const effectiveMinSample = Math.max(minSample, rule.minSample ?? 0);
  return {
    ...rule,
    label,
    unit,
    health,
    effectiveWindowHours: getEffectiveHours(rule),
    isOfNow: isPointInTime,
    minSample: effectiveMinSample,
    destination: isAdmin ? rule.destination : null,
    destinationName:
      isAdmin && rule.channel === 'webhook' ? (findEndpoint(endpoints, rule.destination)?.name ?? null) : null,
    destinationHidden: !isAdmin && rule.destination !== null,
    createdBy: isAdmin ? rule.createdBy : null,
    updatedBy: isAdmin ? rule.updatedBy : null,
    lastFiredAt: status?.lastFiredAt ?? null,
    lastEvaluatedAt: status?.lastEvaluatedAt ?? null,
    lastValue: twoDecimals(status?.lastValue ?? null),
    lastSample: status?.lastSample ?? null,
    hasReached: hasReached(rule, status, effectiveMinSample),
    highestByDay: highest,
    incomplete: noDataReason ?? status?.incomplete ?? null,
    unsent: undeliverableReason,
  };
}

/** null where it is not known. What is judged of no sample is that there is nothing to measure. */
function hasReached(
  { threshold }: Pick<AlertRule, 'threshold'>,
  status: AlertRuleStatus | undefined,
  minSample: number,
): boolean | null {
  const { lastValue = null, lastSample = null, lastJudged = null } = status ?? {};
  if (lastValue === null) return null;
  // Any other that is judged was so by a minimum of before.
  if ((lastSample ?? 0) < minSample) return lastJudged && lastSample === 0 ? false : null;
  return lastValue >= threshold;
}

interface ShownBy {
  isAdmin: boolean;
  now: Instant;
  /** The rules that exist and are on. */
  activeRules: ReadonlySet<number>;
}

/** An event as it is reported; the error of a provider to administrators alone. */
export function shownEvent(event: AlertEvent, { isAdmin, now, activeRules }: ShownBy): Domain<typeof ShownEvent> {
  const isActive = event.ruleId !== null && activeRules.has(event.ruleId);
  return {
    ...event,
    ...explainEvent(event),
    isOpen: isActive && !event.isTest && event.resolvedAt === null && now - event.firedAt < openForMs,
    deliveryError: isAdmin ? event.deliveryError : null,
  };
}

/** What the value of an event is, and where it is explained. */
export function explainEvent(event: AlertEvent) {
  const { label, unit, isPointInTime } = metricLabels(event.metric);
  return {
    label,
    unit,
    effectiveWindowHours: getEffectiveHours(event),
    isOfNow: isPointInTime,
    value: twoDecimals(event.value),
    explainedAt: getMetricPath(event.metric, event.repo, event.details),
  };
}
