import { describe, expect, it } from 'vitest';
import { anActor } from '../../codehost-double/delivery-builders.ts';
import { namedNow } from '../../codehost-double/named-world.ts';
import { withDouble } from '../double.ts';
import { errorOf } from '../platform.ts';

const platform = withDouble();
const web = { owner: 'octo', repo: 'web' };
const api = { owner: 'octo', repo: 'api' };
const day = 86_400_000;
const hour = 3_600_000;
const quarter = namedNow - 90 * day;
const numbers = (list: { items: { number: number }[] }) => list.items.map(({ number }) => number);

describe('pull requests of the named world', () => {
  it('merged ones, with reviews, first commits and bots, without addresses', async () => {
    const { codehost } = platform.as();
    const merged = await codehost.pullRequests.merged(web, quarter, namedNow);
    expect([numbers(merged), merged.totalCount, merged.partial, merged.slices]).toEqual([[4, 3, 2, 1], 4, false, 1]);
    const [fourth, third, second, first] = merged.items;
    expect(first).toMatchObject({
      title: 'Count the lamps',
      state: 'merged',
      author: { login: 'ana', isBot: false },
      mergedBy: { login: 'cy' },
      commitCount: 2,
      firstCommitAt: namedNow - 5 * day - 3 * hour,
      labels: ['feature'],
      additions: 80,
      reviewsTruncated: false,
    });
    expect(first?.reviews?.map(({ reviewer, state, comments }) => [reviewer?.login, state, comments])).toEqual([
      ['bob', 'changes_requested', 3],
      ['bob', 'approved', 0],
    ]);
    expect(second?.reviews?.map(({ reviewer }) => reviewer?.login)).toEqual(['ana-old']);
    expect([third?.author?.isBot, third?.reviews?.[0]?.reviewer?.isBot, fourth?.author]).toEqual([true, true, null]);
    expect(JSON.stringify(merged)).not.toContain('@');
  });

  it('with what moved the review clock, and a mark where there was more than is read', async () => {
    const pushed = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        kind: 'pushed' as const,
        at: namedNow - 3 * day + index * 60_000,
        login: null,
      }));
    const ready = { kind: 'ready_for_review' as const, at: namedNow - 4 * day, login: null };
    const times = { createdAt: namedNow - 5 * day, mergedAt: namedNow - hour };
    platform.double.putPullRequest('octo/web', { number: 91, ...times, clock: [ready, ...pushed(40)] });
    platform.double.putPullRequest('octo/web', { number: 92, ...times, clock: [ready, ...pushed(100)] });
    const { items } = await platform.as().codehost.pullRequests.merged(web, quarter, namedNow);
    const clockOf = (number: number) => items.find((one) => one.number === number)?.clock;
    expect(clockOf(91)).toEqual([ready, ...pushed(40)]);
    expect(clockOf(92)).toEqual([{ kind: 'earlier_unread', at: namedNow - 3 * day, login: null }, ...pushed(100)]);
  });

  it('of a window only, and more than 50 reviews are reported', async () => {
    const { codehost } = platform.as();
    const some = await codehost.pullRequests.merged(web, namedNow - 4 * day, namedNow - 2 * day);
    expect([numbers(some), some.totalCount]).toEqual([[3, 2], 2]);
    const all = await codehost.pullRequests.merged(api, quarter, namedNow);
    const many = all.items.find(({ number }) => number === 47);
    expect([many?.reviews?.length, many?.reviewsTruncated, many?.commitCount]).toEqual([50, true, 260]);
    expect(many?.firstCommitAt).toBe(namedNow - 30 * day);
  });

  it('imported ones are dropped', async () => {
    const mergedAt = namedNow - 6 * day;
    platform.double.putPullRequest('octo/web', { number: 90, createdAt: namedNow - day, mergedAt });
    const { codehost } = platform.as();
    expect(numbers(await codehost.pullRequests.merged(web, quarter, namedNow))).toEqual([4, 3, 2, 1]);
    expect(numbers(await codehost.pullRequests.closed(web, quarter))).toEqual([4, 3, 2, 1]);
    expect(numbers(await codehost.pullRequests.lastClosed(web, 3))).toEqual([4, 3, 2]);
  });

  it('more than 1,000 merged ones are read in halves of the window', async () => {
    platform.double.addPullRequests('octo/web', 1100, { from: namedNow - 80 * day, to: namedNow - 10 * day });
    const merged = await platform.as().codehost.pullRequests.merged(web, quarter, namedNow);
    expect([merged.items.length, merged.totalCount, merged.partial, merged.slices]).toEqual([1104, 1104, false, 2]);
    expect(platform.double.requests.length).toBeLessThanOrEqual(1 + 2 + Math.ceil(1104 / 50));
  });

  it('beyond 2,000 the first closed ones are left out, however long they were open', async () => {
    platform.double.addPullRequests('octo/web', 2600, { from: namedNow - 85 * day, to: namedNow - 5 * day });
    const times = { createdAt: namedNow - 300 * day, mergedAt: namedNow - 64 * day };
    platform.double.putPullRequest('octo/web', { number: 95, ...times, closedAt: times.mergedAt });
    const closed = await platform.as().codehost.pullRequests.closed(web, quarter);
    expect([closed.items.length, closed.capped, closed.partial]).toEqual([2000, true, true]);
    expect(numbers(closed)).toContain(95);
    const oldest = closed.items.at(-1)?.closedAt ?? 0;
    const gap = (80 * day) / 2600;
    // One after the other, without a hole.
    const ends = closed.items.map(({ closedAt }) => closedAt ?? 0).filter((at) => at < namedNow - 6 * day);
    for (const [index, at] of ends.slice(1).entries()) expect((ends[index] ?? 0) - at).toBeLessThanOrEqual(2 * gap);
    expect(oldest).toBeGreaterThan(namedNow - 85 * day);
  });

  it('the last closed ones by closing, whatever was updated later', async () => {
    platform.double.addPullRequests('octo/web', 70, { from: namedNow - 60 * day, to: namedNow - 20 * day });
    platform.double.addReview('octo/web', 10_001, { reviewer: null, state: 'commented', submittedAt: namedNow - hour });
    const { codehost } = platform.as();
    const last = await codehost.pullRequests.lastClosed(web, 60);
    expect(last.items).toHaveLength(60);
    expect(numbers(last).slice(0, 5)).toEqual([4, 3, 2, 1, 10_070]);
    expect(numbers(last)).not.toContain(10_001);
    expect(last.partial).toBe(false);
    expect(platform.double.requests).toHaveLength(2);
    expect(numbers(await codehost.pullRequests.lastClosed(api, 60))).toEqual([48, 41, 45, 42, 43, 44, 46, 47]);
  });

  it('open ones, oldest first, with what they wait for', async () => {
    const { codehost } = platform.as();
    const open = await codehost.pullRequests.open(web);
    expect([numbers(open), open.totalCount]).toEqual([[21, 22, 23], 3]);
    expect(open.items[0]).toMatchObject({
      mergeable: 'mergeable',
      reviewDecision: 'review_required',
      requestedReviewers: ['bo'],
      requestedTeams: ['keepers'],
      mergedBy: null,
    });
    expect(open.items[0]?.clock?.filter(({ kind }) => kind === 'review_requested').map(({ login }) => login)).toEqual([
      'bo',
      null,
    ]);
    expect([open.items[1]?.mergeable, open.items[2]?.reviewDecision]).toEqual(['conflicting', 'approved']);
    const ofApi = (await codehost.pullRequests.open(api)).items;
    const clockOf = (number: number) =>
      ofApi.find((one) => one.number === number)?.clock?.map(({ kind, at }) => [kind, (namedNow - at) / day]);
    expect(ofApi.find(({ number }) => number === 35)?.lastPushAt).toBe(namedNow - day);
    expect(ofApi.find(({ number }) => number === 33)?.lastPushAt).toBe(namedNow - 7 * day);
    expect(clockOf(35)).toEqual([['pushed', 1]]);
    expect(clockOf(34)?.slice(-2)).toEqual([
      ['ready_for_review', 8],
      ['review_requested', 5],
    ]);
    expect(ofApi.find(({ number }) => number === 36)?.author).toMatchObject({ login: 'dependabot', isBot: true });
  });

  it('at most 300 open ones of an exact number', async () => {
    for (let number = 1; number <= 310; number++)
      platform.double.putPullRequest('octo/old', { number, createdAt: namedNow - (400 - number) * day });
    const open = await platform.as().codehost.pullRequests.open({ owner: 'octo', repo: 'old' });
    expect([open.items.length, open.totalCount, open.partial, open.items[0]?.number]).toEqual([300, 310, true, 1]);
    expect(platform.double.requests).toHaveLength(6);
  });

  it('counts', async () => {
    const { codehost } = platform.as();
    const end = namedNow - day;
    const spans = [5, 4, 3].map((back) => ({ from: namedNow - back * day, to: namedNow - (back - 1) * day }));
    expect(await codehost.pullRequests.mergedCounts(web, 'main', [...spans, { from: end, to: namedNow }])).toEqual([
      1, 1, 1, 0,
    ]);
    expect(await codehost.pullRequests.mergedCounts(api, 'release/1', [{ from: quarter, to: namedNow }])).toEqual([1]);
    expect(await codehost.pullRequests.mergedCounts(api, 'main', [])).toEqual([]);
  });

  it('by person in the repositories of an owner', async () => {
    const { codehost } = platform.as();
    const authored = await codehost.pullRequests.authoredBy('octo', 'ana', quarter);
    const names = authored.items.map(({ repository, number }) => `${repository.repo} ${number}`);
    expect(names).toContain('web 23');
    expect(names).toContain('api 48');
    expect(authored.items.every(({ author }) => author?.login === 'ana')).toBe(true);
    const late = await codehost.pullRequests.authoredBy('octo', 'ana', namedNow - 5 * day - hour);
    expect(late.items.map(({ repository, number }) => `${repository.repo} ${number}`)).toEqual([
      'web 23',
      'web 2',
      'web 1',
      'api 48',
    ]);
    const old = { number: 901, author: anActor('ana'), createdAt: quarter - 100 * day, updatedAt: namedNow - day };
    platform.double.putPullRequest('octo/web', old);
    platform.double.putPullRequest('octo/web', { ...old, number: 902, closedAt: quarter - 50 * day });
    const all = await platform.as().codehost.pullRequests.authoredBy('octo', 'ana', quarter);
    expect(
      all.items.map(({ number }) => number),
      'what is still open is of now',
    ).toContain(901);
    expect(all.items.map(({ number }) => number)).not.toContain(902);
    const reviewed = await codehost.pullRequests.reviewedBy('octo', 'bob', quarter);
    expect(reviewed.items.map(({ number }) => number)).toContain(1);
    expect(reviewed.items.some(({ author }) => author?.login === 'bob')).toBe(false);
    expect((await codehost.pullRequests.authoredBy('octo', 'dependabot[bot]', quarter)).items.length).toBeGreaterThan(
      2,
    );
  });

  it.each([
    { kind: 'status', status: 502 },
    { kind: 'reset' },
    { kind: 'cut_body' },
    { kind: 'malformed_json' },
  ] as const)('$kind twice: asked again for less', async (fault) => {
    platform.double.fault({ path: '/graphql', times: 2 }, fault);
    expect(numbers(await platform.as().codehost.pullRequests.merged(web, quarter, namedNow))).toEqual([4, 3, 2, 1]);
    expect(platform.double.requests.map(({ graphql }) => graphql?.variables.first).at(-1)).toBe(12);
  });

  it('of a renamed repository are found under its former name', async () => {
    platform.double.putPullRequest('octo/renamed-now', {
      number: 5,
      createdAt: namedNow - day,
      mergedAt: namedNow - hour,
    });
    const { codehost } = platform.as();
    const before = { owner: 'octo', repo: 'before' };
    expect(numbers(await codehost.pullRequests.merged(before, quarter, namedNow))).toEqual([5]);
    const spans = [{ from: quarter, to: namedNow }];
    expect(await codehost.pullRequests.mergedCounts(before, 'main', spans)).toEqual([1]);
    expect(codehost.repositories.canonical(before)?.repo).toBe('renamed-now');
  });

  it('of a repository the token cannot see are not found', async () => {
    const { codehost } = platform.as('token-bo');
    const secret = { owner: 'octo', repo: 'secret' };
    const request = [
      codehost.pullRequests.merged(secret, quarter, namedNow),
      codehost.pullRequests.open(secret),
      codehost.pullRequests.mergedCounts(secret, 'main', [{ from: quarter, to: namedNow }]),
    ];
    for (const each of request) expect((await errorOf(each)).code).toBe('not_found');
    const sealed = platform.as('token-ann-two').codehost.pullRequests.open({ owner: 'sealed', repo: 'ledger' });
    expect((await errorOf(sealed)).code).toBe('sso_required');
  });
});

describe('titles', () => {
  it('come by number, without those that are not there, from a copy the next time', async () => {
    const { codehost } = platform.as();
    const request = [42, 41, 9999, 42];
    const titles = await codehost.pullRequests.titles(api, request);
    expect(titles).toEqual(
      new Map([
        [41, 'Pull request 41'],
        [42, 'Revert "Show the price"'],
      ]),
    );
    expect(await codehost.pullRequests.titles({ owner: 'Octo', repo: 'API' }, [41, 42, 9999])).toEqual(titles);
    expect(platform.double.requests.map(({ cost }) => cost)).toEqual([1]);
    expect(await codehost.pullRequests.titles(api, [])).toEqual(new Map());
    expect(platform.double.requests).toHaveLength(1);
  });

  it('come 100 in a request', async () => {
    platform.double.addPullRequests('octo/fork', 205, { from: namedNow - 50 * day, to: namedNow - day, first: 1 });
    const request = Array.from({ length: 205 }, (_, index) => index + 1);
    const titles = await platform.as().codehost.pullRequests.titles({ owner: 'octo', repo: 'fork' }, request);
    expect([titles.size, titles.get(205), platform.double.requests.length]).toEqual([205, 'Pull request 205', 3]);
  });

  it('of a repository that is not there are rejected', async () => {
    const { codehost } = platform.as('token-bo');
    const problem = codehost.pullRequests.titles({ owner: 'octo', repo: 'secret' }, [1]);
    expect((await errorOf(problem)).code).toBe('not_found');
  });
});
