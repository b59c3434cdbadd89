import type { Interval } from '../../kernel/intervals.ts';
import { mean } from '../../kernel/statistics.ts';
import { clusterMean, intervalOfEnough } from './cluster-mean.ts';
import type { MatchedSet } from './matching.ts';
import type { PullRequestCost } from './measure-runs.ts';
import { type SetDifference, setDifferences } from './set-differences.ts';

/** What a pull request of one side costs, on average. */
export interface CostSide extends PullRequestCost {
  /** One without a mark counts as often as it is compared. */
  prs: number;
}

/** What runs of marked pull requests cost beside those of others like them. Nothing is claimed of it. */
export interface ComparedCost {
  sets: number;
  marked: CostSide;
  comparable: CostSide;
  /** USD, of a marked pull request over those that are like it. */
  difference: number;
  /** 95 %; null of fewer than ten clusters, and of clusters that do not differ. */
  interval: Interval | null;
}

const measures = ['minutes', 'usd', 'failedUsd'] as const;

/** Means of the sets of which both sides are known; null without any. */
export function compareCost(sets: readonly MatchedSet[], seed: readonly (string | number)[]): ComparedCost | null {
  const read = (measure: keyof PullRequestCost) => setDifferences(sets, ({ cost }) => cost?.[measure] ?? null);
  const byUsd = read('usd');
  if (byUsd.length === 0) return null;
  const sideOf = (of: (one: SetDifference) => number, prs: number): CostSide => {
    const [minutes = 0, usd = 0, failedUsd = 0] = measures.map((measure) => mean(read(measure).map(of)) ?? 0);
    return { minutes, usd, failedUsd, prs };
  };
  return {
    sets: byUsd.length,
    marked: sideOf(({ marked }) => marked, byUsd.length),
    comparable: sideOf(
      ({ comparableMean }) => comparableMean,
      byUsd.reduce((sum, { comparable }) => sum + comparable.length, 0),
    ),
    difference: clusterMean(byUsd).mean,
    interval: intervalOfEnough(byUsd, [...seed, 'cost']),
  };
}
