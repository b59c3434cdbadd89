import { z } from 'zod';
import type { BillingMonth } from '../../metrics/cost/burn-rate.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { invalidRequest } from '../../platform/problem.ts';
import { provenance } from '../kernel/instants.ts';

const usd = z.number().meta({ description: 'USD.' });

const SkuItem = z
  .object({
    product: z.string(),
    sku: z.string().meta({ description: 'As the bill names it.' }),
    label: z.string(),
    os: z.enum(['linux', 'macos', 'windows']).nullable(),
    size: z.string().nullable().meta({ description: 'Such as `4-core`; null where the price book does not know it.' }),
    unit_type: z.string(),
    price_per_unit: z.number(),
    quantity: z.number(),
    minutes: z.number().nullable().meta({ description: 'null for other units, such as gigabyte-hours of storage.' }),
    gross_amount: usd,
    discount_amount: usd,
    net_amount: usd,
  })
  .meta({ id: 'SkuItem' });

const Period = z.object({ month: z.int(), year: z.int() }).meta({ description: 'A calendar month in UTC.' });

export const BillingReport = z
  .object({
    kind: z.enum(['org', 'user']),
    login: z.string(),
    period: Period,
    plan: z.string().nullable().meta({ description: 'null when the token may not see it.' }),
    included_minutes: z.number().nullable().meta({ description: 'Minutes per month included in the plan.' }),
    estimated_included: z.boolean().meta({ description: 'Derived from the plan; not reported by GitHub.' }),
    total_minutes_used: z.number(),
    total_paid_minutes_used: z.number().nullable(),
    minutes_used_breakdown: z.object({
      MACOS: z.number().optional(),
      UBUNTU: z.number().optional(),
      WINDOWS: z.number().optional(),
    }),
    gross_amount: usd,
    net_amount: usd,
    by_sku: z.array(SkuItem).meta({ description: 'Most expensive first.' }),
    source: z.literal('usage_summary'),
    ...provenance,
  })
  .meta({ id: 'BillingReport' });

const amounts = { gross_amount: usd, net_amount: usd };
const projected = usd.nullable();

const BurnRate = z
  .object({
    days_elapsed: z.int().meta({ description: 'Day of the month, the running one included.' }),
    days_total: z.int(),
    progress: z.number().meta({ description: 'Share of the month that has begun, 0 to 1.' }),
    current_minutes: z.number(),
    daily_burn_rate: z.number().meta({ description: 'Minutes per day so far.' }),
    projected_minutes: z.number().meta({ description: 'If the days left are like those so far.' }),
    projected_minutes_low: z.number().nullable(),
    projected_minutes_high: z.number().nullable(),
    projected_net_amount: usd,
    projected_net_low: projected.meta({ description: 'With `high` a range in which 95 of 100 such months end.' }),
    projected_net_high: projected,
    range_missing: z.string().nullable().meta({ description: 'Why there is no range; until day 6 there is none.' }),
    quota_minutes: z.number().meta({
      description:
        'Minutes as included ones are used up: standard runners alone, Windows twice, macOS ten times. Runs of public repositories are in it, though they are free.',
    }),
    projected_overage: z
      .number()
      .nullable()
      .meta({ description: '`quota_minutes` at the end of the month beyond the included ones; null if unknown.' }),
    projected_overage_cost: projected,
    status: z
      .enum(['ok', 'warning', 'critical', 'unknown'])
      .meta({ description: 'Above 0.9 times the included minutes a warning, above 1.2 times critical.' }),
  })
  .meta({ id: 'BurnRate' });

/** The tables of the answer that can be had as CSV, by the name of their field. */
export const billTables = ['skus', 'products', 'by_repository', 'by_day'] as const;
export type BillTable = (typeof billTables)[number];

export const CostReport = z
  .object({
    table: z.enum(billTables).meta({ description: 'The table that CSV gives.' }),
    kind: z.literal('org'),
    login: z.string(),
    period: Period,
    plan: z.string().nullable().meta({ description: 'Read for the running month only.' }),
    included_minutes: z.number().nullable(),
    total_minutes: z.number(),
    total_gross_amount: usd,
    total_discount_amount: usd,
    total_net_amount: usd,
    burn_rate: BurnRate.nullable().meta({ description: 'null for a past month.' }),
    products: z.array(z.object({ product: z.string(), discount_amount: usd, ...amounts })),
    skus: z.array(SkuItem).meta({ description: 'Most expensive first.' }),
    by_repository: z
      .array(z.object({ repo: z.string(), minutes: z.number(), ...amounts }))
      .nullable()
      .meta({ description: 'null when the usage report could not be read.' }),
    by_day: z
      .array(z.object({ day: z.iso.date(), minutes: z.number(), net_amount: usd }))
      .nullable()
      .meta({ description: 'null when usage is not reported by day.' }),
    unpriced_skus: z.array(z.string()).meta({ description: 'Runners that the price book does not know.' }),
    source: z.enum(['usage_report', 'usage_summary']),
    ...provenance,
  })
  .meta({ id: 'CostReport' });

export interface MonthInput {
  year?: number | undefined;
  month?: number | undefined;
}

/** The requested month, the running one by default; one in the future is an error. */
export function billingMonth({ year, month }: MonthInput, now: Instant): BillingMonth {
  const today = new Date(now);
  const running = { year: today.getUTCFullYear(), month: today.getUTCMonth() + 1 };
  const requested = { year: year ?? running.year, month: month ?? running.month };
  const inFuture = (field: string) =>
    invalidRequest([{ field, reason: 'invalid', message: `${field} lies in the future.` }]);
  if (requested.year > running.year) throw inFuture('year');
  if (requested.year === running.year && requested.month > running.month) throw inFuture('month');
  return requested;
}
