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
  const differences: SetDifference[] = [];
  for (const { marked: pullRequest, comparable: matched } of sets) {
    const marked = read(pullRequest);
    if (marked === null) continue;
    const comparable: ComparableValue[] = [];
    let sum = 0;
    for (const one of matched) {
      const value = read(one);
      if (value === null) continue;
      comparable.push({ pullRequest: one, value });
      sum += value;
    }
    if (comparable.length === 0) continue;
    const comparableMean = sum / comparable.length;
    const difference = marked - comparableMean;
    const { repository, cluster } = pullRequest;
    differences.push({ pullRequest, repository, cluster, marked, comparable, comparableMean, difference });
  }
  return differences;
}
