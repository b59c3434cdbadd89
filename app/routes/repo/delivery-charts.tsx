import { count } from '../../../server/domain/quantity.ts';
import { Bars } from '../../charts/bars.tsx';
import { Scatter } from '../../charts/scatter.tsx';
import { StackedBars } from '../../charts/stacked-bars.tsx';
import type { BotChoice } from '../../components/bot-choice.ts';
import { DefinitionLink } from '../../components/metric-card.tsx';
import { Empty } from '../../components/notice.tsx';
import { Columns } from '../../components/panel.tsx';
import type { Delivery } from './panels.ts';

/** What stands behind the four keys: where time goes, how size matters, how much gets through. */
export function DeliveryCharts({ data, bots }: { data: Delivery; bots?: BotChoice }) {
  const { cycle_breakdown: cycle, pr_scatter: points, throughput_by_week: weeks } = data;
  if (cycle.sample_size === 0 && points.length === 0 && weeks.every((week) => week.count === 0))
    return <Empty cause="No pull request was merged in 90 days." />;
  return (
    <>
      <Phases data={data} />
      <Columns>
        <Weeks data={data} />
        <Sizes points={bots ? points.filter((point) => !point.is_bot) : points} />
      </Columns>
    </>
  );
}

/** The phases of a pull request in their order, each with its metric. */
const phases = [
  ['time to open', 'cycle_time_to_open'],
  ['pickup', 'cycle_pickup'],
  ['review', 'cycle_review'],
  ['merge', 'cycle_merge'],
] as const;

function Phases({ data: { cycle_breakdown: cycle } }: { data: Delivery }) {
  const { samples } = cycle;
  return (
    <StackedBars
      title="Cycle time by phase"
      summary="Median per phase."
      sample={`n = ${cycle.sample_size} merged pull requests: ${samples.time_to_open} with first commit, ${samples.pickup} reviewed, ${samples.review} approved`}
      rowLabel="Pull request"
      unit="milliseconds"
      parts={phases.map(([label]) => label)}
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
      note={
        <>
          Phases do not add up to lead time. Pickup ends with the first review, review with the last approval. Merge
          begins with that approval, or else with the first review; approval to merge leaves out merges without one.{' '}
          {phases.map(([label, metric]) => (
            <span key={metric}>
              {' '}
              {label} <DefinitionLink metric={metric} of={label} />
            </span>
          ))}
        </>
      }
    />
  );
}

function Weeks({ data: { throughput_by_week: weeks, timezone } }: { data: Delivery }) {
  const last = weeks.length - 1;
  const complete = weeks.filter((week) => !week.partial);
  const merged = complete.reduce((sum, week) => sum + week.count, 0);
  return (
    <Bars
      title="Merged per week"
      summary={`${count(merged, 'pull request')} in ${count(complete.length, 'full week')}, including bots.`}
      sample="merges into the default branch"
      zone={timezone}
      bucket={7}
      parts={[{ label: 'merged', tone: 'one' }]}
      rows={weeks.map(({ week_start, count: value, partial }, index) => ({
        day: week_start,
        values: partial && index < last ? null : [value],
        running: index === last,
      }))}
      note="Partial week at the end."
    />
  );
}

function Sizes({ points }: { points: Delivery['pr_scatter'] }) {
  const byPeople = points.filter((point) => !point.is_bot).map(placed);
  const byBots = points.filter((point) => point.is_bot).map(placed);
  const people = { label: 'by people', points: byPeople };
  return (
    <Scatter
      title="Size and time to merge"
      summary="Each mark is a merged pull request."
      sample={`newest ${count(points.length, 'merged pull request')}`}
      x={{ label: 'Lines changed', unit: 'count', log: true }}
      y={{ label: 'Time open', unit: 'hours', log: true }}
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
