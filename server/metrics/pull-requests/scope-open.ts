import type { OpenPullRequest } from '../kernel/delivery-facts.ts';
import type { Instant } from '../kernel/facts.ts';
import { countMetric, type Metric } from '../kernel/metric.ts';
import { type Bots, byBot, isAmong } from './bots.ts';
import { getOpenState, type WaitingOn } from './open.ts';
import type { Scope } from './pull-requests.ts';
import { cutReviews, unreadClock, unreadReviews } from './reviews.ts';

export interface OpenScope extends Pick<Scope, 'people'> {
  bots?: Bots | undefined;
  now: Instant;
}

/** Pull requests that are open in all repositories of a scope, drafts and, unless they are out, those of bots included. */
export function scopeOpen(scope: OpenScope): Metric<OpenPullRequest> {
  return countMetric({
    key: 'scope_open_prs',
    label: 'Open pull requests',
    source: 'open pull requests',
    definition: `Pull requests that were open in the repositories of the scope when they were last read, including drafts and ${scope.bots === 'out' ? 'excluding' : 'including'} those of bots.`,
    counts: (pullRequest) => isAmong(pullRequest, scope) || byBot,
  });
}

/** Those of people that wait for a reviewer. */
export function scopeAwaitingReview({ people, now }: OpenScope): Metric<OpenPullRequest> {
  return countMetric({
    key: 'scope_awaiting_review',
    label: 'Awaiting review',
    source: 'open pull requests of people',
    better: 'lower',
    definition:
      'Open pull requests of people without a review since they became ready, since the last push or since a review was requested. Drafts are excluded.',
    counts: (pullRequest) => {
      if (people.isBot(pullRequest.author)) return byBot;
      const { waitingOn } = getOpenState(pullRequest, now, people);
      if (waitingOn === null) return whyUnknown(pullRequest);
      return waitingOn === 'reviewer' || others[waitingOn];
    },
  });
}

function whyUnknown({ reviews, reviewsTruncated }: OpenPullRequest) {
  if (reviews === null) return unreadReviews;
  return reviewsTruncated ? cutReviews : unreadClock;
}

const others: Record<Exclude<WaitingOn, 'reviewer'>, string> = {
  author: 'changes requested',
  merge: 'ready to merge',
  nobody: 'draft',
};

/** The one that has been awaiting a review for longest; null where none has, or it is not known since when. */
export function findLongestWait(
  pullRequests: readonly OpenPullRequest[],
  scope: OpenScope,
): { pullRequest: OpenPullRequest; since: Instant } | null {
  const { counted } = scopeAwaitingReview(scope).evidence(pullRequests);
  const waits = counted.flatMap((pullRequest) => {
    const since = getOpenState(pullRequest, scope.now, scope.people).waitingSince;
    return since === null ? [] : [{ pullRequest, since }];
  });
  return waits.sort((a, b) => a.since - b.since)[0] ?? null;
}
