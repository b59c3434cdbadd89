import type { ReasonGroup } from '../../domain/queue-reasons.ts';
import type { MergeQueueEvent, PullRequest } from '../kernel/delivery-facts.ts';
import type { Instant } from '../kernel/facts.ts';
import { hourMs, minuteMs, secondMs } from '../kernel/window.ts';
import { findReasonGroup } from './reasons.ts';

/** What a webhook said, until the timeline of the pull request says it too. */
export interface MergeQueueNotice extends MergeQueueEvent {
  number: number;
  baseBranch: string;
  headSha: string;
}

/** What is known of a pull request that may have been in a queue. */
export type QueuedPullRequest = Pick<
  PullRequest,
  'number' | 'baseBranch' | 'state' | 'mergedAt' | 'closedAt' | 'headSha' | 'clock' | 'mergeQueue' | 'htmlUrl'
>;

/** One stay of a pull request in a merge queue. */
export interface Entry {
  number: number;
  /** Its base branch: the queue. */
  branch: string;
  htmlUrl: string | null;
  /** null where only its removal is known. */
  enteredAt: Instant | null;
  /** null while it is in the queue. */
  leftAt: Instant | null;
  outcome: 'merged' | 'removed' | 'open';
  /** In the platform's words; null in the queue, and where none was given. */
  reason: string | null;
  /** null while it is in the queue. */
  group: ReasonGroup | null;
  isByBot: boolean;
  /** Its removal was not recorded: it follows from how the pull request ended. */
  isInferred: boolean;
  source: 'timeline' | 'webhook';
  /** The head of the pull request when it was removed; null where that is not known. */
  headSha: string | null;
  /** Of a merged one, the commit by which it was merged, and the first parent of that. */
  mergeSha: string | null;
  parentSha: string | null;
}

/** A webhook and the timeline report the same event up to so far apart. */
const sameEventMs = 120 * secondMs;
/** What no timeline has by then did not happen. */
const provisionalMs = 48 * hourMs;
/** Commits that were pushed so shortly before a removal are its reason. */
const pushedMs = 120 * secondMs;

/**
 * Every stay in a queue that timelines and webhooks tell of, in the order of the pull requests. Timelines are the truth
 * of instants and reasons. The result depends on neither the order nor the number of times that anything was reported.
 */
export function findEntries(
  pullRequests: readonly QueuedPullRequest[],
  notices: readonly MergeQueueNotice[],
  now: Instant,
): Entry[] {
  const byNumber = Map.groupBy(notices, ({ number }) => number);
  const known = new Map(pullRequests.map((one) => [one.number, one]));
  const numbers = [...new Set([...known.keys(), ...byNumber.keys()])].sort((one, other) => one - other);
  return numbers.flatMap((number) => {
    const own = byNumber.get(number) ?? [];
    return entriesOf(known.get(number) ?? unread(number, own), own, now - provisionalMs);
  });
}

/** A pull request that only webhooks named. */
const unread = (number: number, notices: readonly MergeQueueNotice[]): QueuedPullRequest => ({
  number,
  baseBranch: notices.at(-1)?.baseBranch ?? '',
  state: 'open',
  mergedAt: null,
  closedAt: null,
  headSha: null,
  clock: null,
  mergeQueue: null,
  htmlUrl: '',
});

type SourcedEvent = MergeQueueEvent & { source: Entry['source'] };

function entriesOf(
  pullRequest: QueuedPullRequest,
  notices: readonly MergeQueueNotice[],
  believedFrom: Instant,
): Entry[] {
  const entries: Entry[] = [];
  let open: Entry | null = null;
  for (const event of inOrder(joined(pullRequest.mergeQueue?.events ?? [], notices, believedFrom))) {
    if (event.kind === 'added') {
      // The removal between the two was not recorded.
      if (open) entries.push(end(open, event.at, { reason: null, isInferred: true }));
      open = enter(pullRequest, event);
    } else {
      entries.push(leave(pullRequest, open ?? { ...enter(pullRequest, event), enteredAt: null }, event));
      open = null;
    }
  }
  if (open) entries.push(endWithPullRequest(pullRequest, open));
  return entries;
}

/**
 * The events of a timeline with those that webhooks alone report since an instant; of two of a kind close by, the closest
 * are the same.
 */
function joined(
  timeline: readonly MergeQueueEvent[],
  notices: readonly MergeQueueNotice[],
  believedFrom: Instant,
): SourcedEvent[] {
  const events = distinct(timeline);
  const alone = new Set(distinct(notices));
  const matched = new Map<MergeQueueEvent, MergeQueueNotice>();
  const pairs = [...alone]
    .flatMap((notice) =>
      events
        .filter(({ kind, at }) => kind === notice.kind && Math.abs(at - notice.at) <= sameEventMs)
        .map((event) => ({ notice, event, apart: Math.abs(event.at - notice.at) })),
    )
    .sort((a, b) => a.apart - b.apart || a.event.at - b.event.at || a.notice.at - b.notice.at);
  for (const { notice, event } of pairs) {
    if (!alone.has(notice) || matched.has(event)) continue;
    alone.delete(notice);
    matched.set(event, notice);
  }
  return [
    // A webhook names the head of the pull request, where the timeline may name the commit of its merge group.
    ...events.map(
      (event): SourcedEvent => ({
        ...event,
        source: 'timeline',
        headSha: matched.get(event)?.headSha ?? event.headSha,
      }),
    ),
    ...[...alone]
      .filter(({ at }) => at >= believedFrom)
      .map((notice): SourcedEvent => ({ ...notice, source: 'webhook' })),
  ];
}

const distinct = <E extends MergeQueueEvent>(events: readonly E[]): E[] => [
  ...new Map(
    events
      .toSorted((a, b) => a.at - b.at || compare(a.kind, b.kind) || compare(a.reason ?? '', b.reason ?? ''))
      .map((event) => [`${event.kind} ${event.at}`, event]),
  ).values(),
];

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other));

/** By instant; of one instant, what is possible first: only what was added can be removed. */
function inOrder(events: readonly SourcedEvent[]): SourcedEvent[] {
  let isQueued = false;
  const instants = [...Map.groupBy(events, ({ at }) => at)].sort(([one], [other]) => one - other);
  return instants.flatMap(([, own]) => {
    const first = isQueued ? 'removed' : 'added';
    const sorted = own.toSorted((a, b) => Number(b.kind === first) - Number(a.kind === first));
    isQueued = sorted.at(-1)?.kind === 'added';
    return sorted;
  });
}

const enter = ({ number, baseBranch, htmlUrl }: QueuedPullRequest, event: SourcedEvent): Entry => ({
  number,
  branch: baseBranch,
  htmlUrl: htmlUrl || null,
  enteredAt: event.at,
  leftAt: null,
  outcome: 'open',
  reason: null,
  group: null,
  isByBot: event.isByBot,
  isInferred: false,
  source: event.source,
  headSha: null,
  mergeSha: null,
  parentSha: null,
});

function end(entry: Entry, leftAt: Instant, { reason, isInferred }: Pick<Entry, 'reason' | 'isInferred'>): Entry {
  const group = findReasonGroup(reason);
  return { ...entry, leftAt, outcome: group === 'merged' ? 'merged' : 'removed', reason, group, isInferred };
}

function leave(pullRequest: QueuedPullRequest, entry: Entry, event: SourcedEvent): Entry {
  const ended = end(entry, event.at, { reason: event.reason, isInferred: false });
  const source = entry.source === 'timeline' ? event.source : entry.source;
  if (ended.outcome === 'merged') return { ...withMerge(pullRequest, ended), source, headSha: pullRequest.headSha };
  const isPushed = pullRequest.clock?.some(
    ({ kind, at }) => kind === 'pushed' && at <= event.at && at >= event.at - pushedMs,
  );
  return { ...ended, group: isPushed ? 'pushed' : ended.group, source, headSha: event.headSha };
}

/** Added, and never removed: in the queue until the pull request ended, or still. */
function endWithPullRequest(pullRequest: QueuedPullRequest, entry: Entry): Entry {
  const { state, mergedAt, closedAt, headSha } = pullRequest;
  const enteredAt = entry.enteredAt ?? 0;
  if (state === 'merged' && mergedAt !== null && mergedAt >= enteredAt)
    return { ...withMerge(pullRequest, end(entry, mergedAt, { reason: 'merged', isInferred: true })), headSha };
  if (state === 'closed' && closedAt !== null && closedAt >= enteredAt)
    return { ...end(entry, closedAt, { reason: 'manual', isInferred: true }), headSha };
  return entry;
}

const withMerge = ({ mergeQueue }: QueuedPullRequest, entry: Entry): Entry => ({
  ...entry,
  mergeSha: mergeQueue?.mergeSha ?? null,
  parentSha: mergeQueue?.parentSha ?? null,
});

/** How long a stay took; null where its begin or its end is not known. */
export const minutesInQueue = ({ enteredAt, leftAt }: Pick<Entry, 'enteredAt' | 'leftAt'>): number | null =>
  enteredAt === null || leftAt === null ? null : (leftAt - enteredAt) / minuteMs;
