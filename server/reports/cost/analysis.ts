import type { Context, Reply } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import type { BilledAccount, BillingReads, Usage } from '../../codehost/billing/billing.ts';
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

type Answer = Domain<typeof CostReport>;

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
    includedMinutes: included,
    totalMinutes: sumMinutes(items),
    totalGrossAmount: grossAmount(items).value ?? 0,
    totalDiscountAmount: roundTo(
      sumBy(items, ({ discountAmount }) => discountAmount),
      2,
    ),
    totalNetAmount: netAmount(items).value ?? 0,
    burnRate: burn && burnItem(burn),
    products: usageByProduct(items),
    skus: usageBySku(items, getMonthStart(month)),
    byRepository: source === 'usage_report' ? usageByRepository(items) : null,
    byDay: dayItems(usage, month, burn?.daysElapsed ?? daysIn(month)),
    unpricedSkus: unpricedSkus(items),
    source,
    generatedAt: usage.asOf,
    dataSource: 'live',
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

const dayItems = ({ items }: Usage, month: BillingMonth, count: number): Answer['byDay'] =>
  usageByDay(items, month, count)?.map((usage) => ({ ...usage, day: iso(usage.day).slice(0, 10) })) ?? null;

const burnItem = ({ minutesRange, netRange, ...burn }: BurnRate): NonNullable<Answer['burnRate']> => ({
  ...burn,
  projectedMinutesLow: minutesRange?.low ?? null,
  projectedMinutesHigh: minutesRange?.high ?? null,
  projectedNetLow: netRange?.low ?? null,
  projectedNetHigh: netRange?.high ?? null,
});
