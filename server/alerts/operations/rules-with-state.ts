import type { Context } from '../../access/context.ts';
import type { AlertRule } from '../../store/alert-rules.ts';
import { undeliverableReason } from '../destinations.ts';
import { getFreshSince, getRuleHealth, missingDataReason, staleReason } from '../rules.ts';
import { shownRule } from '../shown.ts';
import type { AlertSource } from '../source.ts';
import type { VisibilityScope } from '../visible.ts';

interface Showing {
  source: AlertSource;
  context: Context;
  /** What the caller may know of; null where that is everything. */
  visibility: VisibilityScope | null;
}

/** Rules with what their latest evaluations came to, as a caller may know of it. */
export async function shownRules(rules: readonly AlertRule[], { source, context, visibility }: Showing) {
  const { services, isDemo } = context;
  const { alertRules, repositories } = source;
  if (rules.length === 0) return [];
  const [now, repoIds] = [services.clock.now(), visibility?.repoIds ?? null];
  const requested = rules.map((rule) => ({ id: rule.id, freshSince: getFreshSince(rule, now) }));
  const statuses = new Map((await alertRules.statuses(requested, repoIds)).map((one) => [one.ruleId, one]));
  const ids = rules.map(({ id }) => id);
  const days = new Map((await alertRules.days(ids, now, repoIds)).map((one) => [one.ruleId, one.highest]));
  const tracked = await repositories.tracked();
  const endpoints = isDemo ? [] : await context.store.webhookEndpoints.list();
  return rules.map((rule) => {
    const status = statuses.get(rule.id);
    const noDataReason = isDemo ? null : missingDataReason(rule, services.env);
    const health = noDataReason === null ? getRuleHealth(rule, status, tracked) : 'no_data';
    const highest = days.get(rule.id);
    if (!highest) throw new Error('Every rule has its days.');
    const unsent = isDemo ? null : undeliverableReason(rule, services.env, endpoints);
    const reasons = {
      noDataReason: noDataReason ?? staleReason(rule, status, now),
      undeliverableReason: unsent,
    };
    return shownRule(rule, { status, highest, health, ...reasons, endpoints, isAdmin: visibility === null });
  });
}

/** A rule with its state, for an administrator. */
export const theRule = async (rule: AlertRule, context: Context) => {
  const [shown] = await shownRules([rule], { source: context.store, context, visibility: null });
  if (!shown) throw new Error('A rule is always shown.');
  return shown;
};
