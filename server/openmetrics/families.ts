// Every declared family, for the documentation and for the files made from it.
import type { MetricFamily } from '../platform/metric-family.ts';
import { processCounters } from '../platform/process-metrics.ts';
import { budgetFamilies } from './budget.ts';
import { databaseFamilies } from './database.ts';
import { processFamilies } from './process.ts';

/** Each process has values of its own for these. */
export const ownFamilies: readonly MetricFamily<string>[] = [
  ...processFamilies,
  ...processCounters.map(({ family }) => family),
  ...budgetFamilies,
  ...databaseFamilies,
];
