import { figures, quantity, refineRate } from '../../../server/domain/quantity.ts';
import { StackedBars } from '../../charts/stacked-bars.tsx';
import { type BotChoice, describeBots } from '../../components/bot-choice.ts';
import { MetricCard, MetricCards } from '../../components/metric-card.tsx';
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
      <MetricCard
        label="Time to first review"
        value={{
          value: data.time_to_first_review_p50_hours,
          unit: 'hours',
          sample: data.time_to_first_review_sample,
          reason: describeNone(`No reviewed pull requests closed ${ended}.`),
        }}
        note={`Reviewed pull requests closed ${ended}. ${slowest(data.time_to_first_review_p90_hours, data.time_to_first_review_sample)}`}
        evidenceHref={evidence('time_to_first_review_p50_hours')}
      />
      <MetricCard
        label="Approval to merge"
        value={{
          value: data.time_approval_to_merge_p50_hours,
          unit: 'hours',
          sample: data.time_approval_to_merge_sample,
          reason: describeNone(`No approved pull requests merged ${ended}.`),
        }}
        note={`Approved pull requests merged ${ended}. ${slowest(data.time_approval_to_merge_p90_hours, data.time_approval_to_merge_sample)}`}
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

/** Of pull requests that ended; without all of their reviews none can be said to be missing. */
const areReviewsUnread = ({ review_round_distribution: rounds }: OpenPullRequests) =>
  rounds.some(({ count: some }) => some === null);

const slowest = (hours: number | null, sample: number) =>
  hours === null
    ? ''
    : `p90 ${quantity(hours, 'hours')}${sample < 20 ? ' (small sample)' : ''}, including nights and weekends.`;

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

/** How often merged ones were reviewed. */
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
