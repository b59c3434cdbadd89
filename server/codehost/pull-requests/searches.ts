import { z } from 'zod';
import type { PullRequest } from '../../metrics/kernel/delivery-facts.ts';
import type { Instant, RepositoryName } from '../../metrics/kernel/facts.ts';
import type { Listing } from '../client/client.ts';
import { asListing } from '../client/graphql-pages.ts';
import { accountParams, nameKey, organizationParams, repositoryParams } from '../client/names.ts';
import { type Sliced, searchQuestion, searchWindow } from '../client/searches.ts';
import type { DeliveryReads, PullRequestWithRepository } from '../delivery/client.ts';
import { type DeliveryContext, minuteMs, toStartOfDay, withRenameRetry } from '../delivery/context.ts';
import { partsLackedBy, pullRequestFields, pullRequestReader } from './wire.ts';

type Searches = Pick<DeliveryReads['pullRequests'], 'merged' | 'closed' | 'authoredBy' | 'reviewedBy'>;

/** Reads of pull requests by search: in a repository by when they ended, in an owner's repositories by person. */
export function createPullRequestSearches(context: DeliveryContext): Searches {
  const ended = endedSearch(context);
  const involving = personSearch(context);
  return {
    async merged(name, since, until) {
      const found = await ended('merged', name, since, until);
      const items = found.items.filter(
        ({ mergedAt, createdAt }) => within(mergedAt, since, until) && createdAt <= (mergedAt ?? 0),
      );
      return truncate(
        found,
        newestFirst(items, ({ mergedAt }) => mergedAt),
      );
    },
    async closed(name, since) {
      const found = await ended('closed', name, since, null);
      const items = found.items.filter(
        ({ closedAt, createdAt }) => within(closedAt, since, null) && createdAt <= (closedAt ?? 0),
      );
      return truncate(
        found,
        newestFirst(items, ({ closedAt }) => closedAt),
      );
    },
    async authoredBy(owner, login, since) {
      const found = await involving('authored', owner, login, since);
      const items = found.items.filter(
        (one) => one.state === 'open' || Math.max(one.createdAt, one.closedAt ?? 0) >= since,
      );
      return truncate(
        found,
        newestFirst(items, ({ createdAt }) => createdAt),
      );
    },
    async reviewedBy(owner, login, since) {
      const found = await involving('reviewed', owner, login, since);
      const items = found.items.filter(({ updatedAt }) => updatedAt >= since);
      return truncate(
        found,
        newestFirst(items, ({ updatedAt }) => updatedAt),
      );
    },
  };
}

const endedSearch =
  (context: DeliveryContext) =>
  async (kind: 'merged' | 'closed', requested: RepositoryName, since: Instant, until: Instant | null) => {
    repositoryParams(requested);
    const now = context.clock.now();
    // A window that ends about now is requested up to now, so that rolling windows share a copy.
    const end = until === null || until >= now - 15 * minuteMs ? null : until;
    const from = toStartOfDay(since);
    const read = await context.reader.remember(
      {
        key: `${kind} ${nameKey(requested)} ${from} ${end ?? 'now'}`,
        freshMs: ({ unanswered }) => (unanswered ? 1 : kind === 'merged' ? 15 : 5) * minuteMs,
      },
      () =>
        withRenameRetry(context, requested, (name) =>
          searchWindow<PullRequest>(context, {
            from,
            to: end ?? now,
            identity: ({ number }) => number,
            at: ({ mergedAt, closedAt }) => (kind === 'merged' ? mergedAt : closedAt) ?? 0,
            question: (range) =>
              searchQuestion(context, {
                operation: `${kind} pull requests`,
                terms: `repo:${name.owner}/${name.repo} is:pr is:${kind} ${kind}:${range} sort:created-desc`,
                name,
                fragment: pullRequestFields,
                fields: '...PullRequestFields',
                item: pullRequestReader(context.toActor),
                lacks: partsLackedBy,
              }),
          }),
        ),
    );
    return asListing(read);
  };

const personSearch =
  (context: DeliveryContext) => async (kind: 'authored' | 'reviewed', owner: string, login: string, since: Instant) => {
    organizationParams(owner);
    const person = searchedLogin(accountParams(login).login);
    const who = kind === 'authored' ? `author:${person}` : `reviewed-by:${person} -author:${person}`;
    const from = toStartOfDay(since);
    const item = pullRequestReader(context.toActor)
      .and(z.object({ repository: z.object({ name: z.string(), owner: z.object({ login: z.string() }) }) }))
      .transform(
        ({ repository, ...fact }): PullRequestWithRepository => ({
          ...fact,
          repository: { owner: repository.owner.login, repo: repository.name },
        }),
      );
    const read = await context.reader.remember(
      { key: `${kind} ${owner} ${login} ${from}`.toLowerCase(), freshMs: () => 15 * minuteMs },
      () =>
        searchWindow<PullRequestWithRepository>(context, {
          from,
          to: context.clock.now(),
          identity: ({ repository, number }) => `${nameKey(repository)} ${number}`,
          at: ({ updatedAt }) => updatedAt,
          question: (range) =>
            searchQuestion(context, {
              operation: `${kind} pull requests`,
              terms: `user:${owner} is:pr ${who} updated:${range} sort:created-desc`,
              name: null,
              fragment: pullRequestFields,
              fields: '...PullRequestFields ... on PullRequest { repository { name owner { login } } }',
              item,
              lacks: partsLackedBy,
            }),
        }),
    );
    return asListing(read);
  };

/** The search knows a bot as an app. */
const searchedLogin = (login: string) => login.replace(/^(.*)\[bot\]$/i, 'app/$1');

const within = (at: Instant | null, from: Instant, to: Instant | null) =>
  at !== null && at >= from && (to === null || at <= to);

const newestFirst = <T>(items: T[], at: (item: T) => Instant | null) =>
  items.sort((one, other) => (at(other) ?? 0) - (at(one) ?? 0));

/** The list without what the widened question added; its count is exact when everything was read. */
const truncate = <T>({ unanswered: _, ...found }: Sliced<T> & Pick<Listing<T>, 'stale' | 'asOf'>, items: T[]) => ({
  ...found,
  items,
  totalCount: found.partial ? found.totalCount : items.length,
});
