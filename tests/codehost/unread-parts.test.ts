import { describe, expect, it } from 'vitest';
import type { Listing } from '../../server/codehost/client/client.ts';
import { counted } from '../../server/domain/quantity.ts';
import type { PullRequest } from '../../server/metrics/kernel/delivery-facts.ts';
import { userId } from '../codehost-double/graphql-view.ts';
import { namedNow } from '../codehost-double/named-world.ts';
import { withDouble } from './double.ts';
import { errorOf } from './platform.ts';

const platform = withDouble();
const web = { owner: 'octo', repo: 'web' };
const day = 86_400_000;
const since = namedNow - 90 * day;

type Reads = ReturnType<typeof platform.as>['codehost'];

/** Every list of things that somebody made, the field that reports who, and what it is called in the reason. */
const lists: [operation: string, field: string, name: string, read: (codehost: Reads) => Promise<object>][] = [
  ['open issues', 'Issue.author', 'author', ({ issues }) => issues.open(web)],
  ['closed issues', 'Issue.author', 'author', ({ issues }) => issues.closed(web, since)],
  ['open pull requests', 'PullRequest.author', 'author', ({ pullRequests }) => pullRequests.open(web)],
  ['closed pull requests', 'PullRequest.author', 'author', ({ pullRequests }) => pullRequests.closed(web, since)],
  ['closed pull requests', 'PullRequest.author', 'author', ({ pullRequests }) => pullRequests.lastClosed(web, 10)],
  ['merged pull requests', 'PullRequest.mergedBy', 'mergedBy', (codehost) => merged(codehost)],
  ['merged pull requests', 'PullRequestReview.author', 'reviews.author', (codehost) => merged(codehost)],
  ['pull requests of a window', 'PullRequest.author', 'author', ({ pullRequests }) => pullRequests.window(web, since)],
  ['commits', 'GitActor.user', 'author.user', ({ commits }) => commits.history(web, since, 100)],
  ['commits', 'GitActor.user', 'author.user', ({ commits }) => commits.directories(web, since, 100)],
  [
    'commits of an author',
    'GitActor.user',
    'author.user',
    ({ commits }) => commits.historiesBy([web], userId('ana'), since),
  ],
];
const merged = ({ pullRequests }: Reads) => pullRequests.merged(web, since, namedNow);

const failing = (field: string, type = 'FORBIDDEN') =>
  platform.double.fault({ path: '/graphql', times: 100 }, { kind: 'failing_field', field, type });

describe('the review clock', () => {
  it.each([
    ['PullRequestTimelineItemsConnection.nodes', 'timelineItems, queueItems'],
    ['ReviewRequestedEvent.createdAt', 'timelineItems.createdAt'],
  ])('of which %s could not be read is unknown, and the list partial', async (field, name) => {
    const readReviews = async ({ pullRequests }: Reads) => {
      const { items, ...about } = await pullRequests.open(web);
      return { ...about, asked: items.filter(({ requestedReviewers }) => requestedReviewers.length > 0) };
    };
    const entire = await readReviews(platform.as().codehost);
    expect(entire.asked.length).toBeGreaterThan(0);
    expect(entire.asked.flatMap(({ clock }) => clock).length).toBeGreaterThan(0);
    failing(field);
    const read = await readReviews(platform.as().codehost);
    expect(read).toMatchObject({
      partial: true,
      partialReason: expect.stringContaining(`${name} of `),
    });
    expect(read.asked.map(({ clock, lastPushAt }) => [clock, lastPushAt])).toEqual(
      entire.asked.map(() => [null, null]),
    );
  });
});

describe('a part that is null without an error', () => {
  const readings: [operation: string, read: (codehost: Reads) => Promise<object>][] = [
    ['open pull requests', ({ pullRequests }) => pullRequests.open(web)],
    ['closed pull requests', ({ pullRequests }) => pullRequests.closed(web, since)],
    ['closed pull requests', ({ pullRequests }) => pullRequests.lastClosed(web, 10)],
    ['merged pull requests', (codehost) => merged(codehost)],
    ['authored pull requests', ({ pullRequests }) => pullRequests.authoredBy('octo', 'ana', since)],
    ['reviewed pull requests', ({ pullRequests }) => pullRequests.reviewedBy('octo', 'bob', since)],
  ];

  it.each(readings.flatMap((one) => [[...one, 'timelineItems'] as const, [...one, 'reviews'] as const]))(
    '%s: makes the list partial, and the reason names it',
    async (operation, read, field) => {
      platform.double.fault({ path: '/graphql', times: 100 }, { kind: 'nested_graphql', field, type: null });
      const { items, partial, partialReason } = (await read(platform.as().codehost)) as Listing<object>;
      expect(items.length).toBeGreaterThan(0);
      expect([partial, partialReason]).toEqual([
        true,
        `${field} of ${counted(items.length, operation)} could not be read`,
      ]);
    },
  );

  it('is named once where an error reported it, and ends a reading page by page', async () => {
    const { pullRequests } = platform.as().codehost;
    const fault = (type: string | null) =>
      platform.double.fault({ path: '/graphql' }, { kind: 'nested_graphql', field: 'timelineItems', type });
    fault('FORBIDDEN');
    expect((await pullRequests.open(web)).partialReason).toBe(
      'timelineItems of 3 open pull requests could not be read',
    );
    fault(null);
    expect((await errorOf(pullRequests.endedPages(web)(null))).code).toBe('upstream_unavailable');
  });
});

describe('reviews', () => {
  it.each([
    ['author', 'reviews.author'],
    ['comments', 'reviews.comments'],
    ['state', 'reviews.state'],
    ['submittedAt', 'reviews.submittedAt'],
  ])('of which one has an unread %s are unknown, and the list partial', async (field, name) => {
    const readReviewed = async () => {
      const { items, ...about } = (await merged(platform.as().codehost)) as Listing<PullRequest>;
      return { ...about, reviews: items.map(({ reviews }) => reviews).filter((reviews) => reviews?.length !== 0) };
    };
    const entire = await readReviewed();
    expect(entire.reviews.length).toBeGreaterThan(0);
    failing(`PullRequestReview.${field}`);
    const read = await readReviewed();
    expect(read.reviews).toEqual(entire.reviews.map(() => null));
    expect([read.partial, read.partialReason]).toEqual([true, expect.stringContaining(`${name} of `)]);
  });

  it('of which one was begun and not sent are known without it', async () => {
    const { items } = await platform.as('token-bo').codehost.pullRequests.open(web);
    expect(items.map(({ reviews }) => reviews)).not.toContain(null);
  });
});

describe('who made it', () => {
  it.each(lists)(
    '%s: %s that could not be read is distinguished from a deleted account',
    async (operation, field, name, read) => {
      expect(await read(platform.as().codehost)).toMatchObject({ partialReason: undefined });
      failing(field);
      const { partial, partialReason } = (await read(platform.as().codehost)) as Record<string, unknown>;
      expect(partial).toBe(true);
      expect(partialReason).toMatch(
        new RegExp(`^${name.replace('.', '\\.')} of [1-9]\\d* ${operation.replaceAll('s', 's?')} could not be read$`),
      );
    },
  );

  it('deleted accounts leave a list complete', async () => {
    platform.double.addRepository({ name: 'octo/left', facts: { id: 88_003 } });
    platform.double.putIssue('octo/left', { number: 1, author: null });
    platform.double.putPullRequest('octo/left', { number: 2, author: null });
    const { issues, pullRequests } = platform.as().codehost;
    const left = { owner: 'octo', repo: 'left' };
    const complete = { items: [{ author: null }], partial: false, partialReason: undefined };
    expect(await issues.open(left)).toMatchObject(complete);
    const read = await pullRequests.open(left);
    expect(read).toMatchObject(complete);
    expect(read.items[0]?.isAuthorUnread).toBeUndefined();
  });

  it.each(['PullRequest.author', 'User.login'])(
    'pull requests tell that their authors were not read: %s',
    async (field) => {
      failing(field);
      const { pullRequests } = platform.as().codehost;
      for (const { items } of [await pullRequests.open(web), await pullRequests.closed(web, since)]) {
        const unread = items.filter(({ isAuthorUnread }) => isAuthorUnread);
        expect(unread.length).toBeGreaterThan(0);
        expect(unread.filter(({ author }) => author !== null)).toEqual([]);
      }
    },
  );

  it.each(['FORBIDDEN', 'INTERNAL'])('is never kept as nobody where %s hid it', async (type) => {
    const { items } = await merged(platform.as().codehost);
    const numbers = items.slice(0, 2).map(({ number }) => number);
    failing('GitActor.user', type);
    const { pullRequests } = platform.as().codehost;
    expect((await errorOf(pullRequests.readCommits(web, numbers))).code).toBe('upstream_unavailable');
    expect(numbers).toHaveLength(2);
  });
});
