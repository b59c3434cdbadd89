import type { z } from 'zod';
import { count, figures, quantity } from '../../../server/domain/quantity.ts';
import type { getBilling, getCostAnalysis } from '../../../server/reports/cost/operations.ts';
import { Badge } from '../../components/badge.tsx';
import { MetricCard, MetricCards } from '../../components/metric-card.tsx';
import { Empty } from '../../components/notice.tsx';
import { explainHref } from '../links.ts';

export type Cost = z.output<(typeof getCostAnalysis)['output']>;
export type Bill = z.output<(typeof getBilling)['output']>;
type Burn = NonNullable<Cost['burn_rate']>;

/** An organization's month in a few numbers; the running one also where it leads. */
export function OrganizationFigures({ data, base }: { data: Cost; base: string }) {
  const { burn_rate: burn, period, login } = data;
  const opened = (metric: string) => explainHref(base, { metric, org: login, ...period });
  if (data.skus.length === 0) return <Empty cause="Nothing was used in this month." />;
  return (
    <MetricCards>
      <MetricCard
        label="Net amount"
        value={{ value: data.total_net_amount, unit: 'usd' }}
        evidenceHref={opened('net_amount')}
        note={`${quantity(data.total_gross_amount, 'usd')} before ${quantity(data.total_discount_amount, 'usd')} of included usage and discounts`}
      />
      <MetricCard
        label="Minutes"
        value={{ value: data.total_minutes, unit: 'count', source: 'minutes of runners, each job rounded up' }}
        evidenceHref={opened('billed_minutes')}
        note={burn ? <Included data={data} burn={burn} /> : undefined}
      />
      {burn ? <BurnCards burn={burn} opened={opened} /> : null}
    </MetricCards>
  );
}

/** From this day on the days so far say something about those left. */
const firstTellingDay = 6;

/** What follows from the lines of the bill so far, which are the evidence. */
function BurnCards({ burn, opened }: { burn: Burn; opened(metric: string): string }) {
  const { days_elapsed: elapsed, days_total: days } = burn;
  const isTelling = elapsed >= firstTellingDay;
  const early = `Told from day ${firstTellingDay} on; before that a month is too young.`;
  return (
    <>
      <MetricCard
        label="Minutes a day"
        value={{ value: burn.daily_burn_rate, unit: 'count', source: `days so far, ${elapsed} of ${days}` }}
        evidenceHref={opened('billed_minutes')}
        computed="All minutes of the month, divided by its days so far, today included."
      />
      <MetricCard
        label="Net amount at the end of the month"
        value={{
          value: isTelling ? burn.projected_net_amount : null,
          unit: 'usd',
          reason: early,
          quality: 'estimated',
        }}
        tier={isTelling ? rangeText(burn.projected_net_low, burn.projected_net_high, 'usd') : undefined}
        evidenceHref={opened('net_amount')}
        computed="The net amount of a day so far, times the days of the month."
        note={
          isTelling
            ? (burn.range_missing ?? 'If the days left are like those so far. The range holds 95 of 100 such months.')
            : undefined
        }
      />
      <MetricCard
        label="Minutes at the end of the month"
        value={{
          value: isTelling ? Math.round(burn.projected_minutes) : null,
          unit: 'count',
          reason: early,
          quality: 'estimated',
        }}
        tier={isTelling ? rangeText(burn.projected_minutes_low, burn.projected_minutes_high, 'count') : undefined}
        evidenceHref={opened('billed_minutes')}
        computed="The minutes of a day so far, times the days of the month."
        note={isTelling ? overageText(burn) : undefined}
      />
    </>
  );
}

function rangeText(low: number | null, high: number | null, unit: 'usd' | 'count'): string | undefined {
  if (low === null || high === null) return undefined;
  const shown = (value: number) => quantity(unit === 'count' ? Math.round(value) : value, unit);
  return `between ${shown(low)} and ${shown(high)}`;
}

const statusLabels = {
  ok: 'Within the included minutes.',
  warning: 'Close to the included minutes.',
  critical: 'Beyond the included minutes.',
  unknown: 'The plan is not known, so neither are its included minutes.',
};

function overageText({ status, projected_overage: overage, projected_overage_cost: cost }: Burn): string {
  if (overage === null || overage === 0 || cost === null) return statusLabels[status];
  return `${statusLabels[status]} About ${figures(overage, 0)} weighted minutes over, ${quantity(cost, 'usd')}.`;
}

/** How much of the included minutes is used; those of larger runners never are. */
function Included({ data, burn }: { data: Cost; burn: Burn }) {
  const { included_minutes: included, plan } = data;
  if (included === null) return plan === null ? 'The plan is not visible to this token.' : `Plan ${plan}`;
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
      {text}, {isOver ? <Badge status="fail">{shareText}</Badge> : shareText}. Standard runners alone; Windows counts
      twice, macOS ten times.
    </>
  );
}

/** A person's month. */
export function PersonFigures({ data }: { data: Bill }) {
  const { included_minutes: included, plan } = data;
  if (data.by_sku.length === 0) return <Empty cause="Nothing was used in this month." />;
  return (
    <MetricCards>
      <MetricCard
        label="Net amount"
        value={{ value: data.net_amount, unit: 'usd' }}
        note={`${quantity(data.gross_amount, 'usd')} before included usage and discounts`}
      />
      <MetricCard
        label="Minutes"
        value={{ value: data.total_minutes_used, unit: 'count', source: 'minutes of runners, each job rounded up' }}
        note={
          included === null ? 'The plan is not visible.' : `${figures(included)} a month come with the ${plan} plan`
        }
      />
      <MetricCard
        label="Minutes to pay"
        value={{ value: data.total_paid_minutes_used, unit: 'count', source: 'minutes that nothing covers' }}
      />
    </MetricCards>
  );
}
