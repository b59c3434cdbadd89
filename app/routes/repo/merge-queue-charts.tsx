import { count, figures } from '../../../server/domain/quantity.ts';
import { Bars } from '../../charts/bars.tsx';
import { StackedBars } from '../../charts/stacked-bars.tsx';
import { Trend } from '../../charts/trend.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { entriesHref, type MergeQueue } from './merge-queue-labels.ts';
import type { RepositoryPath } from './panels.ts';

interface Props {
  data: MergeQueue;
}

interface LinkedProps extends Props {
  repository: RepositoryPath;
}

const hourMs = 3_600_000;

/** How long the queue was, what was merged and ejected, why entries left, and how many were merged at once. */
export function QueueCharts({ data, repository }: LinkedProps) {
  return (
    <>
      {data.hours.length > 0 ? <Hours data={data} /> : <Days data={data} />}
      <Reasons data={data} repository={repository} />
      <BatchSizes data={data} />
    </>
  );
}

function Days({ data: { days } }: Props) {
  const { zone } = usePageContext();
  const merged = days.reduce((sum, day) => sum + day.merged, 0);
  const ejected = days.reduce((sum, day) => sum + day.ejected, 0);
  const longest = Math.max(0, ...days.map(({ length_max: length }) => length ?? 0));
  return (
    <Bars
      title="Merged and ejected per day"
      summary={`${figures(merged)} merged, ${figures(ejected)} ejected; at most ${figures(longest)} in the queue.`}
      sample={`of ${count(days.length, 'day')}`}
      zone={zone}
      parts={[
        { label: 'ejected', tone: 'fail' },
        { label: 'merged', tone: 'pass' },
      ]}
      rows={days.map((day, index) => ({
        day: day.day,
        values: [day.ejected, day.merged],
        running: index === days.length - 1,
      }))}
    />
  );
}

function Hours({ data: { hours } }: Props) {
  const { zone } = usePageContext();
  const longest = Math.max(0, ...hours.map(({ length_max: length }) => length ?? 0));
  const points = (select: (hour: (typeof hours)[number]) => number | null) =>
    hours.map((hour) => ({ at: hour.hour, value: select(hour) }));
  return (
    <Trend
      title="Length by hour"
      summary={`At most ${figures(longest)} in the queue.`}
      sample={`of ${count(hours.length, 'hour')}`}
      zone={zone}
      unit="count"
      step={hourMs}
      withTime
      series={[
        { label: 'at most', points: points(({ length_max: length }) => length) },
        { label: 'merged', points: points(({ merged }) => merged), isDashed: true },
      ]}
    />
  );
}

function Reasons({ data, repository }: LinkedProps) {
  const { base } = usePageContext();
  const { reasons } = data;
  const total = reasons.reduce((sum, { count: some }) => sum + some, 0);
  return (
    <StackedBars
      title="Why entries left"
      summary={total === 0 ? 'No entries left.' : `${count(total, 'entry', 'entries')} left.`}
      sample={`n = ${figures(total)}`}
      rowLabel="Reason"
      unit="count"
      parts={['entries']}
      rows={reasons.map(({ group, label, count: some, share_pct: share }) => ({
        name: label,
        values: [some],
        note: share === null ? undefined : `${share} %`,
        href: entriesHref(base, repository, data, { reason: group }),
      }))}
    />
  );
}

function BatchSizes({ data: { batch_sizes: sizes } }: Props) {
  const batches = sizes.reduce((sum, { batches: some }) => sum + some, 0);
  if (batches === 0) return null;
  return (
    <StackedBars
      title="Batch sizes"
      summary={`${count(batches, 'batch', 'batches')}.`}
      sample={`n = ${figures(batches)}`}
      rowLabel="Pull requests merged at once"
      unit="count"
      parts={['batches']}
      rows={sizes.map(({ size, batches: some }) => ({ name: figures(size), values: [some] }))}
    />
  );
}
