/** Two-sided quantiles of the normal distribution for a level of 2 % shared by one to eight tests. */
const criticalValues = [2.326348, 2.575829, 2.713052, 2.807034, 2.878162, 2.935199, 2.982704, 3.023341];

/**
 * Which of some normal scores differ from 0 so much that at most 2 % of such families have a false one (Holm, Scandinavian
 * Journal of Statistics 6 (1979) 65–70): the largest as if it were one of all, the next one of all others, until one is
 * too small.
 */
export function passHolm<Key>(scores: ReadonlyMap<Key, number>): Set<Key> {
  const byDistance = [...scores].sort(([, a], [, b]) => Math.abs(b) - Math.abs(a));
  const failing = byDistance.findIndex(([, score], index) => {
    const critical = criticalValues[byDistance.length - index - 1] ?? Number.POSITIVE_INFINITY;
    return !(Math.abs(score) > critical);
  });
  return new Set(byDistance.slice(0, failing === -1 ? byDistance.length : failing).map(([key]) => key));
}
