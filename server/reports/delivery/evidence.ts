import type { Context, Reply } from '../../access/context.ts';
import {
  type Aftermath,
  corroboratedFailureRate,
  isCorroboratedFailure,
  isRework,
  reworkRate,
} from '../../metrics/delivery/corroborated-failures.ts';
import {
  changeFailureEstimate,
  type DeliveryScope,
  leadTime,
  mergeFrequency,
  releaseFrequency,
  restoreEstimate,
} from '../../metrics/delivery/delivery.ts';
import type { DeploymentScope } from '../../metrics/delivery/deployments.ts';
import { isFailureFix } from '../../metrics/delivery/failure-fixes.ts';
import { knownWindow } from '../../metrics/delivery/known-window.ts';
import type { Deployment, PullRequest } from '../../metrics/kernel/delivery-facts.ts';
import type { Interval } from '../../metrics/kernel/intervals.ts';
import type { Metric } from '../../metrics/kernel/metric.ts';
import type { Window } from '../../metrics/kernel/window.ts';
import { cyclePhases, phaseKeys, phaseTime } from '../../metrics/pull-requests/cycle.ts';
import { timeToMerge } from '../../metrics/pull-requests/pull-requests.ts';
import { deploymentItem } from '../deployments/evidence.ts';
import { teamCalendar } from '../kernel/calendar.ts';
import { type ExplainInput, type Explanation, explainMetric, pullRequestItem } from '../kernel/evidence.ts';
import { readNewestTitles } from '../pull-requests/titles.ts';
import { repositoryFacts } from '../repositories/facts.ts';
import { getAftermath } from './aftermath.ts';
import { type Delivery, lacksSince, readDelivery } from './facts.ts';
import { failureInterval, leadTimeInterval } from './report.ts';

async function read({ owner = '', repo = '' }: ExplainInput, context: Context, reply: Reply) {
  const facts = await repositoryFacts({ owner, repo }, context, reply);
  return { facts, delivery: await readDelivery(facts, await teamCalendar(context)) };
}

interface OfPullRequests {
  key: string;
  metric(scope: DeliveryScope): Metric<PullRequest>;
  measured?(pullRequest: PullRequest, scope: DeliveryScope): number | null;
  /** Why an item counts as it does. */
  mark?(pullRequest: PullRequest): string | null;
  interval?(delivery: Delivery): Interval | null;
  /** That of the scope where there is none. */
  window?(scope: DeliveryScope): Window;
}

/** A number made of pull requests. */
const explainPullRequests = ({ key, metric, measured, mark, interval, window }: OfPullRequests): Explanation => ({
  key,
  feature: 'dora',
  needs: ['owner', 'repo'],
  async explain(input, context, reply) {
    const { facts, delivery } = await read(input, context, reply);
    const { pullRequests: set, scope } = delivery;
    const titles = await readNewestTitles(set.items, facts, context);
    const toItem = pullRequestItem((one) => measured?.(one, scope) ?? null);
    return explainMetric(metric(scope), set.items, {
      window: window?.(scope) ?? scope.window,
      partial: lacksSince(set, scope.window.from),
      asOf: set.asOf,
      source: set.source,
      interval: interval?.(delivery) ?? null,
      item(one) {
        const item = toItem({ ...one, title: one.title ?? titles.get(one.number) ?? null });
        return { ...item, note: [item.note, mark?.(one)].filter(Boolean).join(', ') || null };
      },
    });
  },
});

const releases: Explanation = {
  key: 'deployment_frequency',
  feature: 'dora',
  needs: ['owner', 'repo'],
  async explain(input, context, reply) {
    const { delivery } = await read(input, context, reply);
    const { releases: set, scope } = delivery;
    return explainMetric(releaseFrequency(scope), set.items, {
      window: knownWindow(scope, 'releases'),
      partial: lacksSince(set, scope.window.from),
      asOf: set.asOf,
      source: set.source,
      item: ({ tag, htmlUrl, publishedAt }) => ({
        label: tag,
        url: htmlUrl,
        at: publishedAt,
        value: null,
        note: null,
      }),
    });
  },
};

/** A share of production deployments by what came after them; of none where that is not known. */
const explainAftermath = (
  key: string,
  getMetric: (scope: DeploymentScope, aftermath: Aftermath) => Metric<Deployment>,
  isPart: (deployment: Deployment, aftermath: Aftermath) => boolean | null,
): Explanation => ({
  key,
  feature: 'dora',
  needs: ['owner', 'repo'],
  async explain(input, context, reply) {
    const { delivery } = await read(input, context, reply);
    const { recent, scope, aftermath } = getAftermath(delivery) ?? nothingKnown(delivery);
    return explainMetric(getMetric(scope, aftermath), recent, {
      window: scope.window,
      partial: delivery.deployments?.partial !== false,
      asOf: delivery.deployments?.set.asOf ?? delivery.pullRequests.asOf,
      source: delivery.deployments?.set.source ?? delivery.pullRequests.source,
      item(deployment) {
        const item = deploymentItem(deployment);
        return { ...item, note: isPart(deployment, aftermath) ? `counts against the rate: ${item.note}` : item.note };
      },
    });
  },
});

const nothingKnown = ({ scope: { window } }: Delivery) => ({
  recent: [],
  scope: { window, environment: '' },
  aftermath: { rollbacks: new Map(), contradictions: new Map(), undecided: new Set<number>() },
});

/** The estimated delivery keys. */
export const deliveryExplanations: readonly Explanation[] = [
  releases,
  explainPullRequests({
    key: 'merge_frequency',
    metric: mergeFrequency,
    window: (scope) => knownWindow(scope, 'merges'),
  }),
  explainPullRequests({
    key: 'lead_time',
    metric: leadTime,
    measured: (one, scope) => leadTime(scope).reduce([one]),
    interval: leadTimeInterval,
  }),
  explainPullRequests({
    key: 'lead_time_p95',
    metric: (scope) => leadTime(scope, 0.95),
    measured: (one, scope) => leadTime(scope).reduce([one]),
  }),
  explainPullRequests({
    key: 'change_failure_rate',
    metric: changeFailureEstimate,
    mark: (one) => (isFailureFix(one) ? 'a revert or hotfix' : null),
    interval: failureInterval,
  }),
  explainPullRequests({ key: 'fix_cycle_time', metric: restoreEstimate, measured: timeToMerge }),
  ...cyclePhases.map((phase) =>
    explainPullRequests({
      key: phaseKeys[phase],
      metric: (scope) => phaseTime(phase, scope),
      measured: (one, scope) => phaseTime(phase, scope).reduce([one]),
    }),
  ),
  explainAftermath('corroborated_failure_rate_pct', corroboratedFailureRate, isCorroboratedFailure),
  explainAftermath('rework_rate_pct', reworkRate, isRework),
];
