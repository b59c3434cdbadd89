import type { Deployment, DeploymentState } from '../kernel/delivery-facts.ts';
import type { Instant } from '../kernel/facts.ts';
import { countMetric, type Metric, metric, type Verdict } from '../kernel/metric.ts';
import { tierLevels } from '../kernel/tiers.ts';
import { isWithin, type Window } from '../kernel/window.ts';

export type DeploymentOutcome = 'success' | 'failed' | 'inconclusive';

/** What a deployment came to, and when that showed. */
export interface DeploymentResult {
  /** null where the statuses could not be read. */
  outcome: DeploymentOutcome | null;
  /** Of the status that decided; null when none did. */
  at: Instant | null;
  /** A newer deployment took its place, or it was switched off. */
  superseded: boolean;
  /** The newest status. */
  state: DeploymentState | null;
  statusAt: Instant | null;
}

/**
 * The first success, failure or error of the history decides. The platform sets an older success to inactive when a
 * newer one succeeds, so the newest status alone would lose it.
 */
export function getDeploymentResult({ statuses }: Deployment): DeploymentResult {
  if (statuses === null) return { outcome: null, at: null, superseded: false, state: null, statusAt: null };
  const history = statuses.toSorted((a, b) => a.at - b.at || rank(a.state) - rank(b.state));
  const decisive = history.find(({ state }) => state === 'success' || state === 'failure' || state === 'error');
  const newest = history.at(-1);
  return {
    outcome: decisive === undefined ? 'inconclusive' : decisive.state === 'success' ? 'success' : 'failed',
    at: decisive?.at ?? null,
    superseded: history.some(({ state }) => state === 'inactive'),
    state: newest?.state ?? null,
    statusAt: newest?.at ?? null,
  };
}

/**
 * Whether all of them tell what they came to. What could not be read may have failed, so that without it no figure
 * holds.
 */
export const areStatusesKnown = (deployments: readonly Deployment[]): boolean =>
  deployments.every(({ statuses }) => statuses !== null);

/** Which deployments count: those created in the window in this environment. */
export interface DeploymentScope {
  window: Window;
  environment: string;
  /** When reading stopped early, the oldest instant it reached. */
  coveredFrom?: Instant;
}

/** All of the environment, whatever they came to. */
export function createdDeployments(scope: DeploymentScope): Metric<Deployment> {
  return countMetric({
    key: 'total_deployments',
    label: 'Deployments',
    source: 'deployments',
    definition: `Deployments to ${describePlace(scope)} created in the window, with any outcome.`,
    counts: (deployment) => isCreatedIn(deployment, scope),
  });
}

/** Successes per day. Null without a deployment that ended. */
export function deploymentsPerDay(scope: DeploymentScope): Metric<Deployment> {
  const { from, to } = coveredWindow(scope);
  return metric({
    key: 'deploys_per_day',
    label: 'Deployment frequency',
    unit: 'per_day',
    better: 'higher',
    source: 'finished deployments',
    definition: `Successful deployments to ${describePlace(scope)} in the window, per day.`,
    levels: `Of production: ${tierLevels.frequency}`,
    needsAll: true,
    counts: (deployment) => isConclusiveIn(deployment, scope),
    value: (finished) => (finished.filter(isSuccess).length * 86_400_000) / Math.max(1, to - from),
  });
}

/** Failed ÷ finished. */
export function deploymentFailureRate(scope: DeploymentScope): Metric<Deployment> {
  return metric({
    key: 'change_failure_rate_pct',
    label: 'Change failure rate',
    unit: 'percent',
    better: 'lower',
    source: 'finished deployments',
    definition: `Share of finished deployments to ${describePlace(scope)} that failed.`,
    levels: `Of production: ${tierLevels.changeFailure} None with fewer than 5 finished deployments.`,
    needsAll: true,
    counts: (deployment) => isConclusiveIn(deployment, scope),
    share: (each) => !isSuccess(each),
  });
}

export function isConclusiveIn(deployment: Deployment, scope: DeploymentScope): Verdict {
  const created = isCreatedIn(deployment, scope);
  if (created !== true) return created;
  const { outcome } = getDeploymentResult(deployment);
  if (outcome === null) return { unknown: 'its statuses could not be read' };
  return outcome !== 'inconclusive' || 'neither succeeded nor failed yet';
}

function isCreatedIn(deployment: Deployment, scope: DeploymentScope): Verdict {
  if (deployment.environment !== scope.environment) return 'in another environment';
  return isWithin(deployment.createdAt, scope.window) || 'created outside the window';
}

/** Without any deployment no environment is known to be production. */
const describePlace = ({ environment }: DeploymentScope) => environment || 'production';

export function isSuccess(deployment: Deployment): boolean {
  return getDeploymentResult(deployment).outcome === 'success';
}

/** Later of the window's start and the oldest instant that was read. */
export function coveredWindow({ window, coveredFrom }: DeploymentScope): Window {
  return { from: Math.max(window.from, coveredFrom ?? window.from), to: window.to };
}

/**
 * The environment that production figures are about, busiest first among equals: by name, then as the platform marks
 * it, else the busiest. Null without deployments. Names such as pre-production are about another place. A name that was
 * deployed to in the window goes before one that was not: an environment that was renamed is not quiet.
 */
export function productionEnvironment(
  deployments: readonly Deployment[],
  window: Window,
  marked: readonly string[] = [],
): { environment: string | null; candidates: string[] } {
  const busiest = byActivity(deployments);
  const active = byActivity(deployments.filter(({ createdAt }) => isWithin(createdAt, window)));
  const flagged = busiest.filter((name) => marked.includes(name));
  const candidates = findNamed(active) ?? findNamed(busiest) ?? (flagged.length > 0 ? flagged : busiest);
  return { environment: candidates[0] ?? null, candidates };
}

/** The same as far as names tell; null where they do not tell several apart, and only the platform's marks may. */
export function findNamedProduction(deployments: readonly Deployment[], window: Window): string | null {
  const { environment, candidates } = productionEnvironment(deployments, window);
  const environments = new Set(deployments.map((one) => one.environment));
  return environments.size < 2 || candidates.length < environments.size ? environment : null;
}

const findNamed = (environments: readonly string[]): string[] | undefined =>
  productionNames.map((word) => environments.filter((name) => word.test(name))).find((names) => names.length > 0);

const productionNames = ['production', 'prod', 'live', 'main'].map(
  (word) => new RegExp(`(?<![a-z0-9])(?<!(?<![a-z0-9])(?:pre|non)[-_ ])${word}(?![a-z0-9])`, 'i'),
);

/** Of statuses with the same instant the deciding one comes first, and failure before success. */
function rank(state: DeploymentState): number {
  return order.indexOf(state);
}

const order: readonly DeploymentState[] = [
  'queued',
  'waiting',
  'pending',
  'in_progress',
  'failure',
  'error',
  'success',
  'inactive',
];

function byActivity(deployments: readonly Deployment[]): string[] {
  return [...Map.groupBy(deployments, ({ environment }) => environment)]
    .sort(([a, ofA], [b, ofB]) => ofB.length - ofA.length || (a < b ? -1 : 1))
    .map(([environment]) => environment);
}
