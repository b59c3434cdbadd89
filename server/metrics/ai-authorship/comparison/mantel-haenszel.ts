/** How often something happened in one stratum, to how many. */
export interface StratumCounts {
  marked: { events: number; n: number };
  unmarked: { events: number; n: number };
}

/** A difference of shares, from −1 to 1. */
export interface RiskDifference {
  difference: number;
  variance: number;
}

/**
 * The difference of two risks over strata (Mantel, Haenszel, Journal of the National Cancer Institute 22 (1959) 719–748),
 * with the variance that holds for few large strata and for many small ones (Sato, Biometrics 45 (1989) 1323–1324). null
 * where no stratum has both sides.
 */
export function mantelHaenszel(strata: readonly StratumCounts[]): RiskDifference | null {
  const weights = sum(strata, ({ marked, unmarked }) => (marked.n * unmarked.n) / sizeOf(marked, unmarked));
  if (weights === 0) return null;
  const difference =
    sum(
      strata,
      ({ marked, unmarked }) => (marked.events * unmarked.n - unmarked.events * marked.n) / sizeOf(marked, unmarked),
    ) / weights;
  const bySize = sum(strata, ({ marked, unmarked }) => {
    const balance = (marked.n * unmarked.n * (unmarked.n - marked.n)) / 2;
    return (
      (marked.n ** 2 * unmarked.events - unmarked.n ** 2 * marked.events + balance) / sizeOf(marked, unmarked) ** 2
    );
  });
  const byEvents = sum(strata, ({ marked, unmarked }) => {
    const mixed = marked.events * (unmarked.n - unmarked.events) + unmarked.events * (marked.n - marked.events);
    return mixed / (2 * sizeOf(marked, unmarked));
  });
  return { difference, variance: (difference * bySize + byEvents) / weights ** 2 };
}

const sizeOf = (marked: { n: number }, unmarked: { n: number }) => marked.n + unmarked.n;

const sum = (strata: readonly StratumCounts[], value: (counts: StratumCounts) => number) =>
  strata.reduce((total, counts) => total + value(counts), 0);
