import type { Context } from '../access/context.ts';
import type { CommitWithRepository, PullRequestWithRepository } from '../codehost/delivery-client.ts';
import type { Commit, PullRequest } from '../metrics/delivery-facts.ts';
import type { Metric } from '../metrics/metric.ts';
import {
  personAfterHours,
  personAvgHoursToMerge,
  personMedianHoursToMerge,
  personMergeRate,
} from '../metrics/person.ts';
import type { Subject } from '../metrics/profile.ts';
import { hoursToMerge } from '../metrics/pull-requests.ts';
import type { Window } from '../metrics/window.ts';
import { type PersonFacts, personFacts } from './contributor-profile-facts.ts';
import { type Explanation, explained, pullRequestItem } from './explained.ts';
import { iso } from './instants.ts';

/** The headline numbers of one person; asked with the owner and the login. */
export const personExplanations: readonly Explanation[] = [
  ofPullRequests('person_avg_hours_to_merge', personAvgHoursToMerge, hoursToMerge),
  ofPullRequests('person_median_hours_to_merge', personMedianHoursToMerge, hoursToMerge),
  ofPullRequests('pr_merge_rate', personMergeRate, () => null),
  ofPerson('after_hours_pct', (facts, { services, isDemo }) => {
    const site = isDemo ? null : services.env.CODEHOST_WEB_URL;
    const metric = personAfterHours(facts.window, facts.workday);
    // Nobody is asked about the hours of a machine.
    return explained(metric, facts.account.isBot ? [] : (facts.commits ?? []), {
      ...aboutOf(facts),
      item: (commit) => commitItem(commit, facts, site),
    });
  }),
];

function ofPullRequests(
  key: string,
  declare: (window: Window, subject: Subject) => Metric<PullRequest>,
  measured: (pullRequest: PullRequest) => number | null,
): Explanation {
  return ofPerson(key, (facts) =>
    explained(declare(facts.window, facts.subject), facts.pullRequests, {
      ...aboutOf(facts),
      item: (pullRequest) => {
        const { owner, repo } = (pullRequest as PullRequestWithRepository).repository;
        const item = pullRequestItem(measured)(pullRequest);
        return { ...item, label: `${owner}/${repo}${item.label}` };
      },
    }),
  );
}

function ofPerson(
  key: string,
  explain: (facts: PersonFacts, context: Context) => ReturnType<typeof explained>,
): Explanation {
  return {
    key,
    feature: 'contributorProfile',
    needs: ['owner', 'login'],
    explain: async ({ owner = '', login = '' }, context, reply) =>
      explain(await personFacts({ owner, login }, context, reply), context),
  };
}

const aboutOf = ({ window, coverage, asOf }: PersonFacts) => ({
  ...{ window, asOf, partial: !coverage.complete, source: 'live' as const },
});

/** By its hour in the team's zone; messages of commits are not read. */
function commitItem(commit: Commit, { workday: { calendar } }: PersonFacts, site: string | null) {
  const { owner, repo } = (commit as CommitWithRepository).repository;
  const hour = String(calendar.hourOf(commit.authoredAt)).padStart(2, '0');
  return {
    label: `${owner}/${repo}@${commit.sha.slice(0, 7)}`,
    url: site && `${site}/${owner}/${repo}/commit/${commit.sha}`,
    at: iso(commit.authoredAt),
    value: null,
    note: `written between ${hour}:00 and ${hour}:59, ${calendar.timezone}`,
  };
}
