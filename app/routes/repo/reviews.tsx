import { figures, quantity, refineRate } from '../../../server/domain/quantity.ts';
import { StackedBars } from '../../charts/stacked-bars.tsx';
import { type BotChoice, describeBots } from '../../components/bot-choice.ts';
import { type Change, changeInPercent } from '../../components/measurement.tsx';
import { MetricCard, type MetricCardProps, MetricCards } from '../../components/metric-card.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { explainHref } from '../links.ts';
import { areSomeUnread, type OpenPullRequests, type RepositoryPath } from './panels.ts';

interface Shown {
  data: OpenPullRequests;
  bots?: BotChoice;
}

/** How reviews went of those that ended, and how many still wait for one. */
export function ReviewCards({ data, repository }: Pick<Shown, 'data'> & { repository: RepositoryPath }) {
  const { base } = usePageContext();
  const evidence = (metric: string) => explainHref(base, { metric, ...repository });
  const ended = `in ${data.benchmark_window_days} days`;
  const describeNone = (none: string) => (areReviewsUnread(data) ? 'Not all reviews could be loaded.' : none);
  return (
    <MetricCards>
      <WaitCard
        label="Time to first review"
        counted={`Reviewed pull requests closed ${ended}`}
        median={data.time_to_first_review_p50_hours}
        p90={data.time_to_first_review_p90_hours}
        sample={data.time_to_first_review_sample}
        reason={describeNone(`No reviewed pull requests closed ${ended}.`)}
        change={describeRecent(data.first_review_change, 'percent')}
        trend={findWeekTrend(data, 'Median time to first review', (week) => week.first_review_p50_hours)}
        evidenceHref={evidence('time_to_first_review_p50_hours')}
      />
      <WaitCard
        label="Approval to merge"
        counted={`Approved pull requests merged ${ended}`}
        median={data.time_approval_to_merge_p50_hours}
        p90={data.time_approval_to_merge_p90_hours}
        sample={data.time_approval_to_merge_sample}
        reason={describeNone(`No approved pull requests merged ${ended}.`)}
        change={describeRecent(data.approval_to_merge_change, 'percent')}
        trend={findWeekTrend(data, 'Median approval to merge', (week) => week.approval_to_merge_p50_hours)}
        evidenceHref={evidence('time_approval_to_merge_p50_hours')}
      />
      <MetricCard
        label="Closed without merging"
        value={{
          value: refineRate(data.abandon_rate, data.abandoned_prs, data.abandon_rate_sample),
          unit: 'percent',
          sample: data.abandon_rate_sample,
          reason: `No pull requests by people closed or merged ${ended}.`,
        }}
        change={describeRecent(data.abandon_rate_change, 'points')}
        trend={findWeekTrend(data, 'Closed without merging', (week) => week.abandon_rate)}
        note={`Pull requests by people, closed or merged ${ended}.`}
        evidenceHref={evidence('abandon_rate')}
      />
      <MetricCard
        label="Unreviewed 5+ days"
        value={{
          value: data.stale_count,
          unit: 'count',
          quality: areSomeUnread(data) ? 'floor' : 'measured',
          reason: 'Not all reviews could be loaded.',
        }}
      />
    </MetricCards>
  );
}

/** The last 30 days against the previous 30, beside a value of 90. */
function describeRecent(change: OpenPullRequests['first_review_change'], unit: Change['unit']): Change | undefined {
  if (change === null) return undefined;
  const { value, value_before: before, verdict } = change;
  const by = unit === 'points' ? value - before : changeInPercent(value, before);
  return { by, unit, better: 'lower', verdict, against: 'the previous 30 days', window: '30 days' };
}

type Week = OpenPullRequests['review_weeks'][number];

/** Fewer weeks with a value make no line. */
const minWeeks = 3;

function findWeekTrend(
  { review_weeks: weeks }: OpenPullRequests,
  label: string,
  getValue: (week: Week) => number | null,
): MetricCardProps['trend'] {
  const values = weeks.map(getValue);
  return values.filter((value) => value !== null).length < minWeeks
    ? undefined
    : { values, label: `${label} per week` };
}

/** Of pull requests that ended; without all of their reviews none can be said to be missing. */
const areReviewsUnread = ({ review_round_distribution: rounds }: OpenPullRequests) =>
  rounds.some(({ count: some }) => some === null);

interface WaitProps extends Pick<MetricCardProps, 'change' | 'trend'> {
  label: string;
  /** What it is of, as a sentence without its end. */
  counted: string;
  /** In hours, as is `p90`. */
  median: number | null;
  p90: number | null;
  sample: number;
  reason: string;
  evidenceHref: string;
}

function WaitCard({ counted, median, p90, sample, reason, ...card }: WaitProps) {
  const slowest =
    p90 === null
      ? ''
      : `p90 ${quantity(p90, 'hours')}${sample < 20 ? ' (small sample)' : ''}, including nights and weekends.`;
  return (
    <MetricCard {...card} value={{ value: median, unit: 'hours', sample, reason }} note={`${counted}. ${slowest}`} />
  );
}

/** How old the open ones are. */
export function Ages({ data: { age_distribution: ages }, bots }: Shown) {
  return (
    <StackedBars
      title="Age"
      rowLabel="Age"
      unit="count"
      sample={`excluding drafts, ${describeBots(bots)}`}
      parts={['open']}
      rows={ages.map(({ bucket, count: some }) => ({ name: bucket, values: [some] }))}
    />
  );
}

/** How often merged ones were reviewed before the merge. */
export function Rounds({ data, bots }: Shown) {
  const rows = data.review_round_distribution.flatMap(({ rounds, count: some }) =>
    some === null ? [] : [{ rounds, count: some }],
  );
  if (rows.length === 0) return <p className="source">Rounds of review are unknown: not every review could be read.</p>;
  const merged = rows.reduce((sum, { count: some }) => sum + some, 0);
  return (
    <StackedBars
      title="Review rounds"
      summary={`${figures(rows[0]?.count ?? 0)} of ${figures(merged)} merged without a human review.`}
      rowLabel="Rounds"
      unit="count"
      sample={`merged in ${data.benchmark_window_days} days, ${describeBots(bots)}`}
      parts={['merged pull requests']}
      rows={rows.map(({ rounds, count: some }) => ({
        name: rounds === '1' ? '1 round' : `${rounds} rounds`,
        values: [some],
      }))}
    />
  );
}
