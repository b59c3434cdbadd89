import type { Instant } from '../../server/metrics/kernel/facts.ts';
import type { DoublePullRequest } from './delivery.ts';
import { aCommit, anActor } from './delivery-builders.ts';
import { commit } from './graphql-commits.ts';
import { connection, type Paging } from './graphql-connection.ts';
import { person, personOrNull, team, type View } from './graphql-view.ts';
import { moment } from './wire.ts';
import type { DoubleRepository } from './world.ts';

interface TimelineArgs extends Paging {
  itemTypes?: string[] | null;
  since?: string | null;
}

/** What happened to a pull request, oldest first; without `itemTypes`, everything the double knows. */
export function timeline(view: View, one: DoubleRepository, given: DoublePullRequest, args: TimelineArgs) {
  const unserved = args.itemTypes?.find((type) => !(type in typeNames));
  if (unserved) throw new Error(`The double does not serve timeline items of type ${unserved}`);
  const since = args.since ? Date.parse(args.since) : -Infinity;
  const shown = itemsOf(view, one, given)
    .filter(({ type }) => !args.itemTypes || args.itemTypes.includes(type))
    .filter(({ at }) => at >= since)
    .sort((a, b) => a.at - b.at);
  const page = connection(shown, args, ({ type, at, ...rest }) => ({
    __typename: typeNames[type],
    id: `EV_${given.number}_${type}_${at}`,
    createdAt: moment(at),
    ...rest,
  }));
  return { ...page, filteredCount: shown.length, pageCount: page.nodes.length, updatedAt: moment(given.updatedAt) };
}

const typeNames = {
  ADDED_TO_MERGE_QUEUE_EVENT: 'AddedToMergeQueueEvent',
  CLOSED_EVENT: 'ClosedEvent',
  CONVERT_TO_DRAFT_EVENT: 'ConvertToDraftEvent',
  HEAD_REF_FORCE_PUSHED_EVENT: 'HeadRefForcePushedEvent',
  MERGED_EVENT: 'MergedEvent',
  PULL_REQUEST_COMMIT: 'PullRequestCommit',
  READY_FOR_REVIEW_EVENT: 'ReadyForReviewEvent',
  REMOVED_FROM_MERGE_QUEUE_EVENT: 'RemovedFromMergeQueueEvent',
  REVIEW_REQUESTED_EVENT: 'ReviewRequestedEvent',
} as const;

type ItemType = keyof typeof typeNames;

const clockTypes = {
  ready_for_review: 'READY_FOR_REVIEW_EVENT',
  converted_to_draft: 'CONVERT_TO_DRAFT_EVENT',
  review_requested: 'REVIEW_REQUESTED_EVENT',
  pushed: 'HEAD_REF_FORCE_PUSHED_EVENT',
} as const;

interface Item {
  type: ItemType;
  at: Instant;
  [field: string]: unknown;
}

function itemsOf(view: View, one: DoubleRepository, given: DoublePullRequest): Item[] {
  const actor = personOrNull(given.author);
  const head = given.commits.at(-1);
  const clock = given.clock.map(({ kind, at, login }): Item => {
    if (kind === 'earlier_unread') throw new Error('The platform has all events.');
    return {
      type: clockTypes[kind],
      at,
      actor,
      ...(kind === 'review_requested'
        ? { requestedReviewer: login === null ? team('reviewers') : person(anActor(login)) }
        : {}),
      ...(kind === 'pushed' ? { beforeCommit: null, afterCommit: () => (head ? commit(view, one, head) : null) } : {}),
    };
  });
  const commits = given.commits.map(
    (each): Item => ({
      type: 'PULL_REQUEST_COMMIT',
      at: each.committedAt,
      commit: () => commit(view, one, each),
    }),
  );
  const queue = given.queueEvents.map(
    ({ kind, at, isByBot, reason, headSha }): Item => ({
      type: kind === 'added' ? 'ADDED_TO_MERGE_QUEUE_EVENT' : 'REMOVED_FROM_MERGE_QUEUE_EVENT',
      at,
      actor: isByBot ? person(anActor('queue-robot[bot]')) : actor,
      ...(kind === 'removed'
        ? { reason, beforeCommit: () => (headSha === null ? null : queueCommit(view, one, given, headSha)) }
        : {}),
    }),
  );
  const mergedBy = personOrNull(given.mergedBy);
  const merged: Item[] = given.mergedAt === null ? [] : [{ type: 'MERGED_EVENT', at: given.mergedAt, actor: mergedBy }];
  const closed: Item[] =
    given.closedAt === null
      ? []
      : [{ type: 'CLOSED_EVENT', at: given.closedAt, actor: given.mergedAt === null ? actor : mergedBy }];
  return [...clock, ...commits, ...queue, ...merged, ...closed];
}

function queueCommit(view: View, one: DoubleRepository, given: DoublePullRequest, sha: string) {
  const known = given.commits.find((each) => each.sha === sha);
  return commit(view, one, known ?? aCommit(given.createdAt, given.author, given.title, { sha }));
}
