import { count } from '../../../server/domain/quantity.ts';
import { Bars } from '../../charts/bars.tsx';
import { Scatter } from '../../charts/scatter.tsx';
import { StackedBars } from '../../charts/stacked-bars.tsx';
import { Columns } from '../../components/panel.tsx';
import type { Delivery } from './delivery-cards.tsx';

/** What stands behind the four keys: where time goes, how size matters, how much gets through. */
export function DeliveryCharts({ data }: { data: Delivery }) {
  const { cycle_breakdown: cycle, pr_scatter: points, throughput_by_week: weeks } = data;
  if (cycle.sample_size === 0 && points.length === 0 && weeks.every((week) => week.count === 0)) return null;
  return (
    <>
      <Phases data={data} />
      <Columns>
        <Weeks data={data} />
        <Sizes data={data} />
      </Columns>
    </>
  );
}

function Phases({ data: { cycle_breakdown: cycle } }: { data: Delivery }) {
  const { samples } = cycle;
  return (
    <StackedBars
      title="Where the time goes"
      summary="Median of each phase, over the pull requests that have it; the phases do not add up to the lead time."
      sample={`merged pull requests of people: ${cycle.sample_size}; first commit known of ${samples.time_to_open}, reviewed ${samples.pickup}, approved ${samples.review}`}
      rowLabel="Pull request"
      unit="milliseconds"
      parts={['time to open', 'pickup', 'review', 'merge']}
      rows={
        cycle.sample_size === 0
          ? []
          : [
              {
                name: 'Median',
                note: count(cycle.sample_size, 'pull request'),
                values: [
                  cycle.median_time_to_open_ms,
                  cycle.median_pickup_ms,
                  cycle.median_review_ms,
                  cycle.median_merge_ms,
                ],
              },
            ]
      }
      note="Pickup waits for the first review, review lasts until the last approval."
    />
  );
}

function Weeks({ data: { throughput_by_week: weeks, timezone } }: { data: Delivery }) {
  const last = weeks.length - 1;
  const complete = weeks.filter((week) => !week.partial);
  const merged = complete.reduce((sum, week) => sum + week.count, 0);
  return (
    <Bars
      title="Merged each week"
      summary={`${count(merged, 'pull request')} in ${count(complete.length, 'whole week')}, bots included.`}
      sample="merges into the default branch"
      zone={timezone}
      bucket={7}
      parts={[{ label: 'merged', tone: 'one' }]}
      rows={weeks.map(({ week_start, count: value, partial }, index) => ({
        day: week_start,
        values: partial && index < last ? null : [value],
        running: index === last,
      }))}
      note="The last week is not over yet."
    />
  );
}

function Sizes({ data: { pr_scatter: points } }: { data: Delivery }) {
  const byPeople = points.filter((point) => !point.is_bot).map(placed);
  const byBots = points.filter((point) => point.is_bot).map(placed);
  const people = { label: 'by people', points: byPeople };
  return (
    <Scatter
      title="Size and time to merge"
      summary="Each mark is a merged pull request: the further right the larger, the higher the longer it was open."
      sample={`newest ${count(points.length, 'merged pull request')}`}
      x={{ label: 'Lines added and removed', unit: 'count', log: true }}
      y={{ label: 'Open for', unit: 'hours', log: true }}
      series={byBots.length > 0 ? [people, { label: 'by bots', points: byBots }] : [people]}
    />
  );
}

const placed = ({ number, title, loc, hours_to_merge, html_url }: Delivery['pr_scatter'][number]) => ({
  name: `#${number} ${title ?? ''}`.trim(),
  x: loc,
  y: hours_to_merge,
  ...(html_url !== '#' && { href: html_url }),
});
