import { quantity } from '../../../server/domain/quantity.ts';
import { describeChange, minCompared } from '../../components/comparison.ts';
import { changeInPercent } from '../../components/measurement.tsx';
import { MetricCard, MetricCards } from '../../components/metric-card.tsx';
import { Moment, ReadThrough, whyUnread } from '../../components/moment.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { findDayTrend } from '../day-trend.ts';
import { explainHref } from '../links.ts';
import { toCardCoverage } from '../repository-coverage.ts';
import type { PullRequests } from './page.tsx';

/** What is open now, and what was merged in the range against the comparison. */
export function Cards({ data }: { data: PullRequests }) {
  return (
    <MetricCards>
      <OpenCards data={data} />
      <MergeCards data={data} />
    </MetricCards>
  );
}

function OpenCards({ data }: { data: PullRequests }) {
  const { base } = usePageContext();
  const { totals, org, bots, longest_wait: longest, open_as_of: asOf } = data;
  const { coverage } = data.open_pull_requests;
  const quality = totals.open_complete ? undefined : ('floor' as const);
  const evidence = (metric: string) => explainHref(base, { metric, org, bots: bots === 'out' ? bots : null });
  const shown = coverage.read > 0 ? toCardCoverage(coverage) : undefined;
  const notRead = 'Not read in the last 36 hours.';
  const note =
    asOf === null ? undefined : (
      <>
        Read <Moment at={asOf} />.
      </>
    );
  return (
    <>
      <MetricCard
        label="Open"
        value={{ value: totals.open, unit: 'count', quality, reason: notRead }}
        coverage={shown}
        evidenceHref={evidence('scope_open_prs')}
        note={note}
      />
      <MetricCard
        label="Awaiting review"
        value={{
          value: totals.awaiting_review,
          unit: 'count',
          quality,
          reason: totals.open === null ? notRead : 'Not every review could be read.',
        }}
        beside={longest ? `longest ${quantity(longest.hours, 'hours')}` : null}
        coverage={shown}
        evidenceHref={evidence('scope_awaiting_review')}
        note={note}
      />
    </>
  );
}

function MergeCards({ data }: { data: PullRequests }) {
  const { base, zone, pages } = usePageContext();
  const { totals, org, range, bots, merged_from: from, merged_through: through } = data;
  const { coverage } = data.merged_pull_requests;
  const isEndMissing = data.partial_reasons.includes('pull_requests_end_missing');
  const compared = { compare: data.compare, comparable: totals.merged_before !== null };
  const isFew = (now: number | null, before: number | null) => Math.min(now ?? 0, before ?? 0) < minCompared;
  const reason = coverage.read > 0 ? 'Nothing was merged.' : whyUnread({ window: data.window, from, through }, zone);
  const shown = coverage.read > 0 ? toCardCoverage(coverage) : undefined;
  const note = isEndMissing && coverage.read > 0 ? <ReadThrough at={through} /> : undefined;
  // Its evidence belongs to another feature.
  const evidence = (metric: string) =>
    pages.includes('reports')
      ? explainHref(base, { metric, org, range, bots: bots === 'out' ? bots : null })
      : undefined;
  const trend = findDayTrend(data.days, 'Merges', ({ merged }) => merged);
  const isFloor = coverage.read !== coverage.expected || isEndMissing;
  return (
    <>
      <MetricCard
        label="Merged"
        value={{ value: totals.merged, unit: 'count', reason, quality: isFloor ? 'floor' : undefined }}
        change={describeChange(compared, {
          by: isFew(totals.merged, totals.merged_before) ? null : changeInPercent(totals.merged, totals.merged_before),
          unit: 'percent',
          better: 'neither',
          reason: `fewer than ${minCompared} merges`,
        })}
        trend={trend && { ...trend, kind: 'bars' }}
        coverage={shown}
        evidenceHref={evidence('scope_prs_merged')}
        note={note}
      />
      <MetricCard
        label="Median time to merge"
        value={{
          value: totals.median_hours_to_merge,
          unit: 'hours',
          sample: coverage.read > 0 ? totals.merge_sample : null,
          reason,
        }}
        change={describeChange(compared, {
          by: isFew(totals.merge_sample, totals.merge_sample_before)
            ? null
            : changeInPercent(totals.median_hours_to_merge, totals.median_hours_to_merge_before),
          unit: 'percent',
          better: 'lower',
          reason: `fewer than ${minCompared} merges`,
        })}
        trend={findDayTrend(data.days, 'Median time to merge', (day) => day.median_hours_to_merge)}
        coverage={shown}
        evidenceHref={evidence('scope_hours_to_merge')}
        note={note}
      />
    </>
  );
}
