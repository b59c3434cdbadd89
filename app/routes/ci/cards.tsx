import { count, figures, quantity, refineRate } from '../../../server/domain/quantity.ts';
import { describeChange, fewRuns, whyCostUncompared, whyWasteUncompared } from '../../components/comparison.ts';
import { findWholeCost } from '../../components/known-cost.ts';
import type { Change } from '../../components/measurement.tsx';
import { MetricCard, type MetricCardProps, MetricCards } from '../../components/metric-card.tsx';
import { whyUnread } from '../../components/moment.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { findDayTrend } from '../day-trend.ts';
import { explainHref, repositoryParams } from '../links.ts';
import type { Ci, View } from './views.ts';

interface Props {
  data: Ci;
  view: View;
  showsCost: boolean;
}

/** The scope in four figures: what the question is about comes first. */
export function Cards({ data, view, showsCost }: Props) {
  const { base, zone } = usePageContext();
  const { org, repo, range } = data;
  const scope = repo === null ? { org } : repositoryParams(repo);
  const cards = makeCards(data, (metric) => explainHref(base, { metric, ...scope, range }), zone);
  const isWithoutCost = !showsCost || (view === 'all' && data.totals.cost_per_month === null);
  const keys = cardKeys[isWithoutCost ? 'slow' : view];
  return (
    <MetricCards>
      {keys.map((key) => (
        <MetricCard key={key} {...cards[key]} />
      ))}
    </MetricCards>
  );
}

type CardKey = keyof ReturnType<typeof makeCards>;

const cardKeys: Record<View, readonly CardKey[]> = {
  all: ['median', 'failures', 'cost', 'wasted'],
  slow: ['median', 'p90', 'queue', 'runTime'],
  waste: ['cost', 'wasted', 'failures', 'runTime'],
};

type CostField = 'cost' | 'wasted' | 'cost_sample' | 'completed_runs' | 'unknown_jobs';

interface CardFigures
  extends Pick<Ci, 'totals' | 'compare' | 'comparable' | 'window' | 'synced_from' | 'synced_through'> {
  /** Of one workflow without what they cost. */
  days: readonly (Ci['days'][number] | Omit<Ci['days'][number], CostField>)[];
}

/** The figures of a scope, or of one workflow, as cards. */
export function makeCards(data: CardFigures, evidence: (metric: string) => string, zone: string) {
  const { totals } = data;
  const change = (by: number | null, { unit = 'percent', reason = fewRuns, verdict }: Partial<Change>) =>
    describeChange(data, { by, unit, better: 'lower', verdict, reason });
  const trend = (label: string, getValue: (day: CardFigures['days'][number]) => number | null) =>
    findDayTrend(data.days, label, getValue);
  const costTrend = (label: string, read: (day: Ci['days'][number]) => number | null) =>
    trend(label, (day) => ('cost' in day ? findWholeCost(day, read) : null));
  const { cost_sample: costed } = totals;
  const completed = totals.completed_runs ?? 0;
  const priced = {
    unit: 'usd' as const,
    source:
      costed === completed
        ? count(completed, 'completed run')
        : `${figures(costed ?? 0)} of ${count(completed, 'completed run')}`,
    quality: (costed ?? 0) < completed || totals.unknown_jobs ? ('floor' as const) : ('estimated' as const),
    reason: costed === 0 ? 'No job data yet.' : totals.unknown_jobs ? 'Unknown runners.' : 'Range under 7 days.',
  };
  const noResult =
    totals.runs === null
      ? whyUnread({ window: data.window, from: data.synced_from, through: data.synced_through }, zone)
      : 'No run passed or failed.';
  const timed = { unit: 'milliseconds' as const, sample: totals.duration_sample, reason: noResult };
  return {
    median: {
      label: 'Median duration',
      value: { value: totals.median_ms, ...timed },
      change: change(totals.change_pct, { verdict: totals.median_verdict }),
      trend: trend('Median duration', (day) => day.median_ms),
      evidenceHref: evidence('median_duration'),
    },
    p90: {
      label: 'p90 duration',
      value: { value: totals.p90_ms, ...timed },
      change: change(totals.p90_change_pct, { verdict: totals.p90_verdict }),
      trend: trend('p90 duration', (day) => day.p90_ms),
      evidenceHref: evidence('p90_duration'),
    },
    failures: {
      label: 'Failure rate',
      value: {
        value: refineRate(totals.failure_rate, totals.failed_runs, totals.failure_rate_sample),
        unit: 'percent',
        sample: totals.failure_rate_sample,
        reason: noResult,
      },
      change: change(totals.failure_rate_change, { unit: 'points', verdict: totals.failure_rate_verdict }),
      trend: trend('Failure rate', (day) => day.failure_rate),
      evidenceHref: evidence('failure_rate'),
    },
    queue: {
      label: 'Queue wait',
      value: { value: totals.queue_wait_ms, unit: 'milliseconds', sample: totals.queue_wait_sample },
      change: change(totals.queue_wait_change_pct, {
        verdict: totals.queue_wait_verdict,
        reason: 'fewer than 10 known waits',
      }),
      trend: trend('Queue wait', (day) => day.queue_wait_ms),
      evidenceHref: evidence('scope_queue_wait'),
      beside: totals.queue_wait_p90_ms === null ? null : `p90 ${quantity(totals.queue_wait_p90_ms, 'milliseconds')}`,
    },
    runTime: {
      label: 'Total run time',
      value: {
        value: totals.run_time_ms,
        unit: 'milliseconds',
        reason: noResult,
        source: describeTimed(totals.run_time_sample, completed),
      },
      // More of it may be more runs.
      change: describeChange(data, {
        by: totals.run_time_change_pct,
        unit: 'percent',
        better: 'neither',
        reason: fewRuns,
      }),
      trend: trend('Total run time', (day) => day.run_time_ms),
      evidenceHref: evidence('total_run_time'),
    },
    cost: {
      label: 'Cost/month',
      value: { value: totals.cost_per_month, ...priced },
      change: change(totals.cost_change_pct, { reason: whyCostUncompared(totals) }),
      trend: costTrend('Cost', (day) => day.cost),
      evidenceHref: evidence('monthly_cost'),
    },
    wasted: {
      label: 'Wasted/month',
      value: {
        value: totals.wasted_per_month,
        ...priced,
        source: totals.wasted_share === null ? null : `${quantity(totals.wasted_share, 'percent')} of cost`,
      },
      change: change(totals.wasted_change_pct, { reason: whyWasteUncompared(totals) }),
      trend: costTrend('Wasted', (day) => day.wasted),
      evidenceHref: evidence('wasted_monthly_cost'),
    },
  } satisfies Record<string, MetricCardProps>;
}

/** Of how many completed runs the duration is known. */
const describeTimed = (timed: number, completed: number) =>
  timed < completed
    ? `${figures(timed)} of ${count(completed, 'completed run')}, the rest of unknown duration`
    : count(completed, 'completed run');
