import type { ComparedPullRequest } from './compared-pull-request.ts';

/** A marked pull request with those without a mark that it is compared with. */
export interface MatchedSet {
  marked: ComparedPullRequest;
  comparable: readonly ComparedPullRequest[];
}

/** In ln(lines + 1). */
const caliper = 0.4;
const mostComparable = 3;

/**
 * Matches each marked pull request with up to three of the nearest size in its stratum, the older one of two as near; one
 * without a mark may be matched several times. Nearest neighbours within a caliper, with replacement: Rosenbaum, Rubin, The
 * American Statistician 39 (1985) 33–38.
 */
export function matchSets(pullRequests: readonly ComparedPullRequest[]): MatchedSet[] {
  const strata = Map.groupBy(pullRequests, ({ stratum }) => stratum);
  return [...strata.values()].flatMap((stratum) => {
    const unmarked = stratum.filter(({ isMarked }) => !isMarked);
    return stratum.flatMap((marked) => {
      if (!marked.isMarked) return [];
      const comparable = nearest(marked, unmarked);
      return comparable.length === 0 ? [] : [{ marked, comparable }];
    });
  });
}

function nearest(marked: ComparedPullRequest, unmarked: readonly ComparedPullRequest[]): ComparedPullRequest[] {
  const size = logLines(marked);
  return unmarked
    .map((one) => ({ one, distance: Math.abs(logLines(one) - size) }))
    .filter(({ distance }) => distance <= caliper)
    .sort((a, b) => a.distance - b.distance || a.one.number - b.one.number)
    .slice(0, mostComparable)
    .map(({ one }) => one);
}

/** Size as it is matched. */
export const logLines = ({ lines }: ComparedPullRequest): number => Math.log(lines + 1);
