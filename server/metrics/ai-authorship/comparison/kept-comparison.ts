import type { RawAverage } from './averages.ts';
import type { ComparisonFigures } from './compare.ts';
import type { Exclusion } from './gather.ts';

/** Why a pull request of the class or without a mark is not compared. */
export type KeptExclusion = Exclusion | 'over_limit';

/** What is kept of a comparison. Numbers of few are in it, and do not leave the service. */
export interface KeptComparison extends ComparisonFigures {
  raw: RawAverage[];
  markedPrs: number;
  excluded: [reason: KeptExclusion, prs: number][];
}
