import type { PullRequest } from '../kernel/delivery-facts.ts';
import type { Instant } from '../kernel/facts.ts';
import { isWithin, type Window } from '../kernel/window.ts';
import type { Subject } from '../people/people.ts';
import { getTurnaround, humanReviews } from './reviews.ts';

export interface GivenReview {
  pullRequest: PullRequest;
  state: 'approved' | 'changes_requested' | 'commented';
  submittedAt: Instant;
  /** Of the person's first review of the pull request; null for later ones. */
  turnaroundMs: number | null;
}

/** Human reviews of the person in pull requests of others, submitted in the window, newest first. */
export function reviewsGivenBy(
  pullRequests: readonly PullRequest[],
  window: Window,
  { person, people }: Subject,
): GivenReview[] {
  return pullRequests
    .flatMap((pullRequest) => {
      const reviews = humanReviews(pullRequest, people) ?? [];
      const own = reviews.filter(({ reviewer }) => people.isSame(reviewer, person));
      return own.flatMap((review, index) => {
        const { state, submittedAt } = review;
        if (state === 'dismissed' || !isWithin(submittedAt, window)) return [];
        const turnaroundMs = index === 0 ? getTurnaround(pullRequest, review, people) : null;
        return [{ pullRequest, state, submittedAt, turnaroundMs }];
      });
    })
    .sort((a, b) => b.submittedAt - a.submittedAt || b.pullRequest.number - a.pullRequest.number);
}
