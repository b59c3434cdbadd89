import type { Domain } from '../../api/wire.ts';
import type { Verdict } from '../../domain/verdict.ts';
import { compareShares, judgeChange, type Share } from '../../metrics/kernel/comparison.ts';
import type { Window } from '../../metrics/kernel/window.ts';
import type { ContributorSample } from '../../metrics/people/contributors.ts';
import type { Calendar } from '../../metrics/people/workday-hours.ts';
import type { Scope } from '../../metrics/pull-requests/pull-requests.ts';
import { judgeMerges } from '../overview/merge-verdicts.ts';
import { type TeamTotals, teamTotals } from './figures.ts';
import type { ContributorsReport } from './schema.ts';

/** What was merged in a window. */
interface SampleOf {
  sample: ContributorSample;
  window: Window;
}

/** Figures of the window before, and what those of now are beside them; of null nothing is said. */
export function compareTeam(
  now: SampleOf,
  before: SampleOf | null,
  about: Omit<Scope, 'window'> & { calendar: Calendar },
): Pick<Domain<typeof ContributorsReport>, 'before' | 'latest' | 'verdicts'> {
  const totalsOf = ({ sample, window }: SampleOf) => teamTotals(sample, { ...about, window });
  const [current, earlier] = [totalsOf(now), before && totalsOf(before)];
  const toMerges = ({ sample, window }: SampleOf) => ({ pullRequests: sample.merged, window });
  const merges = judgeMerges(toMerges(now), before && toMerges(before), about);
  const judge = (toShare: (totals: TeamTotals) => Share | null): Verdict => {
    const [a, b] = [earlier && toShare(earlier), toShare(current)];
    return a && b ? judgeChange(compareShares(a, b), 'percent') : 'not_enough_data';
  };
  return {
    before: earlier,
    latest: earlier && current,
    verdicts: {
      prsMergedTotal: merges.merged,
      medianHoursToMerge: merges.hours,
      reviewedBeforeMergePct: judge((all) => toShareOf(all.prsHumanReviewed, all.prsMergedTotal)),
      firstPassApprovalRate: judge((all) => toShareOf(all.prsFirstPassApproved, all.prsHumanReviewed)),
      selfMergedPct: judge((all) => toShareOf(all.prsSelfMerged, all.prsMergedByPeople)),
    },
  };
}

/** null where not all of it could be read. */
const toShareOf = (part: number | null, n: number | null): Share | null =>
  part === null || n === null ? null : { part, n };
