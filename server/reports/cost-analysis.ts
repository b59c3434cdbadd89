import type { z } from 'zod';
import type { Context, Reply } from '../access/context.ts';
import type { BilledAccount, BillingReads, Usage } from '../codehost/billing.ts';
import {
  grossAmount,
  includedMinutes,
  minutesOf,
  netAmount,
  sumOf,
  unpricedSkus,
  usageByProduct,
  usageByRepository,
  usageBySku,
} from '../metrics/billing.ts';
import {
  type BillingMonth,
  type BurnRate,
  burnRate,
  daysIn,
  isRunning,
  startOf,
  usageByDay,
} from '../metrics/burn-rate.ts';
import { roundTo } from '../metrics/statistics.ts';
import { Problem, type ProblemCode } from '../platform/problem.ts';
import { noteBill, readablePlan } from './billing.ts';
import { type BillTable, billingMonth, type CostReport, type MonthInput, skuItem } from './billing-schema.ts';
import { iso } from './instants.ts';

type Answer = z.input<typeof CostReport>;

/** What an organization used and pays in a month, and for the running one where that leads. */
export async function costAnalysis(
  { org, table, ...asked }: MonthInput & { org: string; table: BillTable },
  context: Context,
  reply: Reply,
): Promise<Answer> {
  const now = context.services.clock.now();
  const month = billingMonth(asked, now);
  const codehost = await context.codehost();
  const account = { kind: 'org', login: org } as const;
  const [{ usage, source }, { plan, read }] = await Promise.all([
    monthOf(codehost, account, month),
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
    total_minutes: minutesOf(items),
    total_gross_amount: grossAmount(items).value ?? 0,
    total_discount_amount: roundTo(
      sumOf(items, ({ discountAmount }) => discountAmount),
      2,
    ),
    total_net_amount: netAmount(items).value ?? 0,
    burn_rate: burn && burnItem(burn),
    products: usageByProduct(items).map(({ product, ...amounts }) => ({ product, ...amountItem(amounts) })),
    skus: usageBySku(items, startOf(month)).map(skuItem),
    by_repository: source === 'usage_report' ? repositoryItems(usage) : null,
    by_day: dayItems(usage, month, burn?.daysElapsed ?? daysIn(month)),
    unpriced_skus: unpricedSkus(items),
    source,
    generated_at: iso(usage.asOf),
    data_source: 'live',
  };
}

/** A month by day and repository; only summed where the report cannot be read. */
export async function monthOf(
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

const amountItem = (of: { grossAmount: number; discountAmount: number; netAmount: number }) => ({
  gross_amount: of.grossAmount,
  discount_amount: of.discountAmount,
  net_amount: of.netAmount,
});

const repositoryItems = ({ items }: Usage): Answer['by_repository'] =>
  usageByRepository(items).map((one) => ({
    repo: one.repo,
    minutes: one.minutes,
    gross_amount: one.grossAmount,
    net_amount: one.netAmount,
  }));

const dayItems = ({ items }: Usage, month: BillingMonth, count: number): Answer['by_day'] =>
  usageByDay(items, month, count)?.map(({ day, minutes, netAmount: net }) => ({
    day: iso(day).slice(0, 10),
    minutes,
    net_amount: net,
  })) ?? null;

const burnItem = (burn: BurnRate): NonNullable<Answer['burn_rate']> => ({
  days_elapsed: burn.daysElapsed,
  days_total: burn.daysTotal,
  progress: burn.progress,
  current_minutes: burn.currentMinutes,
  daily_burn_rate: burn.dailyMinutes,
  projected_minutes: burn.projectedMinutes,
  projected_minutes_low: burn.minutesRange?.low ?? null,
  projected_minutes_high: burn.minutesRange?.high ?? null,
  projected_net_amount: burn.projectedNetAmount,
  projected_net_low: burn.netRange?.low ?? null,
  projected_net_high: burn.netRange?.high ?? null,
  range_missing: burn.rangeMissing,
  quota_minutes: burn.quotaMinutes,
  projected_overage: burn.projectedOverage,
  projected_overage_cost: burn.projectedOverageCost,
  status: burn.status,
});
