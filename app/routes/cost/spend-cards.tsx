import { count, figures, quantity } from '../../../server/domain/quantity.ts';
import { RangeBar } from '../../charts/range-bar.tsx';
import { describeChange, whyCostUncompared, whyWasteUncompared } from '../../components/comparison.ts';
import { findWholeCost, isWholeCost } from '../../components/known-cost.ts';
import { MetricCard, MetricCards } from '../../components/metric-card.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { findDayTrend } from '../day-trend.ts';
import { explainHref, repositoryParams } from '../links.ts';
import type { Spend } from './views.ts';

/** Cost, waste and where the running month leads. */
export function SpendCards({ data }: { data: Spend }) {
  const { base } = usePageContext();
  const { totals, forecast, org, repo, range } = data;
  const scope = repo === null ? { org } : repositoryParams(repo);
  const evidence = (metric: string) => explainHref(base, { metric, ...scope, range });
  const { cost_sample: costed, completed_runs: completed, unknown_jobs: unknown } = totals;
  const isWhole = isWholeCost(totals) && !data.partial;
  const priced = {
    unit: 'usd' as const,
    quality: isWhole ? ('estimated' as const) : ('floor' as const),
    reason: costed === 0 ? 'No job data yet.' : unknown > 0 ? 'Unknown runners.' : 'Range under 7 days.',
  };
  return (
    <MetricCards>
      <MetricCard
        label="Cost per month"
        value={{
          ...priced,
          value: totals.cost_per_month,
          source: `${figures(costed)} of ${count(completed ?? 0, 'completed run')}`,
        }}
        change={describeChange(data, {
          by: totals.cost_change_pct,
          unit: 'percent',
          better: 'lower',
          reason: whyCostUncompared(totals),
        })}
        trend={findDayTrend(data.days, 'Cost', (day) => findWholeCost(day, ({ cost }) => cost))}
        evidenceHref={evidence('monthly_cost')}
      />
      <MetricCard
        label="Wasted per month"
        value={{
          ...priced,
          value: totals.wasted_per_month,
          source: totals.wasted_share === null ? null : `${quantity(totals.wasted_share, 'percent')} of cost`,
        }}
        change={describeChange(data, {
          by: totals.wasted_change_pct,
          unit: 'percent',
          better: 'lower',
          reason: whyWasteUncompared(totals),
        })}
        trend={findDayTrend(data.days, 'Wasted', (day) => findWholeCost(day, ({ wasted }) => wasted))}
        evidenceHref={evidence('wasted_monthly_cost')}
      />
      <MetricCard
        label={`Forecast ${monthName(forecast.month)}`}
        value={{
          unit: 'usd',
          quality: isWhole ? 'estimated' : 'floor',
          value: forecast.expected,
          reason: forecast.missing ?? undefined,
          source:
            forecast.low === null || forecast.high === null
              ? null
              : `${quantity(forecast.low, 'usd')} to ${quantity(forecast.high, 'usd')}, n = ${count(forecast.sample_days, 'day')}`,
        }}
        note={forecast.spent === null ? undefined : `${quantity(forecast.spent, 'usd')} so far.`}
        computed={forecast.definition}
        evidenceHref={explainHref(base, { metric: 'cost_forecast', ...scope })}
        beside={<ForecastBand forecast={forecast} />}
      />
    </MetricCards>
  );
}

/** Where the month may end, from nothing on; nothing where that is not known. */
function ForecastBand({ forecast: { spent, expected, low, high } }: Pick<Spend, 'forecast'>) {
  if (spent === null || expected === null || low === null || high === null || high === 0) return null;
  return <RangeBar known={spent} low={low} high={high} expected={expected} unit="usd" knownLabel="so far" />;
}

/** `2026-11` as `Nov`. */
const monthName = (month: string) =>
  new Date(`${month}-01T00:00:00Z`).toLocaleDateString('en', { month: 'short', timeZone: 'UTC' });
