import type { z } from 'zod';
import { count, figures, quantity } from '../../../server/domain/quantity.ts';
import type { getBilling, getCostAnalysis } from '../../../server/reports/cost/operations.ts';
import { Badge } from '../../components/badge.tsx';
import { MetricCard, MetricCards } from '../../components/metric-card.tsx';
import { Empty } from '../../components/notice.tsx';
import { findDayTrend } from '../day-trend.ts';
import { explainHref } from '../links.ts';

export type Cost = z.output<(typeof getCostAnalysis)['output']>;
export type Bill = z.output<(typeof getBilling)['output']>;
type Burn = NonNullable<Cost['burn_rate']>;

/** An organization's month in a few numbers; the running one also where it leads. */
export function OrganizationFigures({ data, base }: { data: Cost; base: string }) {
  const { burn_rate: burn, period, login } = data;
  const opened = (metric: string) => explainHref(base, { metric, org: login, ...period });
  if (data.skus.length === 0) return <Empty cause="No usage in this month." />;
  return (
    <MetricCards>
      <MetricCard
        label="Net amount"
        value={{ value: data.total_net_amount, unit: 'usd' }}
        evidenceHref={opened('net_amount')}
        note={`${quantity(data.total_gross_amount, 'usd')} gross, ${quantity(data.total_discount_amount, 'usd')} included usage and discounts`}
      />
      <MetricCard
        label="Minutes"
        value={{ value: data.total_minutes, unit: 'count', source: 'runner minutes, each job rounded up' }}
        evidenceHref={opened('billed_minutes')}
        trend={findMinutesTrend(data)}
        note={burn ? <Included data={data} burn={burn} /> : undefined}
      />
      {burn ? <BurnCards burn={burn} opened={opened} /> : null}
    </MetricCards>
  );
}

/** Minutes of each whole day; the last one of the running month is not over. */
function findMinutesTrend({ by_day: days, burn_rate: burn }: Cost) {
  const known = (days ?? []).map(({ day, minutes }, index, all) => ({
    date: day,
    minutes,
    partial: burn !== null && index === all.length - 1,
  }));
  const trend = findDayTrend(known, 'Minutes', ({ minutes }) => minutes);
  return trend && { ...trend, kind: 'bars' as const };
}

/** From this day on the days so far allow a forecast. */
const firstTellingDay = 6;

/** What follows from the lines of the bill so far, which are the evidence. */
function BurnCards({ burn, opened }: { burn: Burn; opened(metric: string): string }) {
  const { days_elapsed: elapsed, days_total: days } = burn;
  const isTelling = elapsed >= firstTellingDay;
  const early = `Available from day ${firstTellingDay} of the month.`;
  return (
    <>
      <MetricCard
        label="Minutes per day"
        value={{ value: burn.daily_burn_rate, unit: 'count', source: `day ${elapsed} of ${days}` }}
        evidenceHref={opened('billed_minutes')}
        computed="Minutes this month divided by days so far, including today."
      />
      <MetricCard
        label="Forecast net amount"
        value={{
          value: isTelling ? burn.projected_net_amount : null,
          unit: 'usd',
          reason: early,
          quality: isTelling && (burn.projected_overage ?? 0) > 0 ? 'floor' : 'estimated',
          source: isTelling ? rangeText(burn.projected_net_low, burn.projected_net_high, 'usd') : null,
        }}
        evidenceHref={opened('net_amount')}
        computed="Average daily net amount times the days of the month."
        note={isTelling ? (burn.range_missing ?? 'At the current rate, with 95 % interval.') : undefined}
      />
      <MetricCard
        label="Forecast minutes"
        value={{
          value: isTelling ? Math.round(burn.projected_minutes) : null,
          unit: 'count',
          reason: early,
          quality: 'estimated',
          source: isTelling ? rangeText(burn.projected_minutes_low, burn.projected_minutes_high, 'count') : null,
        }}
        evidenceHref={opened('billed_minutes')}
        computed="Average daily minutes times the days of the month."
        note={isTelling ? overageText(burn) : undefined}
      />
    </>
  );
}

function rangeText(low: number | null, high: number | null, unit: 'usd' | 'count'): string | null {
  if (low === null || high === null) return null;
  const shown = (value: number) => quantity(unit === 'count' ? Math.round(value) : value, unit);
  return `${shown(low)} to ${shown(high)}`;
}

const statusLabels = {
  ok: 'Within included minutes.',
  warning: 'Close to included minutes.',
  critical: 'Over included minutes.',
  unknown: 'Plan and included minutes are unknown.',
};

function overageText({ status, projected_overage: overage, projected_overage_cost: cost }: Burn): string {
  if (overage === null || overage === 0 || cost === null) return statusLabels[status];
  return `${statusLabels[status]} About ${figures(overage, 0)} weighted minutes over (${quantity(cost, 'usd')}).`;
}

/** How much of the included minutes is used; those of larger runners never are. */
function Included({ data, burn }: { data: Cost; burn: Burn }) {
  const { included_minutes: included, plan } = data;
  if (included === null) return plan === null ? 'This token cannot read the plan.' : `Plan ${plan}`;
  const share = (100 * burn.quota_minutes) / included;
  const isOver = share > 100;
  const shareText = isOver ? 'over 100 %' : quantity(Math.round(share), 'percent');
  const text = `${figures(burn.quota_minutes, 0)} of ${count(included, 'included minute')} of the ${plan} plan`;
  return (
    <>
      <progress
        className={isOver ? 'over' : undefined}
        value={Math.min(burn.quota_minutes, included)}
        max={included}
        aria-label={`${text}, ${shareText}`}
      />
      <br />
      {text}, {isOver ? <Badge status="fail">{shareText}</Badge> : shareText}. Standard runners only; Windows counts 2×,
      macOS 10×.
    </>
  );
}

/** A person's month. */
export function PersonFigures({ data }: { data: Bill }) {
  const { included_minutes: included, plan } = data;
  if (data.by_sku.length === 0) return <Empty cause="No usage in this month." />;
  return (
    <MetricCards>
      <MetricCard
        label="Net amount"
        value={{ value: data.net_amount, unit: 'usd' }}
        note={`${quantity(data.gross_amount, 'usd')} gross, before included usage and discounts`}
      />
      <MetricCard
        label="Minutes"
        value={{ value: data.total_minutes_used, unit: 'count', source: 'runner minutes, each job rounded up' }}
        note={included === null ? 'Plan unknown' : `${figures(included)} per month included in the ${plan} plan`}
      />
      <MetricCard
        label="Billable minutes"
        value={{ value: data.total_paid_minutes_used, unit: 'count', source: 'not covered by the plan' }}
      />
    </MetricCards>
  );
}
