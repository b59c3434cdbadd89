import type { Change } from './measurement.tsx';

type Comparison = 'previous' | 'year' | 'off';

/** What a range is compared with, by the same name in the bar, on cards and in reports. */
export const comparisonNames = { previous: 'previous period', year: 'same period last year' } as const;

/** Values of fewer deployments, merges or issues than this differ by chance; of runs the answers themselves need ten. */
export const minCompared = 5;

interface Compared {
  compare: Comparison;
  /** Whether all facts of both periods are stored. */
  comparable: boolean;
}

interface Measured extends Pick<Change, 'by' | 'unit' | 'better' | 'verdict'> {
  /** Why there is no change where all facts are stored. */
  reason: string;
}

/** The change of a value against the period that the page compares with; undefined where it compares with none. */
export function describeChange({ compare, comparable }: Compared, change: Measured): Change | undefined {
  if (compare === 'off') return undefined;
  const { reason, ...rest } = change;
  return {
    ...rest,
    against: `the ${comparisonNames[compare]}`,
    reason: comparable ? reason : 'not all data of both periods is stored',
  };
}

export const fewRuns = 'fewer than 10 runs';

interface Priced {
  cost_per_month: number | null;
  cost_sample: number | null;
  completed_runs: number | null;
  unknown_jobs: number | null;
}

/** The same of what was wasted. */
export const whyWasteUncompared = (costs: Priced & { wasted_per_month: number | null }): string =>
  whyCostUncompared({ ...costs, cost_per_month: costs.wasted_per_month }).replace('no cost', 'none wasted');

/** Why a cost is not compared; what the period itself does not tell is a matter of the one before. */
export function whyCostUncompared({ cost_per_month, cost_sample, completed_runs, unknown_jobs }: Priced): string {
  if ((completed_runs ?? 0) < 10) return fewRuns;
  if (cost_sample !== completed_runs || unknown_jobs) return 'some runs have no known cost';
  if (cost_per_month === 0) return 'no cost in this period';
  return 'fewer than 10 runs before, some without known cost, or no cost';
}
