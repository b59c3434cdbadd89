import type { getAlerts } from '../../../server/alerts/operations/list.ts';
import { count, figures, quantity, type Unit } from '../../../server/domain/quantity.ts';
import type { PanelsOf } from '../../../server/http/adapters.ts';
import type { Status } from '../../components/badge.tsx';

export type AlertsAnswer = PanelsOf<{ alerts: typeof getAlerts }>['alerts'];
export type AlertsShown = Extract<AlertsAnswer, { ok: true }>['data'];
export type Rule = AlertsShown['rules'][number];
export type AlertEvent = AlertsShown['events'][number];

/** A webhook endpoint that a rule may name. */
export interface Endpoint {
  id: number;
  name: string;
}

/** The weekly email: a rule without a threshold. */
export const isDigest = ({ metric }: Pick<Rule, 'metric'>): boolean => metric === 'leadership_digest';

/** `octo/web`, `each tracked repository of octo`. */
export function scopeText(scope: string): string {
  const name = getScopeName(scope);
  return scope.startsWith('org:') ? `each synced repository of ${name}` : name;
}

/** A scope as it is entered and suggested: `octo/web`, `octo`. */
export const getScopeName = (scope: string): string => scope.slice(scope.indexOf(':') + 1);

/** What a rule is called where there are several. */
export const ruleTitle = ({ label, scope, metric }: Pick<Rule, 'label' | 'scope' | 'metric'>): string =>
  isDigest({ metric }) ? `${label} of ${getScopeName(scope)}` : `${label} in ${scopeText(scope)}`;

/** Where a rule stands on the page. */
export const ruleAnchor = (id: number): string => `rule-${id}`;

export const channelNames: Record<Rule['channel'], string> = {
  browser: 'In the browser',
  email: 'Email',
  digest: 'Daily digest email',
  slack: 'Slack',
  webhook: 'Webhook',
};

/** A value of a rule or an event in words. */
export const amount = (value: number | null, unit: string): string => quantity(value, unit as Unit);

export const isByMail = ({ channel }: Pick<Rule, 'channel'>): boolean => channel === 'email' || channel === 'digest';

/** `7 days`, `36 hours`. */
export const windowText = (hours: number): string =>
  hours % 24 === 0 ? count(hours / 24, 'day') : count(hours, 'hour');

export interface RuleState {
  status: Status;
  word: string;
  /** What there is to say beyond the word. */
  why?: string;
}

/** How it stands with a rule. A value that is not known is never taken for a good one. */
export function ruleState(rule: Rule, now: number): RuleState {
  if (!rule.enabled) return { status: 'void', word: 'Off' };
  if (rule.muted_until !== null && Date.parse(rule.muted_until) > now) return { status: 'void', word: 'Muted' };
  const state = metricState(rule);
  const why = [state.why, rule.unsent].filter((text) => text).join(' ');
  return why === '' ? state : { ...state, why };
}

function metricState(rule: Rule): RuleState {
  if (rule.health === 'delivery_failing')
    return { status: 'fail', word: 'Not delivered', why: 'The last notification failed.' };
  if (rule.health === 'scope_unreachable')
    return {
      status: 'warning',
      word: 'No data',
      why: 'None of its repositories is synced and accessible.',
    };
  if (isDigest(rule))
    return rule.incomplete === null
      ? { status: 'pass', word: 'On' }
      : { status: 'warning', word: 'Not sent', why: rule.incomplete };
  if (rule.health === 'no_data' || rule.last_value === null)
    return { status: 'void', word: 'No value yet', why: whyNoValue(rule) };
  return valueState(rule);
}

function whyNoValue({ incomplete, last_evaluated_at: at }: Rule): string {
  if (incomplete !== null) return incomplete;
  return at === null ? 'Evaluated after the next sync.' : 'No data in this window.';
}

function valueState(rule: Rule): RuleState {
  const { has_reached: hasReached, incomplete, last_sample: sample, min_sample: least } = rule;
  if (hasReached === null && sample !== null && sample < least)
    return {
      status: 'void',
      word: 'Sample too small',
      why: `Sample ${figures(sample)}, minimum ${figures(least)}.`,
    };
  if (!hasReached && incomplete !== null) return { status: 'void', word: 'May be higher', why: incomplete };
  return hasReached ? { status: 'fail', word: 'Firing' } : { status: 'pass', word: 'OK' };
}

/** How a notification went, in words. */
export function deliveryText(event: AlertEvent): string {
  const { delivery_status: status, delivery_attempts: attempts, channel, is_test: isTest } = event;
  if (status === 'sent') return channel === 'digest' && !isTest ? 'sent in the daily digest' : 'sent';
  if (status === 'failed') return `failed after ${count(attempts, 'attempt')}`;
  if (status === 'batched')
    return event.digest_sent_at === null ? 'queued for the daily digest' : 'sent in the daily digest';
  if (status === 'pending') return attempts === 0 ? 'sending' : `retrying after ${count(attempts, 'attempt')}`;
  return channel === 'browser' ? 'shown here' : 'Not sent';
}

/** The unit beside a metric that is chosen: `percent`, `minutes`. */
export const unitNames: Readonly<Record<string, string>> = {
  percent: 'percent',
  minutes: 'minutes',
  hours: 'hours',
  days: 'days',
  count: 'count',
};
