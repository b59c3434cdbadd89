import { formatLabel, grossAmount, netAmount, type UsageItem, usedMinutes } from '../../metrics/cost/billing.ts';
import { daysIn, getMonthStart } from '../../metrics/cost/burn-rate.ts';
import type { Metric } from '../../metrics/kernel/metric.ts';
import { roundTo } from '../../metrics/kernel/statistics.ts';
import { dayMs } from '../../metrics/kernel/window.ts';
import { type Explanation, explainMetric } from '../kernel/evidence.ts';
import { computeMonth } from './analysis.ts';
import { noteBill } from './report.ts';
import { billingMonth } from './schema.ts';

/** A number of an organization's bill, opened into its lines; the running month when none is requested. */
const explainBill = (metric: Metric<UsageItem>, getAmount: (item: UsageItem) => number): Explanation => ({
  key: metric.key,
  feature: 'costAnalytics',
  needs: ['org'],
  async explain({ org = '', ...params }, context, reply) {
    const month = billingMonth(params, context.services.clock.now());
    const { usage, source } = await computeMonth(await context.codehost(), { kind: 'org', login: org }, month);
    noteBill(reply, [usage], false);
    const from = getMonthStart(month);
    return explainMetric(metric, usage.items, {
      window: { from, to: from + daysIn(month) * dayMs - 1 },
      partial: source === 'usage_summary' || usage.partialReason !== undefined,
      asOf: usage.asOf,
      source: 'live',
      item: (line) => ({
        label: [formatLabel(line.sku), line.repository ?? []].flat().join(', '),
        url: null,
        at: line.day,
        value: roundTo(getAmount(line), 6),
        note: `${roundTo(line.quantity, 2)} ${line.unitType}`,
      }),
    });
  },
});

/** The headline numbers of a bill. */
export const billingExplanations: readonly Explanation[] = [
  explainBill(netAmount, (item) => item.netAmount),
  explainBill(grossAmount, (item) => item.grossAmount),
  explainBill(usedMinutes, ({ quantity }) => quantity),
];
