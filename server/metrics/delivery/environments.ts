import type { Deployment } from '../kernel/delivery-facts.ts';
import type { Instant } from '../kernel/facts.ts';
import { median, percent, roundTo } from '../kernel/statistics.ts';
import { changeFailureTier, frequencyTier, isOldEnough, restoreTier, type Tier, workdaysIn } from '../kernel/tiers.ts';
import { dayMs, isWithin, type Window } from '../kernel/window.ts';
import type { Calendar } from '../people/workday-hours.ts';
import {
  areStatusesKnown,
  coveredWindow,
  type DeploymentResult,
  getDeploymentResult,
  isSuccess,
  productionEnvironment,
} from './deployments.ts';
import { findOutages, getRestoreTimes, type Outage, timeToRestore } from './restores.ts';

/** What deployments are measured in. */
export interface DeploymentsScope {
  window: Window;
  calendar: Calendar;
  repositoryCreatedAt: Instant | null;
  /** Names the platform itself marks as production. */
  markedProduction?: readonly string[];
  /** When reading stopped early, the oldest instant it reached. */
  coveredFrom?: Instant;
}

export interface EnvironmentFigures {
  environment: string;
  isProduction: boolean;
  /** Combines all environments beyond the first twenty. */
  isRest: boolean;
  total: number;
  /** null, like all that follows, where the statuses of one of them could not be read. */
  success: number | null;
  failed: number | null;
  inconclusive: number | null;
  deploysPerDay: number | null;
  failureRatePct: number | null;
  mttrHours: number | null;
  mttrMedianHours: number | null;
  mttrSamples: number;
  /** First failure of a streak that no success ended, also where it began before the window. */
  openFailureSince: Instant | null;
}

export interface DeploymentFigures {
  source: 'deployments' | 'none' | 'stale';
  total: number;
  productionEnvironment: string | null;
  productionCandidates: string[];
  /** null when nothing was deployed anywhere in the window. */
  production: EnvironmentFigures | null;
  /** Production first, then by number of deployments. */
  byEnvironment: EnvironmentFigures[];
  tiers: { deploymentFrequency: Tier | null; changeFailureRate: Tier | null; mttr: Tier | null };
}

/** Deployments that succeeded or failed; null where that is not known of all. */
export const countFinished = ({ success, failed }: Pick<EnvironmentFigures, 'success' | 'failed'>): number | null =>
  success === null || failed === null ? null : success + failed;

/** `hasHistory`: whether anything was ever deployed, also before the facts at hand. */
export function deploymentFigures(
  deployments: readonly Deployment[],
  hasHistory: boolean,
  scope: DeploymentsScope,
): DeploymentFigures {
  const recent = deployments.filter(({ createdAt }) => isWithin(createdAt, scope.window));
  // An environment that is quiet now stays production, unless another one of such a name is deployed to.
  const known = recent.length === 0 ? [] : deployments;
  const { environment, candidates } = productionEnvironment(known, scope.window, scope.markedProduction);
  const outages = findOutages(deployments, scope.window);
  const byEnvironment = environmentRows(recent, environment, outages, scope);
  const production = byEnvironment.find(({ isProduction }) => isProduction) ?? null;
  const past = hasHistory || deployments.length > 0 ? 'stale' : 'none';
  return {
    source: recent.length > 0 ? 'deployments' : past,
    total: recent.length,
    productionEnvironment: environment,
    productionCandidates: candidates,
    production,
    byEnvironment,
    tiers: computeTiers(outages, production, scope),
  };
}

export interface RecentDeployment extends DeploymentResult {
  deployment: Deployment;
  /** null when nothing shows it. */
  isRollback: boolean | null;
}

/** Whether one commit comes before another in history; null when nobody looked. */
export type Ancestry = (sha: string, descendant: string) => boolean | null;

/** The newest deployments of the window. Older facts help to recognize rollbacks. */
export function recentDeployments(
  deployments: readonly Deployment[],
  window: Window,
  isAncestor: Ancestry = () => null,
  count = 15,
): RecentDeployment[] {
  return deployments
    .filter(({ createdAt }) => isWithin(createdAt, window))
    .sort((a, b) => inOrder(b, a))
    .slice(0, count)
    .map((deployment) => ({
      deployment,
      ...getDeploymentResult(deployment),
      isRollback: isRollback(deployment, deployments, isAncestor),
    }));
}

/**
 * Goes back to a commit that was deployed with success before, or to an ancestor of the last one that was. Deploying
 * the same commit again is none.
 */
export function isRollback(
  deployment: Deployment,
  deployments: readonly Deployment[],
  isAncestor: Ancestry = () => null,
): boolean | null {
  const earlier = deployments.filter(
    (each) => each.environment === deployment.environment && inOrder(each, deployment) < 0,
  );
  if (!areStatusesKnown(earlier)) return null;
  const before = earlier.filter(isSuccess).sort(inOrder);
  const previous = before.at(-1);
  if (previous === undefined) return null;
  if (previous.sha === deployment.sha) return false;
  return before.some(({ sha }) => sha === deployment.sha) || isAncestor(deployment.sha, previous.sha);
}

const maxRows = 20;

function environmentRows(
  deployments: readonly Deployment[],
  production: string | null,
  outages: readonly Outage[],
  scope: DeploymentsScope,
): EnvironmentFigures[] {
  const byName = Map.groupBy(deployments, ({ environment }) => environment);
  if (production !== null && !byName.has(production)) byName.set(production, []);
  const groups = [...byName].sort(
    ([a, ofA], [b, ofB]) =>
      Number(b === production) - Number(a === production) || ofB.length - ofA.length || (a < b ? -1 : 1),
  );
  const rest = groups.slice(maxRows);
  const inRest = new Set(rest.map(([environment]) => environment));
  const rows = groups.slice(0, maxRows).map(([environment, own]) => ({
    ...computeFigures(
      own,
      outages.filter((one) => one.environment === environment),
      scope,
    ),
    environment,
    isProduction: environment === production,
    isRest: false,
  }));
  if (rest.length === 0) return rows;
  return [
    ...rows,
    {
      ...computeFigures(
        rest.flatMap(([, own]) => own),
        outages.filter(({ environment }) => inRest.has(environment)),
        scope,
      ),
      environment: 'other environments',
      isProduction: false,
      isRest: true,
    },
  ];
}

function computeFigures(deployments: readonly Deployment[], outages: readonly Outage[], scope: DeploymentsScope) {
  const areKnown = areStatusesKnown(deployments);
  const outcomes = deployments.map((each) => getDeploymentResult(each).outcome);
  const success = outcomes.filter((outcome) => outcome === 'success').length;
  const failed = outcomes.filter((outcome) => outcome === 'failed').length;
  const { from, to } = coveredWindow({ ...scope, environment: '' });
  const rate = areKnown ? percent(failed, success + failed) : null;
  const { value: mttrHours, sample: mttrSamples } = timeToRestore()(outages);
  return {
    total: deployments.length,
    success: areKnown ? success : null,
    failed: areKnown ? failed : null,
    inconclusive: areKnown ? outcomes.filter((outcome) => outcome === 'inconclusive').length : null,
    deploysPerDay: rate === null ? null : roundTo((success * dayMs) / Math.max(1, to - from), 2),
    failureRatePct: rate === null ? null : roundTo(rate, 0),
    mttrHours,
    mttrMedianHours: timeToRestore('median')(outages).value,
    mttrSamples,
    openFailureSince: outages.find(({ restoredAt }) => restoredAt === null)?.failedAt ?? null,
  };
}

function computeTiers(
  outages: readonly Outage[],
  production: EnvironmentFigures | null,
  scope: DeploymentsScope,
): DeploymentFigures['tiers'] {
  const { success, failed } = production ?? { success: null, failed: null };
  if (production === null || success === null || failed === null)
    return { deploymentFrequency: null, changeFailureRate: null, mttr: null };
  const finished = success + failed;
  const isKnown = finished > 0 && isOldEnough(scope.repositoryCreatedAt, scope.window);
  const covered = coveredWindow({ ...scope, environment: '' });
  const own = outages.filter(({ environment }) => environment === production.environment);
  return {
    deploymentFrequency: isKnown ? frequencyTier(success, workdaysIn(covered, scope.calendar)) : null,
    changeFailureRate: finished >= 5 ? changeFailureTier(percent(failed, finished)) : null,
    mttr: restoreTier(median(own.flatMap(getRestoreTimes))),
  };
}

function inOrder(a: Deployment, b: Deployment): number {
  return a.createdAt - b.createdAt || a.id - b.id;
}
