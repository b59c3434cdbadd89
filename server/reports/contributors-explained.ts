import { withTitles } from '../facts/titles.ts';
import type { PullRequest } from '../metrics/delivery-facts.ts';
import type { Metric } from '../metrics/metric.ts';
import {
  endOf,
  firstPassApproval,
  hoursToMerge,
  medianHoursToMerge,
  mergedPullRequests,
  reviewedShare,
  type Scope,
  selfMergedShare,
} from '../metrics/pull-requests.ts';
import { always } from './contributors.ts';
import { readContributors } from './contributors-reading.ts';
import { type Explanation, explained, pullRequestItem } from './explained.ts';
import { noteListing } from './notes.ts';
import { repositoryFacts } from './repository-facts.ts';

/** The headline numbers of a team's pull requests; without days over the last 60 closed ones. */
export const contributorExplanations: readonly Explanation[] = [
  ofTeam('prs_merged_total', mergedPullRequests),
  ofTeam('median_hours_to_merge', medianHoursToMerge, hoursToMerge),
  ofTeam('reviewed_before_merge', reviewedShare),
  ofTeam('self_merged', selfMergedShare),
  ofTeam('first_pass_approval_rate', firstPassApproval),
];

function ofTeam(
  key: string,
  metric: (scope: Scope) => Metric<PullRequest>,
  measured: (pullRequest: PullRequest) => number | null = () => null,
): Explanation {
  return {
    key,
    feature: 'teamInsights',
    needs: ['owner', 'repo'],
    async explain({ owner = '', repo = '', days }, context, reply) {
      const facts = await repositoryFacts({ owner, repo }, context, reply);
      const reading = await readContributors(facts, days === 30 || days === 90 ? days : null, context);
      const { pullRequests, window, coverage, stale, asOf, source } = reading;
      const partial = !coverage.complete;
      noteListing(reply, { partial, stale, asOf, totalCount: null });
      const { codehost, repository, people } = facts;
      const titled = await withTitles(
        { codehost, shelf: context.services.facts },
        repository,
        newestFirst(pullRequests).slice(0, mostTitled),
      );
      const titles = new Map(titled.map(({ number, title }) => [number, title]));
      const item = pullRequestItem(measured);
      return explained(metric({ window: window ?? always, people }), pullRequests, {
        ...{ window, partial, asOf, source },
        item: (one) => item({ ...one, title: titles.get(one.number) ?? null }),
      });
    },
  };
}

const newestFirst = (items: readonly PullRequest[]) =>
  items.toSorted((one, other) => (endOf(other) ?? 0) - (endOf(one) ?? 0));

/** Two requests' worth. */
const mostTitled = 200;
