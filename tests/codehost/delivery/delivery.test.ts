import { describe, expect, it } from 'vitest';
import { aCommit, aFile, anActor } from '../../codehost-double/delivery-builders.ts';
import { namedNow } from '../../codehost-double/named-world.ts';
import { withDouble } from '../double.ts';
import { errorOf } from '../platform.ts';

const platform = withDouble();
const web = { owner: 'octo', repo: 'web' };
const api = { owner: 'octo', repo: 'api' };
const day = 86_400_000;
const hour = 3_600_000;
const quarter = namedNow - 90 * day;
const month = { since: namedNow - 30 * day, now: namedNow };
const numbers = (list: { items: { number: number }[] }) => list.items.map(({ number }) => number);

describe('commits of the named world', () => {
  it('in UTC, with bots and people without an account', async () => {
    platform.double.addCommit('octo/web', aCommit(namedNow - 2 * hour, null, 'Lock', { authorName: 'renovate[bot]' }));
    const at = namedNow - 4 * hour;
    platform.double.addCommit('octo/web', aCommit(at, anActor('ana'), 'Away', { offset: 420, authoredAt: at - day }));
    const { codehost } = platform.as();
    const { items, partial, totalCount } = await codehost.commits.history(web, quarter, 300);
    expect([partial, totalCount]).toEqual([false, items.length]);
    expect(items.slice(0, 3).map(({ author, authorName }) => [author?.login, author?.isBot, authorName])).toEqual([
      ['ann', false, 'ann'],
      ['renovate', true, 'renovate[bot]'],
      ['ana', false, 'ana'],
    ]);
    expect([items[2]?.authoredAt, items[2]?.committedAt]).toEqual([at - day, at]);
    expect(items.find(({ authorName }) => authorName === 'Nobody Known')?.author).toBeNull();
    expect(items.find(({ parents }) => parents === 2)?.author?.login).toBe('cy');
    expect(items.find(({ changedFiles }) => changedFiles === 4)).toMatchObject({ additions: 12, deletions: 4 });
    expect(JSON.stringify(items)).not.toContain('@');
    const since = namedNow - 2 * day;
    expect(
      (await codehost.commits.history(web, since, 300)).items.every(({ committedAt }) => committedAt >= since),
    ).toBe(true);
  });

  it('at most as many as wanted, and none of an empty repository', async () => {
    platform.double.addCommits('octo/api', 350, { from: namedNow - 80 * day, to: namedNow - 2 * day });
    const { codehost } = platform.as();
    const capped = await codehost.commits.history(api, quarter, 300);
    expect([capped.items.length, capped.partial, capped.totalCount]).toEqual([300, true, 351]);
    expect(platform.double.requests).toHaveLength(3);
    const empty = { owner: 'octo', repo: 'empty' };
    expect(await codehost.commits.history(empty, quarter, 300)).toMatchObject({
      items: [],
      partial: false,
      totalCount: 0,
    });
    expect((await codehost.commits.directories(empty, quarter, 300)).items).toEqual([]);
  });

  it('of one account in many repositories', async () => {
    const { codehost } = platform.as();
    const { account } = await codehost.people.contributions('ana', null, namedNow);
    const names = [web, api, { owner: 'octo', repo: 'nothing' }];
    const { items, partial } = await codehost.commits.historiesBy(names, account.id, quarter);
    expect(items.length).toBeGreaterThan(20);
    expect(items.every(({ author, repository }) => author?.login === 'ana' && repository.repo === 'web')).toBe(true);
    expect(partial).toBe(true);
    expect((await codehost.commits.historiesBy([], account.id, quarter)).items).toEqual([]);
  });

  it('touched directories two levels deep, and deeper below one of them', async () => {
    const { codehost } = platform.as();
    const read = await codehost.commits.directories(web, quarter, 300);
    const everywhere = read.items.find(({ changedFiles }) => changedFiles === 4)?.sha ?? '';
    expect(read.touched.get(everywhere)?.sort()).toEqual(['', '.github/workflows', 'src', 'src/lib']);
    const counts = Map.groupBy([...read.touched.values()].flat(), (directory) => directory);
    expect([counts.get('src/pay')?.length, counts.get('docs')?.length, counts.get('tools')?.length]).toEqual([
      10, 10, 4,
    ]);
    expect([read.undecided, read.partial, read.touched.size]).toEqual([false, false, read.items.length]);
    const deeper = await codehost.commits.directories(web, quarter, 300, 'src/lib');
    expect(deeper.known).toEqual(['src/lib/x']);
    expect(deeper.touched.get(everywhere)).toEqual(['src/lib/x']);
  });

  it('touched directories of 300 commits in 40 directories take nine requests', async () => {
    for (let index = 0; index < 320; index++) {
      const files = [aFile(`packages/p${index % 40}/a.ts`), aFile('core/main/a.ts')];
      platform.double.addCommit(
        'octo/api',
        aCommit(namedNow - day - index * hour, anActor('ann'), `C${index}`, { files }),
      );
    }
    const read = await platform.as().codehost.commits.directories(api, quarter, 300);
    expect([read.items.length, read.partial]).toEqual([300, true]);
    const all = [...read.touched.values()].flat();
    expect(all.filter((directory) => directory === 'core/main').length).toBe(299);
    expect(platform.double.requests.length).toBe(9);
  });
});

describe('releases, deployments and issues of the named world', () => {
  it('published releases of a window', async () => {
    const { items, totalCount } = await platform.as().codehost.releases.since(web, quarter);
    expect(items.map(({ tag, isPrerelease }) => [tag, isPrerelease])).toEqual([
      ['v1.2.0-rc.1', true],
      ['v1.1.0', false],
      ['v1.0.0', false],
    ]);
    expect(totalCount).toBe(3);
  });

  it('deployments with their whole history, oldest status first', async () => {
    const { codehost } = platform.as();
    const { items, totalCount, partial } = await codehost.deployments.since(web, month.since);
    expect([items.map(({ id }) => id), totalCount, partial]).toEqual([[8005, 8004, 8003, 8002, 8001], 5, false]);
    expect(items[4]?.statuses?.map(({ state }) => state)).toEqual(['in_progress', 'success', 'inactive']);
    expect(items[4]).toMatchObject({ environment: 'production', ref: 'main', url: 'https://shop.example' });
    const old = await codehost.deployments.since({ owner: 'octo', repo: 'old' }, month.since);
    expect([old.items, old.totalCount, old.newestAt]).toEqual([[], 36, namedNow - 58 * day]);
    const waiting = await codehost.deployments.since(api, month.since);
    expect(waiting.items.map(({ creator, statuses }) => [creator, statuses?.length])).toEqual(Array(3).fill([null, 1]));
    const never = await codehost.deployments.since({ owner: 'octo', repo: 'empty' }, month.since);
    expect([never.items, never.totalCount, never.newestAt]).toEqual([[], 0, null]);
  });

  it('environments that the platform marks as production', async () => {
    const { codehost } = platform.as();
    expect(await codehost.deployments.productionEnvironments(web)).toEqual(['production']);
    expect(await codehost.deployments.productionEnvironments({ owner: 'octo', repo: 'fork' })).toEqual([]);
    platform.advance(10 * 60_000);
    await codehost.deployments.productionEnvironments(web);
    expect(platform.double.requests.map(({ status }) => status)).toEqual([200, 200, 304]);
  });

  it('at most 500 deployments', async () => {
    platform.double.addDeployments('octo/fork', 600, { from: namedNow - 20 * day, to: namedNow - day });
    const many = await platform.as().codehost.deployments.since({ owner: 'octo', repo: 'fork' }, month.since);
    expect([many.items.length, many.partial, many.totalCount]).toEqual([500, true, 602]);
    expect(platform.double.requests).toHaveLength(5);
  });

  it('exact issue counts', async () => {
    const counts = await platform.as().codehost.issues.counts(web, month);
    expect(counts).toMatchObject({
      openCount: 7,
      openedInPeriod: 5,
      closedInPeriod: 3,
      closedNotPlanned: 1,
      staleCount: 3,
      unlabelledCount: 2,
      unassignedCount: 4,
      unansweredCount: 3,
      ages: [2, 2, 2, 1],
      oldestOpen: { number: 57, author: null, comments: 0 },
    });
  });

  it('open and closed issues', async () => {
    const { codehost } = platform.as();
    const open = await codehost.issues.open(web);
    expect([numbers(open), open.totalCount]).toEqual([[57, 56, 55, 53, 54, 52, 51], 7]);
    expect(open.items[3]).toMatchObject({
      labels: [
        { name: 'bug', color: 'd73a4a' },
        { name: 'ui', color: '1d76db' },
      ],
      assignees: ['ann', 'bo'],
      closedByBot: false,
      closeReason: null,
    });
    const closed = await codehost.issues.closed(web, month.since);
    expect(closed.items.map(({ number, closeReason, closedByBot }) => [number, closeReason, closedByBot])).toEqual([
      [62, 'not_planned', true],
      [61, 'completed', false],
      [63, 'completed', false],
    ]);
    platform.double.addIssues('octo/api', 1005, { from: namedNow - 50 * day, to: namedNow - 40 * day });
    const many = await codehost.issues.open(api);
    expect([many.items.length, many.partial, many.totalCount]).toEqual([1000, true, 1007]);
  });

  it('a tracker that is switched off is an error', async () => {
    const off = { owner: 'octo', repo: 'no-issues' };
    const { codehost } = platform.as();
    const request = [
      codehost.issues.counts(off, month),
      codehost.issues.open(off),
      codehost.issues.closed(off, month.since),
    ];
    for (const each of request) expect((await errorOf(each)).code).toBe('issues_disabled');
  });
});

describe('long lists inside an item', () => {
  it('are read up to a hundred: labels, and the statuses that decide, which are the oldest', async () => {
    const names = Array.from({ length: 100 }, (_, index) => `label ${index}`);
    const ended = { createdAt: namedNow - 2 * day, mergedAt: namedNow - day };
    platform.double.putPullRequest('octo/web', { number: 901, ...ended, labels: names });
    const labels = names.map((name) => ({ name, color: 'd73a4a' }));
    platform.double.putIssue('octo/web', { number: 902, createdAt: namedNow - day, labels });
    const statuses = Array.from({ length: 100 }, (_, index) => ({
      state: index === 0 ? ('failure' as const) : ('inactive' as const),
      at: namedNow - day + index * 1000,
    }));
    platform.double.putDeployment('octo/web', { id: 9001, createdAt: namedNow - day, statuses });
    const { codehost } = platform.as();
    const pulls = await codehost.pullRequests.closed(web, quarter);
    expect(pulls.items.find(({ number }) => number === 901)?.labels).toEqual(names);
    const issues = await codehost.issues.open(web);
    expect(issues.items.find(({ number }) => number === 902)?.labels).toEqual(labels);
    const deployments = await codehost.deployments.since(web, month.since);
    const states = deployments.items.find(({ id }) => id === 9001)?.statuses?.map(({ state }) => state);
    expect([states?.length, states?.includes('failure')]).toEqual([100, true]);
  });
});

describe('people', () => {
  it('52 weeks of contributions, restricted to an organization', async () => {
    const { codehost } = platform.as();
    const ann = await codehost.people.contributions('ann', 'octo', namedNow);
    expect(ann.account).toMatchObject({ login: 'ann', name: 'Ann Ngô', isBot: false });
    expect([ann.days.length, ann.days.at(-1)?.date, ann.days[0]?.date]).toEqual([365, '2026-11-16', '2025-11-17']);
    expect(ann.repositories.every(({ name }) => name.owner === 'octo')).toBe(true);
    const everywhere = await codehost.people.contributions('ann', 'bo', namedNow);
    expect(everywhere.repositories.some(({ name }) => name.owner === 'many')).toBe(true);
    expect((await errorOf(codehost.people.contributions('nobody-at-all', null, namedNow))).code).toBe('not_found');
    expect((await errorOf(codehost.people.contributions('no such', null, namedNow))).code).toBe('not_found');
  });

  it('a bot has an account and no calendar', async () => {
    const bot = await platform.as().codehost.people.contributions('dependabot[bot]', 'octo', namedNow);
    expect(bot).toMatchObject({ account: { login: 'dependabot[bot]', isBot: true }, days: [], repositories: [] });
  });
});
