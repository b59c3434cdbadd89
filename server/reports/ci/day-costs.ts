import type { Context } from '../../access/context.ts';
import { sumKnown } from '../../metrics/cost/known-cost.ts';
import { type JobGroup, priceJobs, type Spend } from '../../metrics/cost/workflow-spend.ts';
import { roundTo } from '../../metrics/kernel/statistics.ts';
import type { StoredCosts } from '../../store/workflow-figures.ts';
import { largerRunnerLabels } from '../runners/report.ts';

type DaySpend = Pick<Spend, 'usd' | 'wastedUsd' | 'minutes' | 'unknownJobs'>;

/** A day with what its runs cost. */
export interface PricedDay {
  date: string;
  spend: Spend;
  costed: number;
  completed: number;
}

/** Prices jobs of public and other repositories together. */
export function priceMixed(groups: readonly (JobGroup & { isPublic: boolean })[], context: Context): Spend {
  const labels = largerRunnerLabels(context.services.env);
  const parts = [true, false].flatMap((isPublic) => {
    const own = groups.filter((group) => group.isPublic === isPublic);
    return own.length === 0 ? [] : [priceJobs(own, { isPublic, largerRunnerLabels: labels })];
  });
  return { jobs: sum(parts.map(({ jobs }) => jobs)) ?? 0, ...addSpend(parts) };
}

export const addSpend = (parts: readonly DaySpend[]): DaySpend => ({
  usd: addUsd(parts, ({ usd }) => usd),
  wastedUsd: addUsd(parts, ({ wastedUsd }) => wastedUsd),
  minutes: sum(parts.map(({ minutes }) => minutes)) ?? 0,
  unknownJobs: sum(parts.map(({ unknownJobs }) => unknownJobs)) ?? 0,
});

/** Parts without job data are left out, those without a known price are not. */
function addUsd(parts: readonly DaySpend[], read: (part: DaySpend) => number | null): number | null {
  const costed = parts.filter((part) => read(part) !== null || part.unknownJobs > 0);
  return costed.length === 0 ? null : sumKnown(costed.map(read));
}

/** null where nothing is known; the same for any order of the values. */
export function sum(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((total, value) => total + Math.round(value * 1e6), 0) / 1e6;
}

export const toCents = (value: number | null): number | null => (value === null ? null : roundTo(value, 2));

const nothing = { jobs: 0, unknownJobs: 0, minutes: 0, usd: 0, wastedUsd: 0 };

/** What each day cost, oldest first; runs without a job cost nothing, runs without job data are unknown. */
export const priceDays = ({ days }: StoredCosts, context: Context): PricedDay[] =>
  days.map(({ date, completed, costed, groups }) => ({
    date,
    completed,
    costed,
    spend: costed > 0 && groups.length === 0 ? nothing : priceMixed(groups, context),
  }));
