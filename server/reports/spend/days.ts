import type { Context } from '../../access/context.ts';
import type { StoredCosts } from '../../store/workflow-figures.ts';
import { type PricedDay, priceMixed } from './rows.ts';

const nothing = { jobs: 0, unknownJobs: 0, minutes: 0, usd: 0, wastedUsd: 0 };

/** What each day cost, oldest first; runs without a job cost nothing, runs without job data are unknown. */
export const priceDays = ({ days }: StoredCosts, context: Context): PricedDay[] =>
  days.map(({ date, completed, costed, groups }) => ({
    date,
    completed,
    costed,
    spend: costed > 0 && groups.length === 0 ? nothing : priceMixed(groups, context),
  }));
