import type { ReactNode } from 'react';
import { describeChange, minCompared } from '../components/comparison.ts';
import { type Change, changeInPercent } from '../components/measurement.tsx';
import { MetricCard, type MetricCardProps } from '../components/metric-card.tsx';
import { ReadThrough } from '../components/moment.tsx';
import { findDayTrend } from './day-trend.ts';
import { toCardCoverage } from './repository-coverage.ts';

/** What was merged, in the range or in the period before; hours are medians, null is unknown. */
interface Merges {
  merged: number | null;
  hours: number | null;
  sample: number | null;
}

interface Answer {
  compare: Parameters<typeof describeChange>[0]['compare'];
  partial_reasons: readonly string[];
}

interface Props {
  /** What merged ones are called where the page is not of pull requests alone. */
  label: string;
  data: Answer;
  merges: Merges;
  before: Merges;
  verdicts: Record<'merged' | 'hours', Change['verdict']>;
  days: readonly { date: string; partial: boolean; merged: number | null; median_hours_to_merge: number | null }[];
  coverage: Parameters<typeof toCardCoverage>[0];
  /** The end of what is stored. */
  through: string | null;
  /** Why there is no value where nothing is stored. */
  explainUnread(): string;
  getEvidence(metric: string): MetricCardProps['evidenceHref'];
  /** Of the time to merge, where nothing is missing. */
  note?: ReactNode;
}

/** How much was merged in the range and how fast, against the comparison. */
export function MergeCards({ label, data, merges, before, verdicts, getEvidence, ...rest }: Props) {
  const { days, coverage, through } = rest;
  const isEndMissing = data.partial_reasons.includes('pull_requests_end_missing');
  const isRead = coverage.read > 0;
  // Merges are compared where those of both periods are stored.
  const compared = { compare: data.compare, comparable: before.merged !== null };
  const reason = isRead ? 'Nothing was merged.' : rest.explainUnread();
  const shown = isRead ? toCardCoverage(coverage) : undefined;
  const missing = isEndMissing && isRead ? <ReadThrough at={through} /> : undefined;
  const trend = findDayTrend(days, 'Merges', ({ merged }) => merged);
  const isFloor = coverage.read !== coverage.expected || isEndMissing;
  return (
    <>
      <MetricCard
        label={label}
        value={{ value: merges.merged, unit: 'count', reason, quality: isFloor ? 'floor' : undefined }}
        change={describeChange(compared, {
          by: isFew(merges.merged, before.merged) ? null : changeInPercent(merges.merged, before.merged),
          unit: 'percent',
          better: 'neither',
          verdict: verdicts.merged,
          reason: fewMerges,
        })}
        trend={trend && { ...trend, kind: 'bars' }}
        coverage={shown}
        evidenceHref={getEvidence('scope_prs_merged')}
        note={missing}
      />
      <MetricCard
        label="Median time to merge"
        // Of what was never synced, 0 is not known to be the number.
        value={{ value: merges.hours, unit: 'hours', sample: isRead ? merges.sample : null, reason }}
        change={describeChange(compared, {
          by: isFew(merges.sample, before.sample) ? null : changeInPercent(merges.hours, before.hours),
          unit: 'percent',
          better: 'lower',
          verdict: verdicts.hours,
          reason: fewMerges,
        })}
        trend={findDayTrend(days, 'Median time to merge', (day) => day.median_hours_to_merge)}
        coverage={shown}
        evidenceHref={getEvidence('scope_hours_to_merge')}
        note={missing ?? rest.note}
      />
    </>
  );
}

const fewMerges = `fewer than ${minCompared} merges`;

const isFew = (now: number | null, before: number | null) => Math.min(now ?? 0, before ?? 0) < minCompared;
