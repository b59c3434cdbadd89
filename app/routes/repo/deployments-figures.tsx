import { count, figures, refineRate } from '../../../server/domain/quantity.ts';
import { Bars } from '../../charts/bars.tsx';
import { isPartial, partOfDay } from '../../charts/part.ts';
import { dayNumber, dayOfNumber } from '../../charts/zone-time.ts';
import { FilterBar } from '../../components/filter-bar.tsx';
import { MetricCard, MetricCards } from '../../components/metric-card.tsx';
import { Moment } from '../../components/moment.tsx';
import { Notice } from '../../components/notice.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { findDayTrend } from '../day-trend.ts';
import { compareDays } from '../deployments/days-before.ts';
import { explainHref } from '../links.ts';
import { countFinished } from './delivery-cards.tsx';
import {
  frequencySource,
  restoredSource,
  restoreNote,
  spanRead,
  tierLabel,
  unreadStatuses,
} from './delivery-labels.ts';
import type { Deployments, Environment } from './deployments.tsx';
import { earlierDeployments } from './deployments-before.ts';

interface Props {
  data: Deployments;
  search: string;
  repository: { owner: string; repo: string };
}

/** The chosen environment, production unless the address says another. */
export function chosenEnvironment({ by_environment: all }: Deployments, search: string): Environment | undefined {
  const requested = new URLSearchParams(search).get('environment');
  return all.find(({ environment }) => environment === requested) ?? all[0];
}

/** Figures and days of one environment. */
export function DeploymentFigures({ data, search, repository }: Props) {
  const { base } = usePageContext();
  const chosen = chosenEnvironment(data, search);
  if (!chosen) return null;
  const { environment, open_failure_since: since } = chosen;
  const evidence = (metric: string) =>
    chosen.is_rest ? undefined : explainHref(base, { metric, ...repository, environment });
  return (
    <>
      <Choice data={data} chosen={chosen} search={search} />
      {since ? (
        <Notice tone="problem" title="Not restored.">
          Failing since <Moment at={since} zone={data.timezone} />.
        </Notice>
      ) : null}
      <Cards data={data} chosen={chosen} evidence={evidence} />
      <Days data={data} chosen={chosen} />
    </>
  );
}

function Choice({ data, chosen, search }: { data: Deployments; chosen: Environment; search: string }) {
  if (data.by_environment.length < 2) return null;
  const options = data.by_environment.map((one) => ({
    value: one.environment,
    label: one.is_production && one.environment !== 'production' ? `${one.environment} (production)` : one.environment,
  }));
  const filter = { name: 'environment', label: 'Environment', options };
  // A form offers to clear what was chosen, and the first of its options is chosen by nobody.
  const requested = chosen === data.by_environment[0] ? null : chosen.environment;
  return (
    <FilterBar
      search={search}
      filters={[
        options.length > 5
          ? { kind: 'select', value: requested, ...filter }
          : { kind: 'links', value: chosen.environment, ...filter },
      ]}
    />
  );
}

/** Deployments to the environment on each whole day that was read. */
function findTrend({ days, by_day: byDay, timezone, covers_from, generated_at }: Deployments, chosen: Environment) {
  const window = { from: covers_from, to: generated_at };
  const totals = new Map(byDay.filter((day) => day.environment === chosen.environment).map((day) => [day.date, day]));
  const counted = days.map((date) => {
    const { success = 0, failed = 0, inconclusive = 0, unread = 0 } = totals.get(date) ?? {};
    return {
      date,
      partial: isPartial(partOfDay(date, window, timezone)),
      total: success + failed + inconclusive + unread,
    };
  });
  const trend = findDayTrend(counted, 'Deployments', ({ total }) => total);
  return trend && { ...trend, kind: 'bars' as const };
}

interface CardsProps {
  data: Deployments;
  chosen: Environment;
  evidence(metric: string): string | undefined;
}

function Cards({ data, chosen, evidence }: CardsProps) {
  const { success, failed, total } = chosen;
  const finished = countFinished({ successful: success, failed });
  const tiers = chosen.is_production ? data.tiers : null;
  const formatTier = (tier: keyof Deployments['tiers']) => (tiers ? tierLabel(tiers[tier]) : undefined);
  const interval = chosen.failure_rate_interval;
  const earlier = chosen.is_production ? earlierDeployments(data) : null;
  const reason = finished === null ? unreadStatuses : undefined;
  const sample = { sample: finished, source: 'finished deployments', reason };
  return (
    <MetricCards>
      <MetricCard
        label="Deployments"
        value={{ value: total, unit: 'count' }}
        evidenceHref={evidence('total_deployments')}
        trend={findTrend(data, chosen)}
        note={describeOutcomes(chosen)}
      />
      <MetricCard
        label="Deployment frequency"
        value={{ ...sample, value: chosen.deploys_per_day, unit: 'per_day', source: frequencySource(success) }}
        tier={formatTier('deployment_frequency')}
        evidenceHref={evidence('deploys_per_day')}
        before={earlier?.frequency}
        better="higher"
        note={finished ? spanRead(data) : null}
      />
      <MetricCard
        label={chosen.is_production ? 'Change failure rate' : 'Failure rate'}
        value={{
          value: refineRate(chosen.failure_rate_pct, failed, finished),
          unit: 'percent',
          ...sample,
          interval: interval && [interval.low, interval.high],
        }}
        tier={formatTier('change_failure_rate')}
        evidenceHref={evidence('change_failure_rate_pct')}
        before={earlier?.failure}
        better="lower"
      />
      <MetricCard
        label="Time to restore"
        value={{
          value: chosen.mttr_hours,
          unit: 'hours',
          sample: chosen.mttr_samples,
          source: restoredSource(chosen.mttr_samples),
          reason: reason ?? (failed === 0 ? 'No failed deployments.' : 'No failure has been resolved yet.'),
        }}
        tier={formatTier('mttr')}
        evidenceHref={evidence('mttr_hours')}
        before={earlier?.restore}
        better="lower"
        note={restoreNote(chosen)}
      />
    </MetricCards>
  );
}

/** How many ended how, in words. */
function describeOutcomes({ success, failed, inconclusive }: Environment): string {
  if (success === null || failed === null || inconclusive === null) return unreadStatuses;
  return `${figures(success)} succeeded, ${figures(failed)} failed, ${figures(inconclusive)} in progress`;
}

function Days({ data, chosen }: { data: Deployments; chosen: Environment }) {
  const byDate = new Map(
    data.by_day.filter((day) => day.environment === chosen.environment).map((day) => [day.date, day]),
  );
  const window = { from: data.covers_from, to: data.generated_at };
  const today = data.days.at(-1);
  if (today === undefined) return null;
  const before = compareDays(listBefore(data, chosen));
  return (
    <Bars
      title={`Deployments to ${chosen.environment} per day`}
      summary={describeOutcomes(chosen)}
      sample={count(chosen.total, 'deployment')}
      zone={data.timezone}
      from={dayOfNumber(dayNumber(today) - data.period_days)}
      to={today}
      beforeLabel={before?.label}
      parts={[
        { label: 'failed', tone: 'fail' },
        { label: 'succeeded', tone: 'pass' },
        { label: 'in progress', tone: 'void' },
      ]}
      rows={data.days.map((day) => {
        const { failed = 0, success = 0, inconclusive = 0, unread = 0 } = byDate.get(day) ?? {};
        return {
          day,
          values: unread > 0 ? null : [failed, success, inconclusive],
          before: before?.find(day),
          ...partOfDay(day, window, data.timezone),
        };
      })}
    />
  );
}

/** Every day of the previous 30 days, with what was deployed to the environment; null where that is not known. */
function listBefore({ by_day_before: before, days }: Deployments, { environment }: Environment) {
  if (before === null) return null;
  const own = new Map(before.filter((day) => day.environment === environment).map((day) => [day.date, day]));
  return days.map((day) => {
    const date = dayOfNumber(dayNumber(day) - 30);
    const { failed = 0, success = 0, inconclusive = 0, unread = 0 } = own.get(date) ?? {};
    return { date, value: failed + success + inconclusive + unread };
  });
}
