import { unreadStatuses } from '../repo/delivery-labels.ts';

interface Figures {
  deployments: number | null;
  /** null where the statuses of any could not be read. */
  finished: number | null;
}

/** Why there is no figure of outcomes where deployments were read; null where some succeeded or failed. */
export function explainNoOutcome({ deployments, finished }: Figures): string | null {
  if (deployments === 0) return 'Nothing was deployed.';
  if (finished === null) return unreadStatuses;
  return finished === 0 ? 'None succeeded or failed yet.' : null;
}
