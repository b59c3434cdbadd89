import { count, figures } from '../../../server/domain/quantity.ts';
import { Bars } from '../../charts/bars.tsx';
import { StackedBars } from '../../charts/stacked-bars.tsx';
import { Trend } from '../../charts/trend.tsx';
import { startOfDay } from '../../charts/zone-time.ts';
import { usePageContext } from '../../components/page-context.ts';
import { batchesHref, entriesHref, type MergeQueue } from './merge-queue-labels.ts';
import type { RepositoryPath } from './panels.ts';

interface Props {
  data: MergeQueue;
}

interface LinkedProps extends Props {
  repository: RepositoryPath;
}

const hourMs = 3_600_000;
/** Where clocks go back. */
const longestDayMs = 25 * hourMs;

/** How long the queue was, what was merged and ejected, why entries left, and how many were merged at once. */
export function QueueCharts({ data, repository }: LinkedProps) {
  return (
    <>
      {data.hours.length > 0 ? (
        <Hours data={data} />
      ) : (
        <>
          <Days data={data} />
          <LengthOfDays data={data} />
        </>
      )}
      <Reasons data={data} repository={repository} />
      <BatchSizes data={data} repository={repository} />
    </>
  );
}

function Days({ data: { days } }: Props) {
  const { zone } = usePageContext();
  const merged = days.reduce((sum, day) => sum + day.merged, 0);
  const ejected = days.reduce((sum, day) => sum + day.ejected, 0);
  return (
    <Bars
      title="Merged and ejected per day"
      summary={`${figures(merged)} merged, ${figures(ejected)} ejected.`}
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
  const buckets = hours.map((one) => ({ ...one, at: one.hour }));
  return <Length title="Length and arrivals by hour" noun="hour" buckets={buckets} step={hourMs} withTime />;
}

function LengthOfDays({ data: { days } }: Props) {
  const { zone } = usePageContext();
  const buckets = days.map((one) => ({ ...one, at: startOfDay(one.day, zone) }));
  return <Length title="Length and arrivals by day" noun="day" buckets={buckets} step={longestDayMs} />;
}

interface LengthProps {
  title: string;
  noun: string;
  buckets: readonly (Omit<MergeQueue['days'][number], 'day'> & { at: string | number })[];
  step: number;
  withTime?: boolean;
}

/** How long the queue was, and how many entered and were merged. */
function Length({ title, noun, buckets, step, withTime }: LengthProps) {
  const { zone } = usePageContext();
  const longest = Math.max(0, ...buckets.map(({ length_max: length }) => length ?? 0));
  const arrived = buckets.reduce((sum, { arrivals }) => sum + arrivals, 0);
  const line = (label: string, select: (one: LengthProps['buckets'][number]) => number | null, isDashed = false) => ({
    label,
    isDashed,
    points: buckets.map((one) => ({ at: one.at, value: select(one) })),
  });
  return (
    <Trend
      title={title}
      summary={`${figures(arrived)} entered; at most ${figures(longest)} in the queue.`}
      sample={`of ${count(buckets.length, noun)}`}
      zone={zone}
      unit="count"
      step={step}
      withTime={withTime}
      series={[
        line('at most', ({ length_max: length }) => length),
        line('on average', ({ length_mean: length }) => length),
        line('entered', ({ arrivals }) => arrivals, true),
        line('merged', ({ merged }) => merged, true),
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

function BatchSizes({ data, repository }: LinkedProps) {
  const { base } = usePageContext();
  const { batch_sizes: sizes } = data;
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
      rows={sizes.map(({ size, batches: some }) => ({
        name: figures(size),
        values: [some],
        href: batchesHref(base, repository, data, { size: String(size) }),
      }))}
    />
  );
}
