import type { PullRequest } from '../kernel/delivery-facts.ts';
import { type Metric, metric } from '../kernel/metric.ts';
import type { People } from '../people/people.ts';
import { isByHuman, isMergedByHumanAuthor, type Scope } from './pull-requests.ts';

/** Whether its author, under whatever login, merged it; null where either could not be read. */
export function isMergedByAuthor(pullRequest: PullRequest, people: People): boolean | null {
  const { author, isAuthorUnread, mergedBy, isMergerUnread, mergedAt } = pullRequest;
  if (mergedAt === null) return false;
  return isAuthorUnread || (author !== null && isMergerUnread) ? null : people.isSame(author, mergedBy);
}

/** Whether its author, who is known to be no bot, merged it; null where it could not be read who did. */
export function isSelfMerge(pullRequest: PullRequest, people: People): boolean | null {
  return isByHuman(pullRequest, people) === true && isMergedByAuthor(pullRequest, people);
}

/** Share of people's merged pull requests that their author merged. */
export function selfMergedShare(scope: Scope): Metric<PullRequest> {
  return metric({
    key: 'self_merged',
    label: 'Merged by the author',
    unit: 'percent',
    better: 'neither',
    source: 'merged pull requests of people',
    definition: 'Share of merged pull requests that their author merged. Those of bots are excluded.',
    counts: (pullRequest) => {
      const isMergerKnown = isSelfMerge(pullRequest, scope.people) !== null;
      const verdict = isMergedByHumanAuthor(pullRequest, scope);
      return verdict === true && !isMergerKnown ? { unknown: 'who merged it could not be read' } : verdict;
    },
    share: (each) => isSelfMerge(each, scope.people) === true,
  });
}
