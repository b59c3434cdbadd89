import { actionTagsMoved } from './action-metrics.ts';
import { lostGain } from './advisor-metrics.ts';
import { openAdvisories } from './advisory-metrics.ts';
import { cancelledShare, failingStreak, failureRate, outlierCount, slowDuration, slowQueueWait } from './ci-metrics.ts';
import { afterHoursCommits, oversizedCommits } from './commit-metrics.ts';
import { provenExposure } from './exposure-metrics.ts';
import type { AlertMetric } from './metric.ts';
import { abandonedShare, oldestUnreviewed, slowReview, throughputDrop } from './people-metrics.ts';
import { queueEjections, queueGrowth, queueLength, slowQueue } from './queue-metrics.ts';

/** Everything a rule can watch: the choices of the form, the labels of the emails, the work of the evaluation. */
export const alertMetrics: readonly AlertMetric[] = [
  failureRate,
  cancelledShare,
  slowDuration,
  slowQueueWait,
  failingStreak,
  outlierCount,
  actionTagsMoved,
  openAdvisories,
  provenExposure,
  slowQueue,
  queueEjections,
  queueLength,
  queueGrowth,
  throughputDrop,
  slowReview,
  abandonedShare,
  oldestUnreviewed,
  afterHoursCommits,
  oversizedCommits,
  lostGain,
];

/** null for what no rule of this version can watch. */
export const findAlertMetric = (key: string): AlertMetric | null =>
  alertMetrics.find((metric) => metric.key === key) ?? null;
