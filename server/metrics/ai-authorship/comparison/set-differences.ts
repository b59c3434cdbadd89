import type { ComparedPullRequest } from './compared-pull-request.ts';
import type { MatchedSet } from './matching.ts';

/** What a matched set says of one outcome, on the scale on which differences are taken. */
export interface SetDifference {
  pullRequest: ComparedPullRequest;
  repository: string;
  /** Of the marked one. */
  cluster: string;
  marked: number;
  comparable: readonly ComparableValue[];
  /** The mean of those that are comparable. */
  comparableMean: number;
  difference: number;
}

interface ComparableValue {
  pullRequest: ComparedPullRequest;
  value: number;
}

/** The sets of which both sides are known. */
export function setDifferences(
  sets: readonly MatchedSet[],
  read: (pullRequest: ComparedPullRequest) => number | null,
): SetDifference[] {
  return sets.flatMap((set) => {
    const marked = read(set.marked);
    const comparable = set.comparable.flatMap((pullRequest) => {
      const value = read(pullRequest);
      return value === null ? [] : [{ pullRequest, value }];
    });
    if (marked === null || comparable.length === 0) return [];
    const comparableMean = comparable.reduce((sum, { value }) => sum + value, 0) / comparable.length;
    const difference = marked - comparableMean;
    const { repository, cluster } = set.marked;
    return [{ pullRequest: set.marked, repository, cluster, marked, comparable, comparableMean, difference }];
  });
}
