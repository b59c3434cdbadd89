import type { LargerRunnerLabels, RunnerOs } from '../cost/runner-prices.ts';
import type { WorkflowJob } from '../kernel/facts.ts';

/**
 * What a job ran on. `larger` runners are the platform's own with more room, which are never free; a job that no
 * runner took is `unassigned`.
 */
export type RunnerKind = 'hosted' | 'larger' | 'self_hosted' | 'unassigned';

/**
 * The kind of runner a job had, by its labels first, then by its group. A runner that neither of them identifies counts
 * as larger, so that its price is unknown rather than nothing.
 */
export function getRunnerKind(
  { runnerName, runnerGroup, labels }: Pick<WorkflowJob, 'runnerName' | 'runnerGroup' | 'labels'>,
  largerLabels: LargerRunnerLabels = {},
): RunnerKind {
  if (runnerName === null) return 'unassigned';
  if (isLabelledOwn(labels)) return 'self_hosted';
  const known = labels.map((label) => label.toLowerCase());
  const configured = new Set(Object.keys(largerLabels).map((label) => label.toLowerCase()));
  if (known.some((label) => configured.has(label) || largerLabel.test(label))) return 'larger';
  if (runnerGroup === hostedGroup || known.some((label) => hostedLabel.test(label))) return 'hosted';
  return runnerGroup === ownGroup ? 'self_hosted' : 'larger';
}

/** Whether a job requests a self-hosted runner by the label that GitHub gives to them. */
export const isLabelledOwn = (labels: readonly string[]): boolean =>
  labels.some((label) => label.toLowerCase() === 'self-hosted');

/** The operating system that labels name; null when they name none, or several. */
export function getRunnerOs(labels: readonly string[]): RunnerOs | null {
  const named = systems.filter(([, pattern]) => labels.some((label) => pattern.test(label)));
  return named.length === 1 ? (named[0]?.[0] ?? null) : null;
}

const hostedGroup = 'GitHub Actions';
/** The group that own machines are in unless somebody moved them. */
const ownGroup = 'Default';
const hostedLabel = /^(ubuntu|windows|macos)-(latest|slim|\d+)/;
const largerLabel = /^((ubuntu|windows|macos)-.*-\d+-cores?|macos-.*-x?large)$/;

const systems: readonly [RunnerOs, RegExp][] = [
  ['linux', /^(linux|ubuntu)(-|$)/i],
  ['macos', /^macos(-|$)/i],
  ['windows', /^windows(-|$)/i],
];
