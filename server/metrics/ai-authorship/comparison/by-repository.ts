import type { Interval } from '../../kernel/intervals.ts';
import { mean } from '../../kernel/statistics.ts';
import { clusterMean, intervalOfEnough } from './cluster-mean.ts';
import { type OutcomeKey, toEffect } from './outcomes.ts';
import type { SetDifference } from './set-differences.ts';

/** The estimate of one repository alone: no claim, for among many some are far off by chance. */
export interface RepositoryEffect {
  repository: string;
  sets: number;
  /** In the unit of effects. */
  effect: number;
  /** 95 %; null of fewer than ten clusters, and of clusters that do not differ. */
  interval: Interval | null;
}

const minSets = 10;

/** The sets of each repository that has enough of them. */
export const setsByRepository = (differences: readonly SetDifference[]): [repository: string, SetDifference[]][] =>
  [...Map.groupBy(differences, ({ repository }) => repository)].filter(([, own]) => own.length >= minSets);

/** The same estimate of each repository that has enough sets, the highest first. */
export function compareByRepository(
  key: OutcomeKey,
  differences: readonly SetDifference[],
  seed: readonly (string | number)[],
): RepositoryEffect[] {
  return setsByRepository(differences)
    .map(([repository, own]) => {
      const comparable = mean(own.map(({ comparableMean }) => comparableMean)) ?? 0;
      const onScale = intervalOfEnough(own, [...seed, key, repository]);
      return {
        repository,
        sets: own.length,
        effect: toEffect(key, clusterMean(own).mean, comparable),
        interval: onScale && {
          low: toEffect(key, onScale.low, comparable),
          high: toEffect(key, onScale.high, comparable),
        },
      };
    })
    .sort((a, b) => b.effect - a.effect || (a.repository < b.repository ? -1 : 1));
}
