import type { Estimate } from './estimate.ts';

/** The 80 % band of a prediction, in percent, as it was when the change was proposed. */
export interface Promised {
  low: number;
  high: number;
}

export type Decision = 'kept' | 'no_effect' | 'not_kept' | 'open';

/** A smaller promise cannot be distinguished from none. */
export const leastProvable = 3;

/** What must be saved at least, in percent. */
export const marginOf = ({ low }: Promised): number => low / 2;

const keptShare = 0.8;

/** Whether this much is as good as promised. */
export const isAsPromised = ({ low }: Promised, { deltaPct }: Pick<Estimate, 'deltaPct'>): boolean =>
  deltaPct >= keptShare * low;

/** What a look at a change says of its promise; contract of the advisor, section 5.4. */
export function decide(promised: Promised, measured: Omit<Estimate, 'strata'>): Decision {
  const margin = marginOf(promised);
  if (measured.low > margin && isAsPromised(promised, measured)) return 'kept';
  if (measured.low90 > -margin && measured.high90 < margin) return 'no_effect';
  if (measured.high < promised.low) return 'not_kept';
  return 'open';
}
