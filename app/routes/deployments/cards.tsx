import { refineRate } from '../../../server/domain/quantity.ts';
import { minCompared } from '../../components/comparison.ts';
import { type Change, changeInPercent } from '../../components/measurement.tsx';
import { MetricCard, MetricCards } from '../../components/metric-card.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { findDayTrend } from '../day-trend.ts';
import { explainHref } from '../links.ts';
import { toCardCoverage } from '../repository-coverage.ts';
import { explainNoOutcome } from './no-outcome.ts';
import type { Deployments } from './page.tsx';

type Day = Deployments['days'][number];

type Compared = 'deployments' | 'deploys_per_day' | 'time_to_restore_hours';

/** Production of all repositories together, against the previous 30 days. */
export function Cards({ data }: { data: Deployments }) {
  const { base } = usePageContext();
  const { totals, totals_before: before, verdicts, org, covered } = data;
  const evidence = (metric: string) => explainHref(base, { metric, org });
  const coverage = covered.coverage.read > 0 ? toCardCoverage(covered.coverage) : undefined;
  const isFew = (now: number | null | undefined, then: number | null | undefined) =>
    Math.min(now ?? 0, then ?? 0) < minCompared;
  const ofFinished = isFew(totals.finished, before?.finished);
  const change = (by: number | null, about: Pick<Change, 'unit' | 'better' | 'verdict'>): Change => ({
    by,
    ...about,
    against: 'the previous 30 days',
    reason: before === null ? 'not all data of both periods is stored' : `fewer than ${minCompared} deployments`,
  });
  const inPercent = (key: Compared, isOfFew: boolean, about: Pick<Change, 'better' | 'verdict'>) =>
    change(isOfFew ? null : changeInPercent(totals[key], before?.[key] ?? null), { unit: 'percent', ...about });
  const rate = getRate(totals);
  const rateBefore = before && getRate(before);
  const none = covered.coverage.read > 0 ? explainNoOutcome(totals) : 'Not read yet.';
  const reason = none ?? undefined;
  return (
    <MetricCards>
      <MetricCard
        label="Deployments"
        value={{ value: totals.deployments, unit: 'count', reason }}
        change={inPercent('deployments', isFew(totals.deployments, before?.deployments), {
          better: 'neither',
          verdict: verdicts.deployments,
        })}
        trend={findTrend(data, 'Deployments', 'deployments')}
        coverage={coverage}
        evidenceHref={evidence('scope_deployments')}
      />
      <MetricCard
        label="Deployment frequency"
        value={{ value: totals.deploys_per_day, unit: 'per_day', sample: totals.finished, reason }}
        change={inPercent('deploys_per_day', ofFinished, { better: 'higher', verdict: verdicts.deploys_per_day })}
        trend={findTrend(data, 'Successful deployments', 'success')}
        coverage={coverage}
        evidenceHref={evidence('scope_deploys_per_day')}
      />
      <MetricCard
        label="Change failure rate"
        value={{ value: rate, unit: 'percent', sample: totals.finished, reason }}
        change={change(ofFinished || rate === null || rateBefore === null ? null : rate - rateBefore, {
          unit: 'points',
          better: 'lower',
          verdict: verdicts.change_failure_rate,
        })}
        trend={findTrend(data, 'Failed deployments', 'failed')}
        coverage={coverage}
        evidenceHref={evidence('scope_deployment_failure_rate')}
      />
      <MetricCard
        label="Median time to restore"
        value={{
          value: totals.time_to_restore_hours,
          unit: 'hours',
          sample: totals.restore_sample,
          reason: none ?? 'No failure was followed by a success.',
        }}
        change={inPercent('time_to_restore_hours', isFew(totals.restore_sample, before?.restore_sample), {
          better: 'lower',
          verdict: verdicts.time_to_restore,
        })}
        coverage={coverage}
        evidenceHref={evidence('scope_time_to_restore')}
      />
    </MetricCards>
  );
}

/** By day; a rate of the few of one day would be 0 or 100, so what failed stands for it. */
function findTrend({ days }: Deployments, name: string, key: 'deployments' | 'success' | 'failed') {
  const trend = findDayTrend<Day>(days, name, (day) => day[key]);
  return trend && { ...trend, unit: 'count' as const, kind: 'bars' as const };
}

const getRate = ({ change_failure_rate_pct: rate, failed, finished }: Deployments['totals']) =>
  refineRate(rate, failed, finished ?? 0);
