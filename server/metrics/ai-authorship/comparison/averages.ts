import { mean } from '../../kernel/statistics.ts';
import type { ComparedPullRequest } from './compared-pull-request.ts';
import { type OutcomeKey, outcomeKeys, toScale, toValue } from './outcomes.ts';

/** The average of all pull requests of one side, whatever they are; of nothing null. */
export interface RawAverage {
  isMarked: boolean;
  key: OutcomeKey;
  value: number | null;
  prs: number;
  /** How many people wrote them. */
  authors: number;
}

/** Plain averages of both sides, which differ in repository, size and kind of work: they are not comparable. */
export const comparedAverages = (pullRequests: readonly ComparedPullRequest[]): RawAverage[] =>
  [true, false].flatMap((isMarked) => {
    const side = pullRequests.filter((one) => one.isMarked === isMarked);
    return outcomeKeys.map((key) => {
      const known = side.filter(({ outcomes }) => outcomes[key] !== null);
      const average = mean(known.map(({ outcomes }) => toScale(key, outcomes[key] ?? 0)));
      return {
        isMarked,
        key,
        value: average === null ? null : toValue(key, average),
        prs: known.length,
        authors: new Set(known.flatMap(({ author }) => author ?? [])).size,
      };
    });
  });
