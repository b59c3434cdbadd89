import type { Unit } from '../../../server/domain/quantity.ts';
import { quantity } from '../../../server/domain/quantity.ts';
import { MetricCard, MetricCards } from '../../components/metric-card.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { explainHref } from '../links.ts';
import type { Figures, MergeQueue } from './merge-queue-labels.ts';
import type { RepositoryPath } from './panels.ts';

interface Props {
  data: MergeQueue;
  repository: RepositoryPath;
  only: readonly (keyof Figures)[];
}

interface Card {
  key: keyof Figures;
  label: string;
  unit: Unit;
  source: string;
  /** Why there is no value. */
  needs: string;
  better: 'higher' | 'lower' | 'neither';
  note?(figures: Figures): string;
}

const p90 = ({ value, low_sample: low }: Figures[keyof Figures]) =>
  value === null ? '' : `p90 ${quantity(value, 'minutes')}${low ? ' (of fewer than 20)' : ''}.`;

const cards: readonly Card[] = [
  {
    key: 'queue_length',
    label: 'In queue',
    unit: 'count',
    source: 'pull requests in the queue',
    needs: 'The queue could not be read, and not all open pull requests are known.',
    better: 'lower',
  },
  {
    key: 'queue_time_p50',
    label: 'Time in queue',
    unit: 'minutes',
    source: 'merged entries',
    needs: 'Needs 5 merged entries.',
    better: 'lower',
    note: ({ queue_time_p90: slow }) => `Median of the stay that merged. ${p90(slow)}`,
  },
  {
    key: 'queue_total_p50',
    label: 'Time to merge in queue',
    unit: 'minutes',
    source: 'merged entries',
    needs: 'Needs 5 merged entries.',
    better: 'lower',
    note: ({ queue_total_p90: slow, queue_gap_p50: { value } }) => {
      const gap = value === null ? '' : ` Between attempts ${quantity(value, 'minutes')}.`;
      return `From the first stay on. ${p90(slow)}${gap}`;
    },
  },
  {
    key: 'ejection_rate',
    label: 'Ejection rate',
    unit: 'percent',
    source: 'merged or ejected entries',
    needs: 'Needs 10 merged or ejected entries.',
    better: 'lower',
  },
  {
    key: 'flaky_ejection_share',
    label: 'Ejected, merged unchanged',
    unit: 'percent',
    source: 'ejections by checks',
    needs: 'Needs 5 ejections by checks, at least 48 hours old.',
    better: 'lower',
  },
  {
    key: 'queue_ci_minutes_per_merge',
    label: 'CI minutes per merge',
    unit: 'minutes',
    source: 'merged entries',
    needs: 'Needs 5 merged entries, and all runs and merges of the window.',
    better: 'lower',
    note: ({ queue_wasted_minutes_per_merge: { value } }) =>
      value === null ? '' : `Of these ${quantity(value, 'minutes')} for groups that failed or were built anew.`,
  },
  {
    key: 'checks_time_p50',
    label: 'Checks time',
    unit: 'minutes',
    source: 'first builds',
    needs: 'Needs 5 builds.',
    better: 'lower',
    note: ({ checks_time_p90: slow }) => p90(slow),
  },
  {
    key: 'attempts_per_merge',
    label: 'Attempts per merge',
    unit: 'count',
    source: 'merged entries',
    needs: 'Needs 5 merged entries.',
    better: 'lower',
    note: ({ multiple_attempts_share: { value } }) =>
      value === null ? '' : `${quantity(value, 'percent')} took more than one.`,
  },
  {
    key: 'innocent_rebuilds',
    label: 'Rebuilds caused by others',
    unit: 'count',
    source: 'merged entries with runs',
    needs: 'Needs 10 merged entries and stored runs.',
    better: 'lower',
    note: () => 'For each merged entry.',
  },
  {
    key: 'throughput_per_hour',
    label: 'Merged per hour',
    unit: 'count',
    source: 'merged entries',
    needs: 'Needs 10 merged entries.',
    better: 'higher',
    note: () => 'While the queue was not empty.',
  },
  {
    key: 'bypass_share',
    label: 'Merged without the queue',
    unit: 'percent',
    source: 'merges into the branch',
    needs: 'Needs 10 merges into the branch.',
    better: 'neither',
  },
  {
    key: 'queue_to_production_p50',
    label: 'Queue to production',
    unit: 'minutes',
    source: 'deployed entries',
    needs: 'Needs 5 entries that stored deployments have.',
    better: 'lower',
    note: ({ queue_to_production_p90: slow }) => p90(slow),
  },
  {
    key: 'train_wait_p50',
    label: 'Merged to deployed',
    unit: 'minutes',
    source: 'deployed batches',
    needs: 'Needs 5 batches that stored deployments have.',
    better: 'lower',
  },
  {
    key: 'batches_per_train',
    label: 'Batches per deployment',
    unit: 'count',
    source: 'production deployments of batches',
    needs: 'Needs 5 deployments of batches.',
    better: 'neither',
  },
];

/** How the queue fared in the window, each figure beside the window before. */
export function QueueCards({ data, repository, only }: Props) {
  const { base } = usePageContext();
  const { figures, previous, window_days: days } = data;
  if (!figures) return null;
  const shown = cards.filter(({ key }) => only.includes(key));
  return (
    <MetricCards>
      {shown.map(({ key, label, unit, source, needs, better, note }) => {
        const { value, sample } = figures[key];
        const earlier = previous?.[key];
        return (
          <MetricCard
            key={key}
            label={label}
            value={{ value, unit, sample, source, reason: needs }}
            before={earlier && { value: { ...earlier, unit, source }, window: `previous ${days} days` }}
            better={better}
            evidenceHref={explainHref(base, { metric: key, ...repository, branch: data.branch, days })}
            note={note?.(figures) || undefined}
          />
        );
      })}
    </MetricCards>
  );
}
