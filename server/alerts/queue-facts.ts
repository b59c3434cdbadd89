import type { Instant } from '../metrics/kernel/facts.ts';
import { dayMs, hourMs, isWithin, minuteMs } from '../metrics/kernel/window.ts';
import { followArrivals, type QueueMoment, usualMs } from '../metrics/merge-queue/arrivals.ts';
import { findQueues, type QueueHistory, queueHistory } from '../metrics/merge-queue/history.ts';
import { followChecks } from '../metrics/merge-queue/slow-checks.ts';
import { createCalendar } from '../metrics/people/workday-hours.ts';
import { readSetting } from '../settings/setting.ts';
import { workday } from '../settings/workday.ts';
import type { Store } from '../store/orm.ts';
import { readPolledQueue } from '../store/polled-queues.ts';
import { type AlertFacts, type Evaluation, type Range, unknown } from './metric.ts';
import { endedGap, openGap, type PullRequestFacts, readPullRequests } from './pull-request-facts.ts';

/** What metrics of a merge queue are judged from: that of the default branch, or the busiest. */
export interface QueueAlertFacts extends AlertFacts {
  /** null where no queue was ever seen. */
  history: QueueHistory | null;
  pullRequests: PullRequestFacts;
  /** Whether webhooks tell of the queue: without them its present is not known. */
  hasNotices: boolean;
  /** When the queue was last looked at and what is stored agreed with it; null where it did not. */
  seenAt: Instant | null;
  moment(at: Instant): QueueMoment;
  /** null where too few builds of the 28 days before are known. */
  areChecksSlow(at: Instant): boolean | null;
}

/** Sums of arrivals have a past of their own. */
const runUpMs = 2 * dayMs;

export async function readQueueFacts(range: Range, store: Store): Promise<QueueAlertFacts> {
  const { repoId, from, until, defaultBranch, windowHours } = range;
  const hours = windowHours + (usualMs + runUpMs) / hourMs;
  const pullRequests = await readPullRequests({ ...range, windowHours: hours }, 1, store);
  const id = await store.repositories.findCodehostId(repoId);
  const since = from - hours * hourMs;
  const [notices, runs, day, polled] = await Promise.all([
    id === null ? [] : store.mergeQueueNotices.list(id, until - 7 * dayMs),
    id === null ? [] : store.mergeGroupRuns(id, since, null),
    readSetting(workday, store),
    readPolledQueue(store, repoId, until),
  ]);
  const facts = { pullRequests: pullRequests.pullRequests, notices, runs };
  const branches = findQueues(facts, until);
  const branch = branches.find((one) => one === defaultBranch) ?? branches[0];
  const history = branch === undefined ? null : queueHistory(facts, branch, until);
  const moment = followArrivals(
    history?.stays ?? [],
    { from: from - usualMs - runUpMs, to: until },
    createCalendar(day.value.timezone),
  );
  return {
    history,
    pullRequests,
    hasNotices: notices.length > 0,
    seenAt: polled?.agrees && polled.branch === branch ? polled.at : null,
    moment,
    areChecksSlow: followChecks(history?.builds ?? []),
    knownFrom: pullRequests.ended === null ? until : pullRequests.ended.from + windowHours * hourMs,
    endings: [],
  };
}

/** How far a reading may be behind before the present is not known without webhooks. */
const presentMs = 10 * minuteMs;

/** Why a queue cannot be judged at a moment; null where it can. */
export function queueGap(facts: QueueAlertFacts, since: Instant, now: Instant): Evaluation | null {
  const { history, pullRequests, hasNotices, seenAt } = facts;
  const gap = endedGap(pullRequests, since, now);
  if (gap) return gap;
  if (history === null) return { value: null, sample: 0, isNone: true };
  if (
    pullRequests.pullRequests.some(
      (one) => one.mergeQueue === null && isWithin(one.mergedAt ?? one.closedAt, { from: since, to: now }),
    )
  )
    return unknown('Some pull requests were read before merge queues were: the nightly job reads them again.');
  // What was ejected may be open.
  const unread = openGap(pullRequests, now);
  if (unread) return unread;
  const isSeen = isWithin(seenAt, { from: now - presentMs, to: now });
  if (!hasNotices && !isSeen && (pullRequests.ended?.through ?? 0) < now - presentMs)
    return unknown(
      'No webhook of pull requests was received for the queue in 7 days, and nobody looked at it for 10 minutes.',
    );
  return null;
}
