import type { Context } from '../../access/context.ts';
import { peopleIn } from '../../identity/people.ts';
import type { Metric } from '../../metrics/kernel/metric.ts';
import { scopeHoursToMerge, scopeMerges } from '../../metrics/pull-requests/merges.ts';
import { hoursToMerge, type MergeRecord, type Scope } from '../../metrics/pull-requests/pull-requests.ts';
import { sampleCi } from '../ci/demo.ts';
import { readScope } from '../ci/reading.ts';
import { coverPullRequests } from '../ci/scope-coverage.ts';
import { type Explanation, explainMetric } from '../kernel/evidence.ts';
import { findMissing } from '../kernel/stored-coverage.ts';
import { assertOwner } from '../repositories/visibility.ts';
import { activityOf } from './activity.ts';

/** The merged pull requests behind a figure of a scope. */
const explainMerges = (
  key: string,
  metric: (scope: Scope) => Metric<MergeRecord>,
  measured: (pullRequest: MergeRecord) => number | null,
): Explanation => ({
  key,
  feature: 'reports',
  needs: [],
  async explain({ org, range = '30', bots }, context: Context) {
    const scope = await readScope({ org }, range, context, (items) => sampleCi(items, context));
    if (org && scope.visible === 0) await assertOwner(org, context);
    const { window } = scope;
    const repoIds = [...scope.repositories.keys()];
    const [{ stored, counted, pullRequests }, people] = await Promise.all([
      activityOf(scope, context).listMerges(window),
      peopleIn(context.services),
    ]);
    const now = context.services.clock.now();
    const missing = findMissing('pull_requests', { stored, repoIds, now }, window);
    const nameOf = new Map(
      pullRequests.map((one) => [one as MergeRecord, scope.repositories.get(one.repoId)?.name ?? '']),
    );
    const answer = explainMetric(metric({ window, people, bots }), pullRequests, {
      window,
      partial: missing.length > 0,
      ...coverPullRequests(scope, { stored, window, now }),
      asOf: Math.min(window.to, ...[...stored.values()].map(({ to }) => to)),
      source: 'database',
      item: (one) => ({
        label: `${nameOf.get(one)}#${one.number}`,
        url: context.isDemo ? null : one.htmlUrl,
        at: one.mergedAt,
        value: measured(one),
        note: null,
      }),
    });
    return counted.length === 0 ? { ...answer, value: null } : answer;
  },
});

export const overviewExplanations: readonly Explanation[] = [
  explainMerges('scope_prs_merged', scopeMerges, () => null),
  explainMerges('scope_hours_to_merge', scopeHoursToMerge, hoursToMerge),
];
