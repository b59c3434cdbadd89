import { anActor } from './delivery-builders.ts';
import { connection, type Paging } from './graphql-connection.ts';
import { pullRequest } from './graphql-pull-requests.ts';
import { person, type View } from './graphql-view.ts';
import { moment, webAddress } from './wire.ts';
import type { DoubleRepository } from './world.ts';

/** The queue of a branch: the open pull requests whose last event is that they entered it. */
export function mergeQueue(view: View, one: DoubleRepository, branch: string) {
  if (!one.queueBranches?.includes(branch)) return null;
  const entries = one.pullRequests
    .filter(({ state, baseBranch }) => state === 'open' && baseBranch === branch)
    .flatMap((each) => {
      const last = each.queueEvents.toSorted((a, b) => a.at - b.at).at(-1);
      return last?.kind === 'added' ? [{ each, enteredAt: last.at }] : [];
    })
    .sort((a, b) => a.enteredAt - b.enteredAt);
  return {
    __typename: 'MergeQueue',
    id: `MQ_${one.facts.id}_${branch}`,
    url: `${webAddress(one.facts)}/queue/${branch}`,
    nextEntryEstimatedTimeToMerge: 900,
    configuration: {
      checkResponseTimeout: one.queueTimeout ?? 60,
      maximumEntriesToBuild: 5,
      maximumEntriesToMerge: 5,
      minimumEntriesToMerge: 1,
      minimumEntriesToMergeWaitTime: 5,
      mergeMethod: 'SQUASH',
      mergingStrategy: 'ALLGREEN',
    },
    entries: (args: Paging) =>
      connection(entries, args, ({ each, enteredAt }) => ({
        __typename: 'MergeQueueEntry',
        id: `MQE_${each.number}`,
        position: entries.findIndex((entry) => entry.each === each) + 1,
        state: 'AWAITING_CHECKS',
        enqueuedAt: moment(enteredAt),
        enqueuer: person(anActor('ann')),
        estimatedTimeToMerge: 600,
        jump: false,
        solo: false,
        pullRequest: () => pullRequest(view, one, each),
      })),
  };
}
