import { count, figures } from '../../../server/domain/quantity.ts';
import type { RepositoryPanels } from './panels.ts';

type Answers = Pick<RepositoryPanels, 'delivery' | 'deployments'>;

/** One sentence about the last 7 days, of what is known; nothing when nothing is. */
export function describeLastWeek({ delivery, deployments }: Answers): string | null {
  const parts = [
    delivery.ok && delivery.data.last_7_days ? describeMerged(delivery.data.last_7_days) : null,
    deployments.ok && deployments.data.last_7_days
      ? describeDeployed(deployments.data.last_7_days, deployments.data.production_environment)
      : null,
  ].filter((part) => part !== null);
  return parts.length > 0 ? `Last 7 days: ${parts.join(', ')}.` : null;
}

const describeMerged = ({ merged, merged_before: before }: { merged: number; merged_before: number }) =>
  `${figures(merged)} merged (before: ${figures(before)})`;

function describeDeployed({ successful, failed }: { successful: number; failed: number }, environment: string | null) {
  const all = count(successful + failed, `${environment} deployment`);
  return failed > 0 ? `${all}, ${figures(failed)} failed` : all;
}
