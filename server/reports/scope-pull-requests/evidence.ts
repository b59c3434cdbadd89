import type { Context } from '../../access/context.ts';
import { peopleIn } from '../../identity/people.ts';
import type { OpenPullRequest } from '../../metrics/kernel/delivery-facts.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import type { Metric } from '../../metrics/kernel/metric.ts';
import { getOpenState } from '../../metrics/pull-requests/open.ts';
import { type OpenScope, scopeAwaitingReview, scopeOpen } from '../../metrics/pull-requests/scope-open.ts';
import { sampleCi } from '../ci/demo.ts';
import { readScope } from '../ci/reading.ts';
import { type Explanation, explainMetric } from '../kernel/evidence.ts';
import { assertOwner } from '../repositories/visibility.ts';
import { coverOpen, readOpen } from './open.ts';

interface Opened {
  key: string;
  metric(scope: OpenScope): Metric<OpenPullRequest>;
  /** Since when it is what the metric counts; null where that is not known. */
  since(pullRequest: OpenPullRequest, scope: OpenScope): Instant | null;
}

const explainOpen = ({ key, metric, since }: Opened): Explanation => ({
  key,
  feature: 'prLifecycle',
  needs: [],
  async explain({ org, bots }, context: Context) {
    const scope = await readScope({ org }, '30', context, (items) => sampleCi(items, context));
    if (org && scope.visible === 0) await assertOwner(org, context);
    const [open, people] = await Promise.all([readOpen(scope, context), peopleIn(context.services)]);
    const openScope = { people, bots, now: context.services.clock.now() };
    const listed = [...open].flatMap(([id, { items }]) => items.map((one) => ({ id, one })));
    const nameOf = new Map(listed.map(({ id, one }) => [one, scope.repositories.get(id)?.name ?? '']));
    const covered = coverOpen(scope, open);
    const answer = explainMetric(
      metric(openScope),
      listed.map(({ one }) => one),
      {
        window: null,
        partial: !covered.coverage.complete,
        ...covered,
        asOf: Math.min(openScope.now, ...[...open.values()].map(({ asOf }) => asOf)),
        source: 'database',
        item: (one) => ({
          label: `${nameOf.get(one)}#${one.number}`,
          url: context.isDemo ? null : one.htmlUrl,
          at: since(one, openScope),
          value: null,
          note: null,
        }),
      },
    );
    return open.size === 0 ? { ...answer, value: null } : answer;
  },
});

/** What is open in the repositories of a scope. */
export const scopePullRequestExplanations: readonly Explanation[] = [
  explainOpen({ key: 'scope_open_prs', metric: scopeOpen, since: ({ createdAt }) => createdAt }),
  explainOpen({
    key: 'scope_awaiting_review',
    metric: scopeAwaitingReview,
    since: (pullRequest, { people, now }) => getOpenState(pullRequest, now, people).waitingSince,
  }),
];
