import { count, figures } from '../../../server/domain/quantity.ts';
import type { OverviewPanels } from './overview.tsx';

type Answers = Pick<OverviewPanels, 'delivery' | 'deployments' | 'workflows'>;

/** One sentence about the last 7 days, of what is known; nothing when nothing is. */
export function describeLastWeek({ delivery, deployments, workflows }: Answers): string | null {
  const parts = [
    delivery.ok && delivery.data.last_7_days ? describeMerged(delivery.data.last_7_days) : null,
    deployments.ok && deployments.data.last_7_days
      ? describeDeployed(deployments.data.last_7_days, deployments.data.production_environment)
      : null,
  ].filter((part) => part !== null);
  const failing = workflows.ok ? describeFailing(workflows.data) : null;
  const week = parts.length > 0 ? `In the last 7 days ${parts.join(', and ')}.` : null;
  return [week, failing].filter(Boolean).join(' ') || null;
}

const describeMerged = ({ merged, merged_before: before }: { merged: number; merged_before: number }) =>
  merged + before === 0
    ? 'no pull requests were merged (none in the 7 days before)'
    : `${count(merged, 'pull request')} ${were(merged)} merged (${before} in the 7 days before)`;

function describeDeployed({ successful, failed }: { successful: number; failed: number }, environment: string | null) {
  const all = count(successful + failed, 'deployment');
  if (successful + failed === 0) return `nothing was deployed to ${environment}`;
  return `${all} to ${environment} ended${failed > 0 ? `, ${figures(failed)} of them failed` : ', none failed'}`;
}

const were = (number: number) => (number === 1 ? 'was' : 'were');

type Workflows = Extract<Answers['workflows'], { ok: true }>['data'];

function describeFailing(workflows: Workflows): string | null {
  const ended = workflows.filter(({ state, summary }) => state === 'active' && summary?.latest_conclusion);
  if (ended.length === 0) return null;
  const failing = ended.filter(({ summary }) => failures.has(summary?.latest_conclusion ?? ''));
  if (failing.length === 0) return "No workflow's latest run failed.";
  return `The latest run failed of ${failing.map(({ name }) => name).join(', ')}.`;
}

const failures: ReadonlySet<string> = new Set(['failure', 'timed_out', 'startup_failure']);
