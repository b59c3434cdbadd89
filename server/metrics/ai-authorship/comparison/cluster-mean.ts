import { percentileInterval } from '../../kernel/bootstrap.ts';
import type { Interval } from '../../kernel/intervals.ts';
import { randomStream } from '../../kernel/random-stream.ts';
import { mean } from '../../kernel/statistics.ts';
import type { SetDifference } from './set-differences.ts';

export interface ClusterMean {
  mean: number;
  /** The standard error of the mean; 0 where nothing varies, null of a single cluster. */
  error: number | null;
}

/**
 * The mean of the differences, with the error that clusters leave (Liang, Zeger, Biometrika 73 (1986) 13–22), of few
 * clusters as well.
 */
export function clusterMean(differences: readonly SetDifference[]): ClusterMean {
  const centre = meanOf(differences);
  const deviations = clusterDeviations(differences, centre);
  const { length } = deviations;
  const squares = deviations.reduce((sum, deviation) => sum + deviation ** 2, 0);
  return {
    mean: centre,
    error: length < 2 ? null : Math.sqrt((squares * length) / (length - 1)) / differences.length,
  };
}

const draws = 1000;

/**
 * The 95 % interval of the mean: whole clusters are drawn with replacement (Field, Welsh, Journal of the Royal Statistical
 * Society B 69 (2007) 369–390). The same seed draws the same.
 */
export function clusterInterval(differences: readonly SetDifference[], seed: readonly (string | number)[]): Interval {
  const centre = meanOf(differences);
  const deviations = clusterDeviations(differences, centre);
  const random = randomStream(...seed);
  const drawDeviation = () => deviations[Math.floor(random() * deviations.length)] ?? 0;
  const means = Array.from({ length: draws }, () => {
    let sum = 0;
    for (let drawn = 0; drawn < deviations.length; drawn++) sum += drawDeviation();
    return centre + sum / differences.length;
  });
  return percentileInterval(means);
}

/** Fewer clusters say next to nothing of how far a mean may be off. */
export const minClusters = 10;

export const countClusters = (differences: readonly SetDifference[]): number =>
  new Set(differences.map(({ cluster }) => cluster)).size;

/**
 * The interval where there are enough clusters for one, else null. null also of clusters that do not differ at all: that
 * nothing was reverted among a few does not say that nothing is.
 */
export function intervalOfEnough(
  differences: readonly SetDifference[],
  seed: readonly (string | number)[],
): Interval | null {
  if (countClusters(differences) < minClusters) return null;
  const interval = clusterInterval(differences, seed);
  return interval.low === interval.high ? null : interval;
}

/**
 * How far each cluster moves the sum of the differences off what the mean says, in the order of their names. Each pull
 * request counts in its own cluster, for one that is compared in several weeks is one event (Otsu, Rai, Journal of the
 * American Statistical Association 112 (2017) 1720–1732), as far as it is off what is usual in its repository.
 */
function clusterDeviations(differences: readonly SetDifference[], centre: number): number[] {
  const deviations = new Map<string, number>();
  const add = (cluster: string, value: number) => deviations.set(cluster, (deviations.get(cluster) ?? 0) + value);
  for (const own of Map.groupBy(differences, ({ repository }) => repository).values()) {
    const usual = mean(own.map(({ comparableMean }) => comparableMean)) ?? 0;
    for (const { cluster, marked, comparable } of own) {
      add(cluster, marked - usual - centre);
      for (const { pullRequest, value } of comparable) add(pullRequest.cluster, (usual - value) / comparable.length);
    }
  }
  return [...deviations].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, deviation]) => deviation);
}

const meanOf = (differences: readonly SetDifference[]) => mean(differences.map(({ difference }) => difference)) ?? 0;
