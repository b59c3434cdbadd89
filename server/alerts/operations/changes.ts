import { z } from 'zod';
import { type Context, changedBy } from '../../access/context.ts';
import { administrator } from '../../access/rules.ts';
import { operation, testMessages } from '../../api/operation.ts';
import { fromWire } from '../../domain/wire.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { within } from '../../platform/fields.ts';
import { Problem } from '../../platform/problem.ts';
import type { AlertRule, AlertRuleChange } from '../../store/alert-rules.ts';
import { assertDestination } from '../destinations.ts';
import { measureRule } from '../measure-rule.ts';
import { leadershipDigest } from '../rules.ts';
import { tryRule } from '../try.ts';
import {
  assertThreshold,
  destination,
  invalid,
  minSample,
  ruleNotes,
  SavedRule,
  threshold,
  windowHours,
  writes,
} from './list.ts';
import { theRule } from './rules-with-state.ts';

const ruleId = within(1, 2_147_483_647);

export const updateAlert = operation({
  method: 'PATCH',
  path: '/api/alerts',
  summary: 'Update an alert rule; its metric and channel cannot change',
  access: administrator,
  failures: ['not_found'],
  limit: writes,
  input: z.object({
    id: ruleId,
    enabled: z.boolean().optional(),
    threshold: threshold.optional(),
    window_hours: windowHours.optional(),
    destination: destination.optional(),
    muted_until: z.iso.datetime({ offset: true }).nullable().optional(),
    ...ruleNotes,
    min_sample: minSample.nullable().optional(),
  }),
  output: SavedRule,
  async run({ id, ...given }, context) {
    const { alertRules } = context.store;
    const rule = await alertRules.find(id);
    if (!rule) throw noRule();
    const change = toChange(given, rule, context.services.clock.now());
    if (change.destination !== undefined) await assertDestination({ ...rule, ...change }, context);
    const changed = await alertRules.change(id, change, await changedBy(context));
    if (changed === 'same') throw invalid('id', 'An identical rule already exists.');
    if (!changed) throw noRule();
    if (measuredAnewAfter.some((field) => changed[field] !== rule[field]))
      await measureRule(changed, { ...context.services, store: context.store });
    return { rule: await theRule(changed, context) };
  },
});

/** With another threshold the value stays the same; after these changes it is another one, or out of date. */
const measuredAnewAfter = ['windowHours', 'minSample', 'enabled', 'mutedUntil'] as const;

const noRule = () => new Problem('not_found', 'Rule not found.');
const longestMuteMs = 90 * 86_400_000;

type Change = Omit<z.output<typeof updateAlert.input>, 'id'>;

function toChange(given: Change, rule: AlertRule, now: Instant) {
  if (Object.values(given).every((one) => one === undefined)) throw invalid('id', 'No changes given.');
  const { muted_until: mutedUntil, ...values } = given;
  if (rule.metric === leadershipDigest)
    for (const field of ['threshold', 'window_hours', 'min_sample'] as const)
      if (given[field] !== undefined) throw invalid(field, `${field} cannot be combined with the weekly email.`);
  if (given.threshold !== undefined) assertThreshold(rule.metric, given.threshold);
  const until = mutedUntil ? Date.parse(mutedUntil) : null;
  if (until !== null && (until <= now || until > now + longestMuteMs))
    throw invalid('muted_until', 'muted_until must be in the future, at most 90 days ahead.');
  const change = fromWire<Omit<AlertRuleChange, 'mutedUntil'>>(values);
  return mutedUntil === undefined ? change : { ...change, mutedUntil: until };
}

export const deleteAlert = operation({
  method: 'DELETE',
  path: '/api/alerts',
  summary: 'Delete an alert rule; its events are kept',
  access: administrator,
  failures: ['not_found'],
  limit: writes,
  input: z.object({ id: ruleId }),
  output: z.object({ ok: z.literal(true) }),
  async run({ id }, context) {
    if (!(await context.store.alertRules.remove(id, await changedBy(context)))) throw noRule();
    return { ok: true as const };
  },
});

const Tried = z.union([
  z.object({ ok: z.literal(true), result: z.object({ ok: z.literal(true) }) }),
  z.object({
    ok: z.literal(false),
    error: z.string(),
    code: z.literal('provider_error'),
    request_id: z.string(),
    result: z.object({ ok: z.literal(false), error: z.string() }),
  }),
]);

export const testAlert = operation({
  method: 'POST',
  path: '/api/alerts/test',
  summary: 'Send a test notification through the channel of a rule, with the value 1',
  access: administrator,
  failures: ['not_found'],
  limit: testMessages,
  includesOk: true,
  input: z.object({ rule_id: ruleId }),
  output: Tried,
  successes: { 200: 'The test was sent.', 502: 'The provider rejected it; the error is its own text.' },
  async run({ rule_id: id }, context, reply) {
    const { store, services } = context;
    const rule = await store.alertRules.find(id);
    if (!rule) throw noRule();
    const handed = await tryRule(rule, { ...services, store });
    await noteTest(rule, handed.ok, context);
    if (handed.ok) return { ok: true as const, result: { ok: true as const } };
    reply.status = 502;
    services.log.warn(
      { status: 502, code: 'provider_error', channel: rule.channel, request_id: context.requestId },
      'a test of an alert rule could not be sent',
    );
    const { error } = handed;
    return {
      ok: false as const,
      error,
      code: 'provider_error' as const,
      requestId: context.requestId,
      result: { ok: false as const, error },
    };
  },
});

async function noteTest({ id, scope, metric, channel }: AlertRule, isSent: boolean, context: Context) {
  const { actor, requestId, now } = await changedBy(context);
  const entry = {
    category: 'alerts' as const,
    action: 'alert.tested',
    actor,
    targetType: 'alert_rule',
    target: String(id),
    before: null,
    after: { scope, metric, channel, sent: isSent },
    requestId,
    note: null,
  };
  await context.store.audit.append(entry, now);
}
