import type { Context, Reply } from '../../access/context.ts';
import {
  createdDeployments,
  type DeploymentScope,
  deploymentFailureRate,
  deploymentsPerDay,
  getDeploymentResult,
  isConclusiveIn,
  isSuccess,
} from '../../metrics/delivery/deployments.ts';
import { findOutages, type Outage, timeToRestore } from '../../metrics/delivery/restores.ts';
import type { Deployment } from '../../metrics/kernel/delivery-facts.ts';
import { type Interval, rateInterval } from '../../metrics/kernel/intervals.ts';
import type { Metric } from '../../metrics/kernel/metric.ts';
import { teamCalendar } from '../kernel/calendar.ts';
import { deletedAccount, type ExplainInput, type Explanation, explainMetric } from '../kernel/evidence.ts';
import { repositoryFacts } from '../repositories/facts.ts';
import { readDeployments } from './facts.ts';

/** The facts a number is made of, in the requested environment, else in production. */
async function read({ owner = '', repo = '', environment }: ExplainInput, context: Context, reply: Reply) {
  const facts = await repositoryFacts({ owner, repo }, context, reply);
  const { recent, figures, scope, set, partial } = await readDeployments(facts, await teamCalendar(context));
  const chosen = environment ?? figures.productionEnvironment ?? '';
  return {
    recent,
    known: set.items.filter((one) => one.environment === chosen),
    scope: { ...scope, environment: chosen } satisfies DeploymentScope,
    about: { window: scope.window, partial, asOf: set.asOf, source: set.source },
  };
}

const explainDeployments = (
  key: string,
  getMetric: (scope: DeploymentScope) => Metric<Deployment>,
  interval: (finished: readonly Deployment[]) => Interval | null = () => null,
): Explanation => ({
  key,
  feature: 'deployments',
  needs: ['owner', 'repo'],
  async explain(input, context, reply) {
    const { recent, scope, about } = await read(input, context, reply);
    const finished = recent.filter((each) => isConclusiveIn(each, scope) === true);
    return explainMetric(getMetric(scope), recent, { ...about, interval: interval(finished), item: deploymentItem });
  },
});

export const deploymentItem = (deployment: Deployment) => {
  const { environment, sha, url, createdAt, creator, isCreatorUnread } = deployment;
  const { outcome } = getDeploymentResult(deployment);
  return {
    label: `${sha.slice(0, 7)} to ${environment}`,
    url,
    at: createdAt,
    value: null,
    note: `${outcome ? outcomeLabels[outcome] : 'statuses not read'}, ${isCreatorUnread ? 'its creator could not be read' : `by ${creator?.login ?? deletedAccount}`}`,
  };
};

const outcomeLabels = { success: 'succeeded', failed: 'failed', inconclusive: 'in progress' };

const explainRestores = (average: 'mean' | 'median'): Explanation => ({
  key: timeToRestore(average).key,
  feature: 'deployments',
  needs: ['owner', 'repo'],
  async explain(input, context, reply) {
    const { known, scope, about } = await read(input, context, reply);
    const outages = findOutages(known, scope.window);
    return explainMetric(timeToRestore(average), outages, { ...about, item: outageItem });
  },
});

export const outageItem = (outage: Outage) => {
  const { failed, failedAt, restored } = outage;
  const end = restored === null ? 'not restored' : `restored by ${restored.sha.slice(0, 7)}`;
  return {
    label: `${failed.sha.slice(0, 7)} to ${failed.environment}`,
    url: failed.url,
    at: failedAt,
    value: timeToRestore().reduce(restored === null ? [] : [outage]),
    note: end,
  };
};

/** The measured delivery keys, and how many deployments there were. */
export const deploymentExplanations: readonly Explanation[] = [
  explainDeployments('total_deployments', createdDeployments),
  explainDeployments('deploys_per_day', deploymentsPerDay),
  explainDeployments('change_failure_rate_pct', deploymentFailureRate, (finished) =>
    rateInterval(finished.filter((each) => !isSuccess(each)).length, finished.length),
  ),
  explainRestores('mean'),
  explainRestores('median'),
];
