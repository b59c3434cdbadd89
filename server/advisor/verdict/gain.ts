import { isAsPromised, marginOf, type Promised } from './decide.ts';
import type { Estimate } from './estimate.ts';

/** What the newest weeks say of a gain that was kept; the newest last. */
export interface WeeklyLook {
  /** Of the last two weeks; null where there is too little to say. */
  measured: Pick<Estimate, 'deltaPct' | 'low' | 'high'> | null;
}

/** So many weeks in a row. */
const lastingWeeks = 2;

/** Whether a kept gain is there, by its last two weekly looks; contract of the advisor, section 5.6. */
export function followGain(state: 'kept' | 'lost', promised: Promised, weeks: readonly WeeklyLook[]): 'kept' | 'lost' {
  const newest = weeks.slice(-lastingWeeks).flatMap(({ measured }) => measured ?? []);
  if (newest.length < lastingWeeks) return state;
  if (state === 'kept') return newest.every(({ high }) => high < marginOf(promised)) ? 'lost' : 'kept';
  return newest.every((measured) => isAsPromised(promised, measured)) ? 'kept' : 'lost';
}
