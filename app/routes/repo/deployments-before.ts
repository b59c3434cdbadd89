import { refineRate } from '../../../server/domain/quantity.ts';
import type { Deployments } from './panels.ts';

/** The measured keys of the previous 30 days; null when they are not known whole. */
export function earlierDeployments({ period_before: earlier }: Deployments) {
  if (earlier === null) return null;
  const window = 'previous 30 days';
  const finished = { sample: earlier.finished, reason: 'none finished' };
  const failureRate = refineRate(earlier.change_failure_rate_pct, earlier.failed, earlier.finished);
  const restored = { sample: earlier.mttr_samples, reason: 'none restored' };
  return {
    frequency: {
      window,
      verdict: earlier.deploys_per_day_verdict,
      value: { value: earlier.deploys_per_day, unit: 'per_day', ...finished },
    },
    failure: {
      window,
      verdict: earlier.change_failure_rate_verdict,
      value: { value: failureRate, unit: 'percent', ...finished },
    },
    restore: {
      window,
      verdict: earlier.time_to_restore_verdict,
      value: { value: earlier.mttr_hours, unit: 'hours', ...restored },
    },
  } as const;
}
