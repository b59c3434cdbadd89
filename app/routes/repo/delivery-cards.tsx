import { count, refineRate } from '../../../server/domain/quantity.ts';
import { MetricCard, type MetricCardProps, MetricCards } from '../../components/metric-card.tsx';
import { explainHref } from '../links.ts';
import {
  fixChange,
  fixTrend,
  leadTimeChange,
  mergeChange,
  mergeTrend,
  releaseChange,
  releaseTrend,
  restoreChange,
} from './delivery-changes.ts';
import { anecdote, frequencySource, restoredSource, restoreNote, spanRead, tierLabel } from './delivery-labels.ts';
import { earlierDeployments } from './deployments-before.ts';
import type { Delivery, Deployments, RepositoryPanels, RepositoryPath } from './panels.ts';

interface Props {
  delivery: Delivery;
  deployments: RepositoryPanels['deployments'];
  evidence: Evidence;
}

type Evidence = (metric: string) => string;

/** How the evidence of a repository's numbers is addressed. */
export const getEvidenceHref =
  (base: string, { owner, repo }: RepositoryPath): Evidence =>
  (metric) =>
    explainHref(base, { metric, owner, repo });

/** The four delivery keys: measured where production deployments tell enough, else estimated. */
export function DeliveryCards({ delivery, deployments, evidence }: Props) {
  const measured = findMeasured(deployments);
  const cards = measured ? measuredCards(measured, evidence) : estimatedCards(delivery, evidence);
  return (
    <MetricCards>
      <MetricCard {...cards.frequency} />
      <MetricCard {...leadTimeCard(delivery, evidence)} />
      <MetricCard {...cards.failure} />
      <MetricCard {...cards.restore} />
    </MetricCards>
  );
}

/** The deployments that the keys are measured by; null where those tell too little. */
export const findMeasured = (deployments: Props['deployments']): Deployments | null =>
  deployments.ok && hasEnough(deployments.data) ? deployments.data : null;

/** What the figures of the overview are of. */
export const describeWindows = ({ deployments }: Pick<Props, 'deployments'>): string[] =>
  findMeasured(deployments) ? ['30 days', 'Lead time: 90 days'] : ['Last 90 days'];

/** Below five finished deployments one of them decides too much. */
export const hasEnough = ({ source, ...production }: Deployments) =>
  source === 'deployments' && (countFinished(production) ?? 0) >= 5;

/** Deployments that ended; null where that is not known of all. */
export const countFinished = ({ successful, failed }: Pick<Deployments, 'successful' | 'failed'>) =>
  successful === null || failed === null ? null : successful + failed;

type FamilyCards = Record<'frequency' | 'failure' | 'restore', MetricCardProps>;

export function measuredCards(data: Deployments, evidence: Evidence): FamilyCards {
  const earlier = earlierDeployments(data);
  const { tiers, successful, failed, by_environment, production_environment: environment } = data;
  const finished = countFinished(data);
  const production = by_environment.find(({ is_production }) => is_production);
  const note = `${spanRead(data)}, from deployments to ${environment}`;
  return {
    frequency: {
      label: 'Deployment frequency',
      better: 'higher',
      value: {
        value: data.deploys_per_day,
        unit: 'per_day',
        sample: finished,
        source: frequencySource(successful),
        reason: noneFinished,
      },
      tier: tierLabel(tiers.deployment_frequency),
      evidenceHref: evidence('deploys_per_day'),
      before: earlier?.frequency,
      trend: deploymentTrend(data),
      note,
    },
    failure: {
      label: 'Change failure rate',
      better: 'lower',
      value: {
        value: refineRate(data.change_failure_rate_pct, failed, finished),
        unit: 'percent',
        sample: finished,
        reason: noneFinished,
        interval: pair(production?.failure_rate_interval),
      },
      tier: tierLabel(tiers.change_failure_rate),
      evidenceHref: evidence('change_failure_rate_pct'),
      before: earlier?.failure,
      note: `failed ones of ${finishedDeployments}; ${note}${tiers.change_failure_rate === null ? '; no tier below 5' : ''}`,
    },
    restore: {
      label: 'Time to restore',
      better: 'lower',
      value: {
        value: data.mttr_hours,
        unit: 'hours',
        sample: data.mttr_samples,
        reason: failed === 0 ? 'No failed deployments.' : 'No failure has been resolved yet.',
      },
      tier: tierLabel(tiers.mttr),
      evidenceHref: evidence('mttr_hours'),
      before: earlier?.restore,
      note: [restoredSource(data.mttr_samples), note, restoreNote(production)].filter(Boolean).join('; '),
    },
  };
}

/** Named after what they count: the names of the measured keys belong to deployments. */
function estimatedCards(data: Delivery, evidence: Evidence): FamilyCards {
  const { deployment_frequency: frequency, change_failure_rate: failure, mttr, basis } = data;
  const byRelease = basis.deployment_frequency === 'releases';
  const isIdle = frequency.total === 0;
  const days = count(frequency.period_days, 'day');
  const hasNoTier = failure.level === null && failure.total > 0 && failure.failures !== null;
  const withoutTier = failure.total < 10 ? 'no tier below 10' : 'no tier: no reverts or hotfixes';
  const estimated = { quality: 'estimated' } as const;
  return {
    frequency: {
      label: byRelease ? 'Release frequency' : 'Merge frequency',
      better: 'higher',
      value: {
        ...estimated,
        value: frequency.per_day,
        unit: 'per_day',
        sample: frequency.total,
      },
      tier: isIdle ? undefined : tierLabel(frequency.level),
      evidenceHref: evidence(byRelease ? 'deployment_frequency' : 'merge_frequency'),
      change: byRelease ? releaseChange(data) : mergeChange(data),
      trend: byRelease ? releaseTrend(data) : mergeTrend(data),
      note: byRelease
        ? `releases in ${days}`
        : `merges in ${days}, as there are no releases${isIdle ? '; no tier' : ''}`,
    },
    failure: {
      label: 'Reverts and hotfixes',
      better: 'lower',
      value: {
        ...estimated,
        value: failure.rate,
        unit: 'percent',
        sample: failure.total,
        reason: failure.total === 0 ? nothingMerged : 'Not known of all pull requests.',
        interval: pair(failure.rate_interval),
      },
      tier: tierLabel(failure.level),
      evidenceHref: evidence('change_failure_rate'),
      change: fixChange(data),
      trend: fixTrend(data),
      note: `reverts and hotfixes by title, label or branch, of merged pull requests of people${hasNoTier ? `; ${withoutTier}` : ''}`,
    },
    restore: {
      label: 'Time to merge a fix',
      better: 'lower',
      value: {
        ...estimated,
        value: mttr.median_ms,
        unit: 'milliseconds',
        sample: mttr.recoveries,
        reason:
          failure.failures === null
            ? 'The author or labels of some pull requests could not be read.'
            : 'No reverts or hotfixes.',
      },
      tier: tierLabel(mttr.level),
      evidenceHref: evidence('fix_cycle_time'),
      change: restoreChange(data),
      note: `median of reverts and hotfixes: cycle time of the fix, not of the outage${mttr.recoveries > 0 && mttr.recoveries < 3 ? `; ${anecdote(mttr.recoveries)}` : ''}`,
    },
  };
}

/** Production deployments by day, where all days are known. */
function deploymentTrend({ days, by_day, production_environment: environment }: Deployments): MetricCardProps['trend'] {
  const own = by_day.filter((day) => day.environment === environment);
  const values = days.map((date) =>
    own
      .filter((day) => day.date === date)
      .reduce((sum, { success, failed, inconclusive, unread }) => sum + success + failed + inconclusive + unread, 0),
  );
  return { values, label: `Deployments to ${environment} per day`, unit: 'count', kind: 'bars' };
}

/** Fewer weeks with a merge make no line. */
const minWeeks = 3;

function leadTimeCard(data: Delivery, evidence: Evidence): MetricCardProps {
  const { lead_time: lead, lead_time_by_week: weeks } = data;
  return {
    ...describeLeadTime(lead, evidence),
    change: leadTimeChange(data),
    trend:
      weeks.filter(({ sample }) => sample > 0).length >= minWeeks
        ? { values: weeks.map(({ median_ms }) => median_ms), label: 'Median lead time per week' }
        : undefined,
  };
}

function describeLeadTime(lead: Delivery['lead_time'], evidence: Evidence): MetricCardProps {
  return {
    label: 'Lead time to merge',
    better: 'lower',
    value: {
      value: lead.median_ms,
      unit: 'milliseconds',
      sample: lead.sample_size,
      quality: 'estimated',
      interval: pair(lead.median_interval_ms),
      reason: nothingMerged,
    },
    tier: tierLabel(lead.level),
    evidenceHref: evidence('lead_time'),
    note: `first commit to merge, not to production; median of merged pull requests of people${lead.level === null && lead.sample_size > 0 ? '; no tier below 5' : ''}`,
  };
}

const finishedDeployments = 'finished deployments';
const noneFinished = 'No deployment finished.';
const nothingMerged = 'Nothing merged in 90 days.';

const pair = (interval: { low: number; high: number } | null | undefined): [number, number] | null =>
  interval ? [interval.low, interval.high] : null;
