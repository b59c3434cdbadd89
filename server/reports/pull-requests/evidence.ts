import type { PullRequest } from '../../metrics/kernel/delivery-facts.ts';
import type { Metric } from '../../metrics/kernel/metric.ts';
import {
  abandonRate,
  approvalToMerge,
  type Scope,
  timeToFirstReview,
} from '../../metrics/pull-requests/pull-requests.ts';
import { type Explanation, explainMetric, pullRequestItem } from '../kernel/evidence.ts';
import { repositoryFacts } from '../repositories/facts.ts';
import { readEnded } from './report.ts';
import { readNewestTitles } from './titles.ts';

interface Benchmark {
  key: string;
  metric(scope: Scope): Metric<PullRequest>;
  /** Items have a value of their own, in the metric's unit. */
  isMeasured: boolean;
}

const explainEnded = ({ key, metric, isMeasured }: Benchmark): Explanation => ({
  key,
  feature: 'prLifecycle',
  needs: ['owner', 'repo'],
  async explain({ owner = '', repo = '' }, context, reply) {
    const facts = await repositoryFacts({ owner, repo }, context, reply);
    const { set, scope } = await readEnded(facts);
    const titles = await readNewestTitles(set.items, facts, context);
    const measure = metric(scope);
    const toItem = pullRequestItem((one) => (isMeasured ? measure([one]).value : null));
    return explainMetric(measure, set.items, {
      window: scope.window,
      partial: set.partial,
      asOf: set.asOf,
      source: set.source,
      item: (one) => toItem({ ...one, title: one.title ?? titles.get(one.number) ?? null }),
    });
  },
});

/** How pull requests of the last 90 days fared, against which the open ones are held. */
export const pullRequestExplanations: readonly Explanation[] = [
  ...[0.5, 0.9].flatMap((q) => [
    explainEnded({
      key: `time_to_first_review_p${100 * q}_hours`,
      metric: (scope) => timeToFirstReview(scope, q),
      isMeasured: true,
    }),
    explainEnded({
      key: `time_approval_to_merge_p${100 * q}_hours`,
      metric: (scope) => approvalToMerge(scope, q),
      isMeasured: true,
    }),
  ]),
  explainEnded({ key: 'abandon_rate', metric: abandonRate, isMeasured: false }),
];
