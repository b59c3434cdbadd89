import { refineRate } from '../../../../server/domain/quantity.ts';
import { describeChange, minCompared } from '../../../components/comparison.ts';
import { type Change, changeInPercent } from '../../../components/measurement.tsx';
import type { TeamFigures } from './operations.ts';

type Compared = keyof TeamFigures['verdicts'];
type Totals = NonNullable<TeamFigures['before']>;

/** A figure with how many pull requests it is of. */
interface Measured {
  value: number | null;
  sample: number | null;
}

const measure: Record<Compared, (totals: Totals) => Measured> = {
  prs_merged_total: ({ prs_merged_total: value }) => ({ value, sample: value }),
  median_hours_to_merge: (all) => ({ value: all.median_hours_to_merge, sample: all.prs_merged_by_people }),
  reviewed_before_merge_pct: (all) =>
    toShare(all.reviewed_before_merge_pct, all.prs_human_reviewed, all.prs_merged_total),
  first_pass_approval_rate: (all) =>
    toShare(all.first_pass_approval_rate, all.prs_first_pass_approved, all.prs_human_reviewed),
  self_merged_pct: (all) => toShare(all.self_merged_pct, all.prs_self_merged, all.prs_merged_by_people),
};

/** Of what is not known of every pull request, nothing is compared. */
const toShare = (rate: number | null, part: number | null, sample: number | null): Measured => ({
  value: part === null ? null : refineRate(rate, part, sample),
  sample,
});

interface Choice {
  better: Change['better'];
  /** Whether the address has the comparison off. */
  isOff: boolean;
}

/** The change of a figure against the previous 30 days; undefined where the page compares nothing. */
export function describeTeamChange(data: TeamFigures, key: Compared, { better, isOff }: Choice): Change | undefined {
  const { before, latest, verdicts, window_days: days } = data;
  if (days !== 30 || isOff) return undefined;
  const unit = key === 'prs_merged_total' || key === 'median_hours_to_merge' ? 'percent' : 'points';
  const [now, earlier] = [latest && measure[key](latest), before && measure[key](before)];
  const isFew = Math.min(now?.sample ?? 0, earlier?.sample ?? 0) < minCompared;
  return describeChange(
    { compare: 'previous', comparable: before !== null },
    {
      by: isFew || now === null || earlier === null ? null : differ(now.value, earlier.value, unit),
      unit,
      better,
      verdict: verdicts[key],
      reason: `fewer than ${minCompared} merged pull requests`,
    },
  );
}

function differ(now: number | null, before: number | null, unit: Change['unit']): number | null {
  if (unit === 'percent') return changeInPercent(now, before);
  return now === null || before === null ? null : now - before;
}
