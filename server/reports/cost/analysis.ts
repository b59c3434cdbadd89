import type { z } from 'zod';
import type { Context, Reply } from '../../access/context.ts';
import type { BilledAccount, BillingReads, Usage } from '../../codehost/billing/billing.ts';
import { toWire } from '../../domain/wire.ts';
import {
  grossAmount,
  includedMinutes,
  netAmount,
  sumBy,
  sumMinutes,
  unpricedSkus,
  usageByProduct,
  usageByRepository,
  usageBySku,
} from '../../metrics/cost/billing.ts';
import {
  type BillingMonth,
  type BurnRate,
  burnRate,
  daysIn,
  getMonthStart,
  isRunning,
  usageByDay,
} from '../../metrics/cost/burn-rate.ts';
import { roundTo } from '../../metrics/kernel/statistics.ts';
import { Problem, type ProblemCode } from '../../platform/problem.ts';
import { iso } from '../kernel/instants.ts';
import { noteBill, readablePlan } from './report.ts';
import { type BillTable, billingMonth, type CostReport, type MonthInput } from './schema.ts';

type Answer = z.input<typeof CostReport>;

/** What an organization used and pays in a month, and for the running one where that leads. */
export async function costAnalysis(
  { org, table, ...params }: MonthInput & { org: string; table: BillTable },
  context: Context,
  reply: Reply,
): Promise<Answer> {
  const now = context.services.clock.now();
  const month = billingMonth(params, now);
  const codehost = await context.codehost();
  const account = { kind: 'org', login: org } as const;
  const [{ usage, source }, { plan, read }] = await Promise.all([
    computeMonth(codehost, account, month),
    // A past month does not go on, so what is included does not matter.
    isRunning(month, now) ? readablePlan(codehost, account) : { plan: null, read: undefined },
  ]);
  noteBill(reply, [usage, read ?? null], read === null || source === 'usage_summary');
  const { items } = usage;
  const included = includedMinutes(plan);
  const burn = burnRate(items, { month, included, now });
  return {
    table,
    ...account,
    period: month,
    plan,
    included_minutes: included,
    total_minutes: sumMinutes(items),
    total_gross_amount: grossAmount(items).value ?? 0,
    total_discount_amount: roundTo(
      sumBy(items, ({ discountAmount }) => discountAmount),
      2,
    ),
    total_net_amount: netAmount(items).value ?? 0,
    burn_rate: burn && burnItem(burn),
    products: toWire(usageByProduct(items)),
    skus: toWire(usageBySku(items, getMonthStart(month))),
    by_repository: source === 'usage_report' ? toWire(usageByRepository(items)) : null,
    by_day: dayItems(usage, month, burn?.daysElapsed ?? daysIn(month)),
    unpriced_skus: unpricedSkus(items),
    source,
    generated_at: usage.asOf,
    data_source: 'live',
  };
}

/** A month by day and repository; only summed where the report cannot be read. */
export async function computeMonth(
  { billing }: BillingReads,
  account: BilledAccount,
  month: BillingMonth,
): Promise<{ usage: Usage; source: Answer['source'] }> {
  try {
    return { usage: await billing.usage(account, month), source: 'usage_report' };
  } catch (error) {
    if (!(error instanceof Problem && summedInstead.has(error.code))) throw error;
    return { usage: await billing.summary(account, month), source: 'usage_summary' };
  }
}

const summedInstead: ReadonlySet<ProblemCode> = new Set([
  'upstream_forbidden',
  'not_found',
  'gone',
  'upstream_unavailable',
]);

const dayItems = ({ items }: Usage, month: BillingMonth, count: number): Answer['by_day'] =>
  usageByDay(items, month, count)?.map((usage) => ({ ...toWire(usage), day: iso(usage.day).slice(0, 10) })) ?? null;

const burnItem = ({ minutesRange, netRange, ...burn }: BurnRate): NonNullable<Answer['burn_rate']> => ({
  ...toWire(burn),
  projected_minutes_low: minutesRange?.low ?? null,
  projected_minutes_high: minutesRange?.high ?? null,
  projected_net_low: netRange?.low ?? null,
  projected_net_high: netRange?.high ?? null,
});
