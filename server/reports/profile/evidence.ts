import type { Context } from '../../access/context.ts';
import type { CommitWithRepository, PullRequestWithRepository } from '../../codehost/delivery/client.ts';
import type { Commit, PullRequest } from '../../metrics/kernel/delivery-facts.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import type { Metric } from '../../metrics/kernel/metric.ts';
import type { Window } from '../../metrics/kernel/window.ts';
import type { Subject } from '../../metrics/people/people.ts';
import {
  personAfterHours,
  personAvgHoursToMerge,
  personMedianHoursToMerge,
  personMergeRate,
} from '../../metrics/people/person.ts';
import {
  findFirstReview,
  personAvgPrSize,
  personPrsMerged,
  personPrsOpened,
  personReviewsGiven,
  personReviewTurnaround,
} from '../../metrics/people/person-work.ts';
import { findHalf } from '../../metrics/people/profile.ts';
import { getSize, hoursToMerge } from '../../metrics/pull-requests/pull-requests.ts';
import { type Explanation, explainMetric, pullRequestItem } from '../kernel/evidence.ts';
import { type PersonFacts, personFacts } from './facts.ts';

/** The headline numbers of one person, over 90 days or one half of them. */
export const personExplanations: readonly Explanation[] = [
  explainPullRequests('person_prs_merged', personPrsMerged),
  explainPullRequests('person_prs_opened', personPrsOpened, { happened: createdAt }),
  explainPullRequests('person_avg_pr_size', personAvgPrSize, { measured: getSize, happened: createdAt }),
  explainPullRequests('person_reviews_given', personReviewsGiven, { happened: reviewedAt }),
  explainPullRequests('person_avg_review_turnaround_hours', personReviewTurnaround, {
    measured: byItself,
    happened: reviewedAt,
  }),
  explainPullRequests('person_avg_hours_to_merge', personAvgHoursToMerge, { measured: hoursToMerge }),
  explainPullRequests('person_median_hours_to_merge', personMedianHoursToMerge, { measured: hoursToMerge }),
  explainPullRequests('pr_merge_rate', personMergeRate),
  explainPerson('after_hours_pct', (facts, { services, isDemo }) => {
    const site = isDemo ? null : services.env.CODEHOST_WEB_URL;
    const metric = personAfterHours(facts.window, facts.workday);
    // The hours of a machine are not shown.
    return explainMetric(metric, facts.account.isBot ? [] : (facts.commits ?? []), {
      ...getContext(facts),
      item: (commit) => commitItem(commit, facts, site),
    });
  }),
];

interface OfItems {
  /** What an item adds; without it they are only counted. */
  measured?(pullRequest: PullRequest, alone: Metric<PullRequest>): number | null;
  /** When it came to count, where that is not its end. */
  happened?(pullRequest: PullRequest, facts: PersonFacts): Instant | null;
}

function explainPullRequests(
  key: string,
  declare: (window: Window, subject: Subject) => Metric<PullRequest>,
  { measured, happened }: OfItems = {},
): Explanation {
  return explainPerson(key, (facts) => {
    const metric = declare(facts.window, facts.subject);
    const toItem = pullRequestItem((one) => measured?.(one, metric) ?? null);
    return explainMetric(metric, facts.pullRequests, {
      ...getContext(facts),
      item: (pullRequest) => {
        const { owner, repo } = (pullRequest as PullRequestWithRepository).repository;
        const item = toItem(pullRequest);
        const at = happened?.(pullRequest, facts) ?? item.at;
        return { ...item, at, label: `${owner}/${repo}${item.label}` };
      },
    });
  });
}

function createdAt(pullRequest: PullRequest): Instant {
  return pullRequest.createdAt;
}

function reviewedAt(pullRequest: PullRequest, { window, subject }: PersonFacts): Instant | null {
  return findFirstReview(pullRequest, window, subject)?.submittedAt ?? null;
}

/** The number as it would be of this one alone. */
function byItself(pullRequest: PullRequest, metric: Metric<PullRequest>): number | null {
  return metric([pullRequest]).value;
}

function explainPerson(
  key: string,
  explain: (facts: PersonFacts, context: Context) => ReturnType<typeof explainMetric>,
): Explanation {
  return {
    key,
    feature: 'contributorProfile',
    needs: ['owner', 'login'],
    explain: async ({ owner = '', login = '', half }, context, reply) => {
      const facts = await personFacts({ owner, login }, context, reply);
      return explain(half ? { ...facts, window: findHalf(half, facts.now) } : facts, context);
    },
  };
}

const getContext = ({ window, coverage, asOf }: PersonFacts) => ({
  window,
  asOf,
  partial: !coverage.complete,
  source: 'live' as const,
});

/** By its hour in the team's zone; messages of commits are not read. */
function commitItem(commit: Commit, { workday: { calendar } }: PersonFacts, site: string | null) {
  const { owner, repo } = (commit as CommitWithRepository).repository;
  const hour = String(calendar.getHour(commit.authoredAt)).padStart(2, '0');
  return {
    label: `${owner}/${repo}@${commit.sha.slice(0, 7)}`,
    url: site && `${site}/${owner}/${repo}/commit/${commit.sha}`,
    at: commit.authoredAt,
    value: null,
    note: `written between ${hour}:00 and ${hour}:59, ${calendar.timezone}`,
  };
}
