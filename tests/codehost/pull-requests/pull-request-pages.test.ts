import { describe, expect, it } from 'vitest';
import { aCommit, anActor } from '../../codehost-double/delivery-builders.ts';
import { namedNow } from '../../codehost-double/named-world.ts';
import { withDouble } from '../double.ts';
import { errorOf } from '../platform.ts';

const platform = withDouble();
const web = { owner: 'octo', repo: 'web' };
const day = 86_400_000;

/** A repository of its own with merged pull requests, the newest an hour old. */
function withMerged(count: number) {
  platform.double.addRepository({ name: 'octo/many', facts: { id: 88_001 } });
  const window = { from: namedNow - 60 * day, to: namedNow - 3_600_000, first: 1 };
  platform.double.addPullRequests('octo/many', count, window);
  return { owner: 'octo', repo: 'many' };
}
const numbersOf = (page: { items: { number: number }[] } | null) => page?.items.map(({ number }) => number) ?? [];
const downFrom = (first: number, count: number) => Array.from({ length: count }, (_, index) => first - index);

describe('pages of ended pull requests', () => {
  it('tell the newest update first, 50 in a request of three points, and never from a copy', async () => {
    const many = withMerged(70);
    const ask = platform.as().codehost.pullRequests.endedPages(many);
    const [first, again] = [await ask(null), await ask(null)];
    expect(numbersOf(first)).toEqual(downFrom(70, 50));
    expect(again).toEqual(first);
    const second = await ask(first?.next ?? null);
    expect(numbersOf(second)).toEqual(downFrom(20, 20));
    expect(second).toMatchObject({ next: null, oldestUpdate: namedNow - 60 * day });
    expect(platform.double.requests.map(({ cost }) => cost)).toEqual([3, 3, 3]);
  });

  it('hold the facts that a search gives, reviews included, and leave out open and imported ones', async () => {
    platform.double.putPullRequest('octo/web', { number: 990, createdAt: namedNow, mergedAt: namedNow - 5 * day });
    const { codehost } = platform.as();
    const { items } = await codehost.pullRequests.closed(web, namedNow - 90 * day);
    const page = await codehost.pullRequests.endedPages(web)(null);
    const byNumber = (one: { number: number }, other: { number: number }) => one.number - other.number;
    const recent = page?.items.filter(({ closedAt }) => (closedAt ?? 0) >= namedNow - 90 * day);
    expect(recent?.sort(byNumber)).toEqual(items.sort(byNumber));
    expect(items.some(({ reviews }) => reviews && reviews.length > 0)).toBe(true);
  });

  it('go on behind their place when pull requests come, go and move in between', async () => {
    const many = withMerged(120);
    const ask = platform.as().codehost.pullRequests.endedPages(many);
    const first = await ask(null);
    const review = { reviewer: anActor('bo'), state: 'commented', submittedAt: namedNow } as const;
    for (const number of [71, 90, 30]) platform.double.addReview('octo/many', number, review);
    platform.double.addPullRequests('octo/many', 3, { from: namedNow, to: namedNow, first: 500 });
    const second = await ask(first?.next ?? null);
    expect(numbersOf(second)).toEqual([...downFrom(70, 40), ...downFrom(29, 10)]);
  });

  it('are null at a place that the platform does not know, in one request', async () => {
    const ask = platform.as().codehost.pullRequests.endedPages(web);
    expect(await ask('bm93aGVyZQ')).toBeNull();
    expect(platform.double.requests).toHaveLength(1);
    expect((await ask(null))?.items.length).toBeGreaterThan(3);
  });

  it('are one empty page of an empty repository, and rejected for one that is not there', async () => {
    platform.double.addRepository({ name: 'octo/bare', facts: { id: 88_002 } });
    const { codehost } = platform.as();
    const bare = codehost.pullRequests.endedPages({ owner: 'octo', repo: 'bare' });
    expect(await bare(null)).toEqual({ items: [], oldestUpdate: null, next: null });
    const absent = codehost.pullRequests.endedPages({ owner: 'octo', repo: 'absent' });
    expect((await errorOf(absent(null))).code).toBe('not_found');
  });

  it.each([
    ['RESOURCE_LIMITS_EXCEEDED', [50, 25, 12]],
    ['INTERNAL', [50]],
  ])('with a gap are rejected, after smaller ones where %s says that size is the reason', async (type, sizes) => {
    const gap = { kind: 'nested_graphql', field: 'commits', type } as const;
    platform.double.fault({ path: '/graphql', times: 3 }, gap);
    const ask = platform.as().codehost.pullRequests.endedPages(web);
    expect((await errorOf(ask(null))).code).toBe('upstream_unavailable');
    expect(platform.double.requests.map(({ graphql }) => graphql?.variables.first)).toEqual(sizes);
  });
});

describe('commits of pull requests', () => {
  const commitsOf = (numbers: number[]) => platform.as().codehost.pullRequests.readCommits(web, numbers);
  const withCommits = (number: number, count: number) => {
    const commits = Array.from({ length: count }, (_, index) =>
      aCommit(namedNow - 2 * day + index * 1000, anActor('ann'), `part ${index} of ${number}`),
    );
    platform.double.putPullRequest('octo/web', { number, mergedAt: namedNow - day, commits });
    return commits.map(({ sha }) => sha);
  };
  const shasOf = (reported: Awaited<ReturnType<typeof commitsOf>>, number: number) =>
    reported.get(number)?.commits.map(({ sha }) => sha);

  it('come for ten in one request of one point, in the order of their branch', async () => {
    const numbers = downFrom(910, 10);
    const shas = new Map(numbers.map((number) => [number, withCommits(number, 3)]));
    const reported = await commitsOf(numbers);
    expect(new Map(numbers.map((number) => [number, shasOf(reported, number)]))).toEqual(shas);
    expect(reported.get(905)?.commits[0]).toEqual({
      sha: shas.get(905)?.[0],
      author: expect.objectContaining({ login: 'ann', isBot: false }),
      authorName: 'ann',
      authoredAt: namedNow - 2 * day,
      parents: expect.any(Number),
      additions: 3,
      deletions: 1,
      changedFiles: 1,
    });
    expect(platform.double.requests.map(({ cost }) => cost)).toEqual([1]);
  });

  it('are followed to 500, and one with more says so', async () => {
    const [long, exact] = [withCommits(901, 501), withCommits(902, 100)];
    const reported = await commitsOf([901, 902]);
    expect(shasOf(reported, 901)).toEqual(long.slice(0, 500));
    expect(reported.get(901)?.truncated).toBe(true);
    expect(shasOf(reported, 902)).toEqual(exact);
    expect(reported.get(902)?.truncated).toBe(false);
    expect(platform.double.requests).toHaveLength(5);
  });

  it('are null for one that is not there, and do not take the others along', async () => {
    const shas = withCommits(901, 2);
    const reported = await commitsOf([901, 77_777]);
    expect(shasOf(reported, 901)).toEqual(shas);
    expect(reported.get(77_777)).toBeNull();
    expect(platform.double.requests).toHaveLength(1);
    expect([...(await commitsOf([77_777]))]).toEqual([[77_777, null]]);
    expect(await commitsOf([])).toEqual(new Map());
  });

  it('that the platform fails to tell are excluded after three attempts; all of them are an error', async () => {
    withCommits(901, 2);
    withCommits(902, 2);
    const failing = { kind: 'nested_graphql', field: 'p902', type: 'RESOURCE_LIMITS_EXCEEDED' } as const;
    platform.double.fault({ path: '/graphql', times: 6 }, failing);
    expect([...(await commitsOf([901, 902])).keys()]).toEqual([901]);
    expect(platform.double.requests.map(({ graphql }) => graphql?.variables.first)).toEqual([100, 50, 25]);
    expect((await errorOf(commitsOf([902]))).code).toBe('upstream_unavailable');
  });

  it('whose further page fails leave out that one alone', async () => {
    withCommits(901, 120);
    const shas = withCommits(902, 2);
    platform.double.fault({ path: '/graphql', after: 1, times: 3 }, { kind: 'status', status: 502 });
    const reported = await commitsOf([901, 902]);
    expect([...reported.keys()]).toEqual([902]);
    expect(shasOf(reported, 902)).toEqual(shas);
  });

  it('of a repository that is not there, or at a limit, are rejected', async () => {
    const { pullRequests } = platform.as().codehost;
    const absent = pullRequests.readCommits({ owner: 'octo', repo: 'absent' }, [1]);
    expect((await errorOf(absent)).code).toBe('not_found');
    platform.double.fault({ path: '/graphql' }, { kind: 'primary_limit' });
    expect((await errorOf(pullRequests.readCommits(web, [1]))).code).toBe('upstream_rate_limited');
  });

  it('are reported for a renamed repository under its old name', async () => {
    const shas = withCommits(901, 2);
    platform.double.rename('octo/web', 'octo/website');
    const { codehost } = platform.as();
    expect(shasOf(await codehost.pullRequests.readCommits(web, [901]), 901)).toEqual(shas);
    expect(codehost.repositories.canonical(web)).toEqual({ owner: 'octo', repo: 'website' });
  });
});
