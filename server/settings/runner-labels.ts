import type { LargerRunnerLabels } from '../metrics/cost/runner-prices.ts';
import type { Env } from '../platform/env.ts';

/** What the labels of the organization's own larger runners are billed as. */
export const largerRunnerLabels = ({ RUNNER_LABELS }: Pick<Env, 'RUNNER_LABELS'>): LargerRunnerLabels =>
  Object.fromEntries(RUNNER_LABELS.map((text) => text.split('=') as [label: string, sku: string]));
