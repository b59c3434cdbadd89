import { figures, quantity } from '../../../server/domain/quantity.ts';
import type { Deployments } from './panels.ts';

const labels = { elite: 'Elite', high: 'High', medium: 'Medium', low: 'Low' } as const;

export type Tier = keyof typeof labels | null;

/** A tier in words with where its boundaries come from; nothing when the sample allows none. */
export const tierLabel = (tier: Tier): string | undefined => (tier === null ? undefined : labels[tier]);

/** The days that figures of deployments are about. */
export const spanRead = ({ partial, period_days: days }: Deployments) =>
  partial ? `${days} days, partial data` : `${days} days`;

/** What a frequency is counted among: the deployments that ended, of which those that failed delivered nothing. */
export const frequencySource = (successful: number | null) =>
  successful === null ? 'finished deployments' : `finished, ${figures(successful)} successful`;

/** Why there are no figures of outcomes. */
export const unreadStatuses = 'Deployment statuses could not be loaded.';

/** What a time to restore stands on. */
export const restoredSource = (samples: number) => (samples === 1 ? 'restored failure' : 'restored failures, mean');

/** What to know before a time to restore is taken for more than it is. */
export function restoreNote(restores: Restores | undefined): string | null {
  if (!restores || restores.mttr_samples === 0) return null;
  if (restores.mttr_samples < 3) return `${anecdote(restores.mttr_samples)}, too few to rely on`;
  return `median ${quantity(restores.mttr_median_hours, 'hours')} sets the tier`;
}

type Restores = Pick<Deployments['by_environment'][number], 'mttr_samples' | 'mttr_median_hours'>;

/** So few cases that they are no statistic. */
export const anecdote = (samples: number) => `n = ${figures(samples)}, small sample`;
