import { count, figures, quantity, refineRate } from '../../../server/domain/quantity.ts';
import { hourText } from '../../charts/zone-time.ts';
import { minCompared } from '../../components/comparison.ts';
import { type Change, changeInPercent } from '../../components/measurement.tsx';
import { MetricCard, MetricCards } from '../../components/metric-card.tsx';
import { explainHref } from '../links.ts';
import { halves, type Profile } from './profile.ts';

interface Shown {
  data: Profile;
  owner: string;
  base: string;
}

/** The headline numbers of 90 days, each beside the person's own two halves. */
export function Headlines(props: Shown) {
  return (
    <MetricCards>
      <PullRequestCards {...props} />
      <ReviewCards {...props} />
      {props.data.is_bot ? null : <HoursCard {...props} />}
    </MetricCards>
  );
}

const getEvidenceHref =
  ({ data, owner, base }: Shown) =>
  (metric: string) =>
    explainHref(base, { metric, owner, login: data.login });

const couldNotBeRead = 'some reviews could not be loaded';

interface CountCardProps {
  label: string;
  /** null where it could not be read. */
  value: number | null;
  evidenceHref: string;
  /** The last 45 days and the 45 before. */
  halves: [number | null, number | null];
  /** Whether all of both was read. */
  isComplete: boolean;
  /** What is counted, where another page counts otherwise. */
  counted?: string;
}

function CountCard({ value, halves: [recent, prior], isComplete, counted, ...card }: CountCardProps) {
  const compared = recent === null || prior === null ? null : `${halves(figures(recent), figures(prior))}.`;
  const read = { value, unit: 'count', reason: couldNotBeRead } as const;
  const change = describeChange({ recent, prior, samples: [recent, prior], better: 'neither', isComplete });
  return <MetricCard {...card} value={read} change={change} note={compared} computed={counted} />;
}

interface Compared {
  recent: number | null;
  prior: number | null;
  /** How many stand behind each of both. */
  samples: [number | null, number | null];
  better: Change['better'];
  verdict?: Change['verdict'];
  /** Whether all of both halves was read. */
  isComplete: boolean;
}

/** The last 45 days against the 45 before, beside a value of 90; nothing where a half could not be read. */
function describeChange({ recent, prior, samples, better, verdict, isComplete }: Compared): Change | undefined {
  if (samples.includes(null)) return undefined;
  const isFew = samples.some((sample) => sample !== null && sample < minCompared);
  return {
    by: isFew || !isComplete ? null : changeInPercent(recent, prior),
    unit: 'percent',
    better,
    verdict,
    against: 'the previous 45 days',
    window: '45 days',
    reason: isComplete ? `fewer than ${minCompared} in a half` : 'not everything could be loaded',
  };
}

function PullRequestCards(shown: Shown) {
  const { data } = shown;
  const { period_comparison: period, prs_merged: merged, prs_closed_without_merge: closed } = data;
  const href = getEvidenceHref(shown);
  const hours = (value: number | null) => (value === null ? 'no merged pull requests' : quantity(value, 'hours'));
  return (
    <>
      <CountCard
        label="Pull requests merged"
        value={merged}
        evidenceHref={href('person_prs_merged')}
        halves={[period.prs_merged_recent, period.prs_merged_prior]}
        isComplete={period.complete}
      />
      <MetricCard
        label="Median time to merge"
        value={{
          value: data.median_hours_to_merge,
          unit: 'hours',
          sample: merged,
          reason: 'no merged pull requests in 90 days',
        }}
        evidenceHref={href('person_median_hours_to_merge')}
        change={describeChange({
          recent: period.median_hours_to_merge_recent,
          prior: period.median_hours_to_merge_prior,
          samples: [period.prs_merged_recent, period.prs_merged_prior],
          better: 'lower',
          verdict: period.hours_to_merge_verdict,
          isComplete: period.complete,
        })}
        note={
          merged
            ? `${halves(hours(period.median_hours_to_merge_recent), hours(period.median_hours_to_merge_prior))}. Average of 90 days: ${hours(data.avg_hours_to_merge)}.`
            : null
        }
      />
      <MetricCard
        label="Merge rate"
        value={{
          value: refineRate(data.pr_merge_rate, merged, merged + closed),
          unit: 'percent',
          sample: merged + closed,
          reason: 'no pull requests closed in 90 days',
        }}
        evidenceHref={href('pr_merge_rate')}
        note={`Of closed or merged pull requests: ${figures(closed)} closed without merging; ${figures(data.prs_still_open)} still open.`}
      />
      <CountCard
        label="Pull requests opened"
        value={data.prs_opened}
        evidenceHref={href('person_prs_opened')}
        halves={[period.prs_opened_recent, period.prs_opened_prior]}
        isComplete={period.complete}
      />
      <MetricCard
        label="Lines per pull request"
        value={{
          value: data.avg_pr_size,
          unit: 'count',
          sample: data.prs_opened,
          reason: 'no pull requests opened in 90 days',
        }}
        evidenceHref={href('person_avg_pr_size')}
        note="Average of added and removed lines of opened pull requests."
      />
    </>
  );
}

function ReviewCards(shown: Shown) {
  const { data } = shown;
  const { period_comparison: period } = data;
  const href = getEvidenceHref(shown);
  return (
    <>
      <CountCard
        label="Pull requests reviewed"
        value={data.reviews_given}
        evidenceHref={href('person_reviews_given')}
        halves={[period.reviews_given_recent, period.reviews_given_prior]}
        isComplete={period.complete}
        counted="Merged or not; Team counts merged ones."
      />
      <MetricCard
        label="Time to first review"
        value={{
          value: data.avg_review_turnaround_hours,
          unit: 'hours',
          sample: data.review_turnaround_sample,
          reason: 'no first reviews in 90 days',
        }}
        evidenceHref={href('person_avg_review_turnaround_hours')}
        note="Average. From creation, ready for review or review request, whichever is last."
      />
    </>
  );
}

function HoursCard(shown: Shown) {
  const { data } = shown;
  const weekendRate = refineRate(data.weekend_pct, data.weekend_commits, data.hours_sample);
  const weekend = weekendRate === null ? '' : ` ${quantity(weekendRate, 'percent')} on weekends.`;
  const squashed = data.merge_moment_commits
    ? ` ${count(data.merge_moment_commits, 'commit has', 'commits have')} the time of a squash merge.`
    : '';
  return (
    <MetricCard
      label="After-hours commits"
      value={{
        value: refineRate(data.after_hours_pct, data.after_hours_commits, data.hours_sample),
        unit: 'percent',
        sample: data.hours_sample,
        reason: data.total_commits_90d === null ? 'commits could not be loaded' : 'no commits in 90 days',
      }}
      evidenceHref={getEvidenceHref(shown)('after_hours_pct')}
      note={`Before ${hourText(data.workday.start)} or after ${hourText(data.workday.end)}, ${data.timezone}.${weekend}${squashed}`}
    />
  );
}
