import { mean, sampleDeviation } from '../../kernel/statistics.ts';
import type { ComparedPullRequest } from './compared-pull-request.ts';
import { logLines, type MatchedSet } from './matching.ts';

export interface Balance {
  covariate: string;
  /** Standardized mean differences; null where one side has none, or both are constant and differ. */
  before: number | null;
  after: number | null;
  ok: boolean;
}

/** Sides that differ more are not comparable. */
const mostDifference = 0.1;

const covariates: Readonly<Record<string, (pullRequest: ComparedPullRequest) => number>> = {
  'Lines, logarithm': logLines,
  'Changed files, logarithm': ({ changedFiles }) => Math.log(changedFiles + 1),
  Weekday: ({ weekday }) => weekday,
  'Open pull requests': ({ openPullRequests }) => openPullRequests,
};

/**
 * How much both sides differ before and after matching, in standard deviations of both before it (Austin, Statistics in
 * Medicine 28 (2009) 3083–3107).
 */
export function balanceOf(pullRequests: readonly ComparedPullRequest[], sets: readonly MatchedSet[]): Balance[] {
  const marked = pullRequests.filter(({ isMarked }) => isMarked);
  const unmarked = pullRequests.filter(({ isMarked }) => !isMarked);
  return Object.entries(covariates).map(([covariate, read]) => {
    const meanOf = (some: readonly ComparedPullRequest[]) => mean(some.map(read));
    const scale =
      Math.hypot(sampleDeviation(marked.map(read)) ?? 0, sampleDeviation(unmarked.map(read)) ?? 0) / Math.SQRT2;
    const standardize = (side: number | null, other: number | null): number | null => {
      if (side === null || other === null) return null;
      if (side === other) return 0;
      return scale === 0 ? null : (side - other) / scale;
    };
    const before = standardize(meanOf(marked), meanOf(unmarked));
    const after = standardize(
      mean(sets.map((set) => read(set.marked))),
      mean(sets.map(({ comparable }) => meanOf(comparable) ?? Number.NaN)),
    );
    return { covariate, before, after, ok: after !== null && Math.abs(after) <= mostDifference };
  });
}
