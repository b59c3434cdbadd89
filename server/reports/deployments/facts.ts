import type { Platform } from '../../codehost/changes/client.ts';
import type { FactSet } from '../../facts/facts.ts';
import { findNamedProduction } from '../../metrics/delivery/deployments.ts';
import {
  type DeploymentFigures,
  type DeploymentsScope,
  deploymentFigures,
} from '../../metrics/delivery/environments.ts';
import type { Deployment } from '../../metrics/kernel/delivery-facts.ts';
import { dayMs, isWithin, lastDaysWindow, type Window, windowBefore } from '../../metrics/kernel/window.ts';
import type { Calendar } from '../../metrics/people/workday-hours.ts';
import { ifReadable } from '../kernel/coverage.ts';
import { knownUntil, type RepositoryFacts } from '../repositories/facts.ts';

/** The deployments of the last 30 days and what they come to. */
export interface Deployments {
  /** Also those before the window, which identify rollbacks. */
  set: FactSet<Deployment>;
  /** Of the window. */
  recent: Deployment[];
  scope: DeploymentsScope;
  figures: DeploymentFigures;
  /** true when deployments of the window are missing. */
  partial: boolean;
  /** The 30 days before; null when they are not known from their start on. */
  before: Window | null;
}

export const deploymentDays = 30;

/** What deployments are read of; beside facts, what the platform itself says of environments. */
export interface DeploymentSource extends Omit<RepositoryFacts, 'codehost'> {
  codehost: { deployments: Pick<Platform['deployments'], 'productionEnvironments'> };
}

/** Deployments of a repository whose visibility was proved. Throws the problems of the platform. */
export async function readDeployments(facts: DeploymentSource, calendar: Calendar): Promise<Deployments> {
  const since = facts.now - (deploymentDays + earlierDays) * dayMs;
  const set = await facts.read('deployments', { since, maxAgeMs: 10 * 60_000 });
  const window = lastDaysWindow(deploymentDays, knownUntil(facts.now, [set]));
  const recent = set.items.filter(({ createdAt }) => isWithin(createdAt, window));
  const coveredFrom = set.oldestAt;
  const scope: DeploymentsScope = {
    window,
    calendar,
    repositoryCreatedAt: facts.repository.createdAt,
    markedProduction: await markedProduction(facts, recent.length === 0 ? [] : set.items, window),
    ...(coveredFrom !== null && { coveredFrom }),
  };
  const hasHistory = (set.total ?? 0) > 0 || set.newestAt !== null;
  return {
    set,
    recent,
    scope,
    figures: deploymentFigures(set.items, hasHistory, scope),
    partial: set.partial && (coveredFrom === null || coveredFrom > window.from),
    before: windowBefore(
      window,
      Math.max(set.partial ? (coveredFrom ?? window.to) : since, facts.repository.createdAt ?? since),
    ),
  };
}

/** How far before the window a deployment can be that a rollback goes back to; a day more for facts of yesterday. */
const earlierDays = 31;
/** As many as a first reading brings at most, newest first. */
export const maxDeployments = 500;

/** Names come first: the marks of the platform are read only where no name identifies production. */
async function markedProduction(
  { codehost, repository }: DeploymentSource,
  known: Deployment[],
  window: Window,
): Promise<string[]> {
  if (known.length === 0 || findNamedProduction(known, window) !== null) return [];
  return (await ifReadable(codehost.deployments.productionEnvironments(repository))) ?? [];
}
