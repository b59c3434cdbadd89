import { outcomeOf } from '../metrics/outcome.ts';
import { percentOf } from '../metrics/statistics.ts';
import { successRate } from '../metrics/workflow-runs.ts';
import { type AlertMetric, alertMetric } from './metric.ts';

/** More runs than this in one window are judged by the newest of them. */
const runLimit = 5000;

export const failureRate = alertMetric({
  key: 'failure_rate',
  label: 'Failed runs',
  unit: 'percent',
  fedBy: 'workflow-runs',
  minSample: 5,
  async measure({ repoId, since }, store) {
    const runs = await store.runs.recent(repoId, { since, limit: runLimit });
    const { counted } = successRate.evidence(runs);
    // The metric rounds for people; a threshold is compared with the exact share.
    return { value: percentOf(counted, (run) => outcomeOf(run) === 'fail'), sample: counted.length };
  },
});

/** Everything a rule can watch: the choices of the form, the labels of the letters, the work of the evaluation. */
export const alertMetrics: readonly AlertMetric[] = [failureRate];
