import { type RandomStream, randomStream } from '../../kernel/random-stream.ts';
import { percent } from '../../kernel/statistics.ts';
import type { ComparedPullRequest } from './compared-pull-request.ts';
import { isAnythingClaimed } from './examine.ts';

const repeats = 200;

/**
 * How often anything is claimed, in percent, where there is nothing to find: those without a mark are given the class at
 * random, as many of each stratum as have it, and the whole procedure is repeated.
 */
export function claimsByChance(
  pullRequests: readonly ComparedPullRequest[],
  seed: readonly (string | number)[],
): number {
  const strata = [...Map.groupBy(pullRequests, ({ stratum }) => stratum).values()].map((stratum) => {
    const unmarked = stratum.filter(({ isMarked }) => !isMarked);
    return { either: unmarked.map(toEither), marked: stratum.length - unmarked.length };
  });
  const random = randomStream(...seed);
  const claiming = Array.from({ length: repeats }, () => {
    const relabelled = strata.flatMap(({ either, marked }) => relabel(either, marked, random));
    return isAnythingClaimed(relabelled);
  });
  return percent(claiming.filter((one) => one).length, repeats) ?? 0;
}

/** The same pull request with the class and without. */
type Either = readonly [marked: ComparedPullRequest, unmarked: ComparedPullRequest];

const toEither = (one: ComparedPullRequest): Either => [{ ...one, isMarked: true }, one];

/** Marks so many at random, but leaves one to compare with. Where none is marked, nothing is compared. */
function relabel(either: readonly Either[], marked: number, random: RandomStream): ComparedPullRequest[] {
  const places = either.map((_unused, place) => ({ place, order: random() })).sort((a, b) => a.order - b.order);
  if (marked === 0) return [];
  const chosen = new Set(places.slice(0, Math.min(marked, either.length - 1)).map(({ place }) => place));
  return either.map(([asMarked, asUnmarked], place) => (chosen.has(place) ? asMarked : asUnmarked));
}
