import { computePercent, percent, quantile } from '../metrics/kernel/statistics.ts';
import { dayMs, hourMs, inUnit, isWithin } from '../metrics/kernel/window.ts';
import { firstReviewWait, toPullRequestAt } from '../metrics/pull-requests/as-of.ts';
import { abandonRate, isMergedByHumanAuthor } from '../metrics/pull-requests/pull-requests.ts';
import { humanReviews } from '../metrics/pull-requests/reviews.ts';
import { alertMetric, getWindow, unknown } from './metric.ts';
import { endedGap, openGap, type PullRequestSource, readPullRequests } from './pull-request-facts.ts';

const ofPullRequests = { group: 'people', dataSource: 'pull-requests' } as const;

/** How many percent fewer were merged in the window than in one as long before it; 0 where not fewer. */
export const throughputDrop = alertMetric({
  ...ofPullRequests,
  key: 'pr_throughput_drop',
  definition:
    'By how many percent fewer pull requests were merged in the window than in one as long before it; 0 where not fewer. Those of bots are excluded. The window is at least 7 days.',
  label: 'Drop in merged pull requests',
  unit: 'percent',
  minSample: 4,
  // A day-long window would fire every Saturday.
  shortestHours: 168,
  load: (range, source: PullRequestSource) => readPullRequests(range, 2, source),
  measure(facts, at) {
    const window = getWindow(at);
    const before = getWindow({ ...at, now: window.from });
    const gap = endedGap(facts, before.from, at.now);
    if (gap) return gap;
    const mergedIn = (within: typeof window) =>
      facts.pullRequests.filter(
        (each) => isMergedByHumanAuthor(each, { window: within, people: facts.people }) === true,
      ).length;
    const [prior, merged] = [mergedIn(before), mergedIn(window)];
    const drop = percent(prior - merged, prior);
    const value = drop === null ? null : Math.max(0, drop);
    return { value, sample: prior, details: { merged_before: prior, merged_now: merged } };
  },
});

/**
 * 90th percentile, in hours, of becoming ready for review to the first review by a person, over people's pull requests
 * that became ready in the window. One that still waits counts with its wait so far. Where some waits could not be read it
 * is at least so much: these count as none, or with what is certain of them.
 */
export const slowReview = alertMetric({
  ...ofPullRequests,
  key: 'review_response_p90',
  definition:
    '90th percentile of the time from ready for review to the first review by a person, over pull requests that became ready in the window. Those still waiting count with their wait so far; those of bots are excluded.',
  label: 'Time to first review, p90',
  unit: 'hours',
  minSample: 3,
  load: (range, source: PullRequestSource) => readPullRequests(range, 1, source),
  measure(facts, at) {
    const { pullRequests, people } = facts;
    const window = getWindow(at);
    const gap = endedGap(facts, window.from, at.now) ?? openGap(facts, at.now);
    if (gap) return gap;
    const waits = pullRequests
      .filter(({ author }) => !people.isBot(author))
      .flatMap((each) => {
        const wait = firstReviewWait(each, at.now, people);
        if (wait === null || wait.readyAt < window.from || each.createdAt > window.to) return [];
        if (wait.isKnown)
          return isWithin(wait.readyAt, window) ? { ...wait, number: each.number, isCertain: true } : [];
        const isCertain = wait.ms > 0 && each.createdAt >= window.from;
        return { ...wait, ms: isCertain ? wait.ms : 0, number: each.number, isCertain };
      })
      .sort((a, b) => b.ms - a.ms || a.number - b.number);
    const value = quantile(
      waits.map(({ ms }) => ms),
      0.9,
    );
    const certain = waits.filter(({ isCertain }) => isCertain);
    if (value === null) return { value, sample: 0 };
    if (!certain[0]) return unknown(unreadWaits);
    return {
      value: inUnit(value, hourMs),
      sample: certain.length,
      details: { pull_request: certain[0].number },
      ...(waits.some(({ isKnown }) => !isKnown) && { incomplete: unreadWaits }),
    };
  },
});

const unreadWaits = 'Of some pull requests it could not be read since when they wait, or who reviewed them.';

/** Closed without a merge, of people's pull requests that were closed or merged in the window. */
export const abandonedShare = alertMetric({
  ...ofPullRequests,
  key: 'pr_abandon_rate',
  definition:
    'Share of pull requests closed without merging, of those merged or closed in the window. Those of bots are excluded.',
  label: 'Pull requests closed without merging',
  unit: 'percent',
  minSample: 3,
  load: (range, source: PullRequestSource) => readPullRequests(range, 1, source),
  measure(facts, at) {
    const window = getWindow(at);
    const gap = endedGap(facts, window.from, at.now);
    if (gap) return gap;
    const { counted } = abandonRate({ window, people: facts.people }).evidence(facts.pullRequests);
    return { value: computePercent(counted, ({ mergedAt }) => mergedAt === null), sample: counted.length };
  },
});

/**
 * Days since the longest waiting of people's open pull requests became ready for review, of those without a review by
 * a person. 0 when it is known that none waits; at least so many where another may wait longer.
 */
export const oldestUnreviewed = alertMetric({
  ...ofPullRequests,
  key: 'unreviewed_pr_age',
  definition:
    'Time since the longest-waiting open pull request became ready for review, among those that no person has reviewed. Drafts and pull requests of bots are excluded. 0 where none waits.',
  label: 'Oldest unreviewed pull request',
  unit: 'days',
  minSample: 1,
  isPointInTime: true,
  load: (range, source: PullRequestSource) => readPullRequests({ ...range, windowHours: 0 }, 1, source),
  measure(facts, { now }) {
    const { pullRequests, people } = facts;
    const gap = endedGap(facts, now, now) ?? openGap(facts, now);
    if (gap) return gap;
    const waiting = pullRequests
      .flatMap((each) => toPullRequestAt(each, now) ?? [])
      .filter((each) => each.state === 'open' && !each.isDraft && !people.isBot(each.author))
      .filter((each) => (humanReviews(each, people) ?? []).length === 0)
      .flatMap((each) => {
        const wait = firstReviewWait(each, now, people);
        return wait ? { ...wait, number: each.number, createdAt: each.createdAt } : [];
      })
      .sort((a, b) => a.readyAt - b.readyAt || a.number - b.number);
    if (waiting.length === 0) return { value: 0, sample: 0, isNone: true };
    const certain = waiting.filter(({ isKnown, ms }) => isKnown || ms > 0);
    const [oldest] = certain;
    if (!oldest) return unknown(unreadWaits);
    const mayBeLonger = waiting.some(({ isKnown, createdAt }) => !isKnown && createdAt < oldest.readyAt);
    return {
      value: inUnit(oldest.ms, dayMs),
      sample: certain.length,
      details: { pull_request: oldest.number },
      ...(mayBeLonger && { incomplete: unreadWaits }),
    };
  },
});
