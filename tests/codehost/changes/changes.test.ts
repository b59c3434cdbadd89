import { describe, expect, it } from 'vitest';
import type { Changes, Wanted } from '../../../server/codehost/changes/client.ts';
import { noTotals } from '../../../server/codehost/client/totals.ts';
import type { FactKind } from '../../../server/facts/fact-repository.ts';
import { factKeys } from '../../../server/metrics/kernel/delivery-facts.ts';
import { aCommit, anActor } from '../../codehost-double/delivery-builders.ts';
import { namedNow } from '../../codehost-double/named-world.ts';
import { withDouble } from '../double.ts';
import { errorOf } from '../platform.ts';

const platform = withDouble();
const web = { owner: 'octo', repo: 'web' };
const api = { owner: 'octo', repo: 'api' };
const minute = 60_000;
const day = 86_400_000;
const quarter = namedNow - 90 * day;
const kinds: FactKind[] = ['pull_requests', 'commits', 'issues', 'deployments', 'releases'];

/** Every kind, or those that are named, changed since then. */
const since = (from: number, ...named: FactKind[]): Wanted =>
  Object.fromEntries((named.length > 0 ? named : kinds).map((kind) => [kind, { since: from, head: null }]));

const keys = (changes: Changes, kind: FactKind) => changes[kind]?.items.map((one) => factKeys[kind](one as never));
const costs = () => platform.double.requests.map(({ cost }) => cost);

describe('one request', () => {
  it.each([web, api])('brings the facts of $repo that the other reads bring', async (name) => {
    const { codehost } = platform.as();
    const changes = await codehost.changes(name, since(quarter));
    expect(platform.double.requests).toHaveLength(1);
    const [closed, history, open, ended, deployments, releases] = await Promise.all([
      codehost.pullRequests.closed(name, quarter),
      codehost.commits.history(name, quarter, 1000),
      codehost.issues.open(name),
      codehost.issues.closed(name, quarter),
      codehost.deployments.since(name, quarter),
      codehost.releases.since(name, quarter),
    ]);
    const byNumber = (one: { number: number }, other: { number: number }) => one.number - other.number;
    const ofPullRequests = changes.pull_requests?.items.filter(({ state }) => state !== 'open') ?? [];
    expect(ofPullRequests.sort(byNumber)).toEqual(closed.items.sort(byNumber));
    expect(closed.items.length).toBeGreaterThan(3);
    expect(changes.commits).toMatchObject({ items: history.items, head: history.head, added: null });
    const updated = [...open.items, ...ended.items].filter(({ updatedAt }) => updatedAt >= quarter);
    expect(changes.issues?.items.sort(byNumber)).toEqual(updated.sort(byNumber));
    expect([changes.issues?.openCount, changes.issues?.total]).toEqual([
      open.totalCount,
      (open.totalCount ?? 0) + (ended.allTime ?? 0),
    ]);
    const { totalCount: total, newestAt } = deployments;
    expect(changes.deployments).toMatchObject({ items: deployments.items, total, newestAt });
    expect(changes.releases).toMatchObject({ items: releases.items, total: releases.total, newestAt: null });
    for (const kind of kinds) expect(changes[kind]).toMatchObject({ reached: true, asOf: namedNow });
  });

  it('reports reverts, deleted accounts, bots and that there are more reviews', async () => {
    const { codehost } = platform.as();
    const ofApi = (await codehost.changes(api, since(quarter))).pull_requests?.items ?? [];
    expect(ofApi.filter(({ isRevert }) => isRevert).map(({ number }) => number)).toEqual([42]);
    expect(ofApi.filter((one) => one.reviewsTruncated).map(({ number }) => number)).toEqual([47]);
    const ofWeb = (await codehost.changes(web, since(quarter))).pull_requests?.items ?? [];
    expect(ofWeb.find(({ number }) => number === 4)?.author).toBeNull();
    expect(ofWeb.find(({ number }) => number === 3)?.author).toMatchObject({ login: 'dependabot', isBot: true });
  });

  it.each(kinds)('for %s alone brings what it brings with the others', async (kind) => {
    const { codehost } = platform.as();
    const alone = await codehost.changes(web, since(quarter, kind));
    const together = await codehost.changes(web, since(quarter));
    expect(Object.keys(alone)).toEqual([kind]);
    expect(alone[kind]).toEqual(together[kind]);
    expect(alone[kind]?.items.length).toBeGreaterThan(2);
    // The events of merge queues are a second list of each pull request.
    const most = kind === 'pull_requests' ? 2 : 1;
    expect(costs()).toEqual([expect.toSatisfy((cost: number) => cost <= most), 3]);
  });

  it('is not needed when nothing is wanted', async () => {
    expect(await platform.as().codehost.changes(web, {})).toEqual({});
    expect(platform.double.requests).toEqual([]);
  });

  it('brings nothing where nothing changed, and the counts all the same', async () => {
    const changes = await platform.as().codehost.changes(web, since(namedNow + 1000));
    for (const kind of kinds) expect(changes[kind]).toMatchObject({ items: [], reached: true });
    expect(kinds.map((kind) => changes[kind]?.total)).toEqual([null, null, 11, 5, 4]);
    expect(changes.issues?.openCount).toBe(7);
    expect(changes.deployments?.newestAt).toBe(namedNow - 2 * day + 5 * 3_600_000 - 5 * minute);
    expect(platform.double.requests).toHaveLength(1);
  });
});

describe('what happened since', () => {
  it('is requested from the platform each time', async () => {
    const { double } = platform;
    const { codehost, clock } = platform.as();
    expect(keys(await codehost.changes(web, since(namedNow)), 'pull_requests')).toEqual([]);
    platform.advance(5 * minute);
    const at = namedNow + minute;
    double.mergePullRequest('octo/web', 23, { at });
    double.addReview('octo/web', 22, { reviewer: anActor('bob'), state: 'approved', submittedAt: at + minute });
    double.addCommit('octo/web', aCommit(at + minute, anActor('cy'), 'By hand'));
    double.closeIssue('octo/web', 55, { at, reason: 'not_planned' });
    double.addDeploymentStatus('octo/web', 8005, 'success', at);
    double.putDeployment('octo/web', { id: 8006, createdAt: at });
    double.putRelease('octo/web', { id: 306, tag: 'v3.0.0', createdAt: at });
    const changes = await codehost.changes(web, since(namedNow));
    expect(kinds.map((kind) => [keys(changes, kind)?.length, changes[kind]?.total])).toEqual([
      [2, null],
      [2, null],
      [1, 11],
      // 8004 was made inactive by the success of 8005.
      [3, 6],
      [1, 5],
    ]);
    expect([keys(changes, 'pull_requests'), keys(changes, 'deployments')]).toEqual([
      [22, 23],
      [8006, 8005, 8004],
    ]);
    expect(changes.pull_requests?.items[1]).toMatchObject({ state: 'merged', mergedAt: at });
    expect(changes.issues?.items[0]).toMatchObject({ closedAt: at, closeReason: 'not_planned' });
    expect(changes.issues?.asOf).toBe(clock.now());
    expect(platform.double.requests).toHaveLength(2);
  });

  it('is counted on top of the head that is stored, by the platform itself', async () => {
    const { double } = platform;
    const ask = async (head: string | null) =>
      (await platform.as().codehost.changes(web, { commits: { since: namedNow, head } })).commits;
    const head = (await ask(null))?.head as string;
    expect([await ask(null), await ask(head)]).toMatchObject([{ added: null }, { head, added: 0 }]);
    double.addCommit('octo/web', aCommit(namedNow - 50 * day, anActor('cy'), 'On a branch'));
    double.addCommit('octo/web', aCommit(namedNow + minute, anActor('cy'), 'Merge it'));
    const merged = await ask(head);
    expect([merged?.items.length, merged?.added]).toEqual([1, 2]);
    double.dropCommit('octo/web', head);
    expect([(await ask(head))?.added, (await ask('0'.repeat(40)))?.added]).toEqual([null, null]);
  });

  it('is known by whole seconds', async () => {
    platform.double.closeIssue('octo/web', 55, { at: namedNow });
    const changes = await platform.as().codehost.changes(web, since(namedNow + 999, 'issues'));
    expect(keys(changes, 'issues')).toEqual([55]);
  });

  it('a draft is no release until it is published', async () => {
    const createdAt = namedNow - day;
    const changes = () => platform.as().codehost.changes(web, since(namedNow - minute, 'releases'));
    expect(keys(await changes(), 'releases')).toEqual([]);
    platform.double.putRelease('octo/web', { id: 305, tag: 'v2.0.0', createdAt, publishedAt: namedNow });
    expect(keys(await changes(), 'releases')).toEqual(['v2.0.0']);
  });

  it('is read on where it does not fit, for that kind alone', async () => {
    const { double } = platform;
    const window = { from: namedNow - 5 * day, to: namedNow - day };
    double.addPullRequests('octo/fork', 60, window);
    double.addIssues('octo/fork', 40, window);
    double.addCommits('octo/fork', 150, window);
    double.addDeployments('octo/fork', 70, window);
    for (let id = 1; id <= 40; id++) double.putRelease('octo/fork', { id, createdAt: window.to - id * minute });
    const changes = await platform.as().codehost.changes({ owner: 'octo', repo: 'fork' }, since(window.from));
    expect(kinds.map((kind) => new Set(keys(changes, kind)).size)).toEqual([60, 151, 40, 72, 40]);
    expect(kinds.map((kind) => changes[kind]?.reached)).toEqual(Array(5).fill(true));
    expect([changes.issues?.total, changes.deployments?.total, changes.releases?.total]).toEqual([40, 72, 40]);
    expect(costs().length).toBe(6);
    const newer = await platform.as().codehost.changes({ owner: 'octo', repo: 'fork' }, since(window.to));
    expect(costs().length).toBe(7);
    expect(newer.pull_requests?.items).toHaveLength(1);
  });

  it('is not all there after ten pages', async () => {
    platform.double.addCommits('octo/fork', 1050, { from: namedNow - 50 * day, to: namedNow - day });
    const wanted = since(quarter, 'commits', 'issues');
    const changes = await platform.as().codehost.changes({ owner: 'octo', repo: 'fork' }, wanted);
    expect(changes.commits).toMatchObject({ reached: false });
    expect(changes.commits?.items).toHaveLength(1000);
    expect(changes.issues?.reached).toBe(true);
    expect(platform.double.requests).toHaveLength(10);
  });
});

describe('repositories', () => {
  it('that moved are read, and their new name is known then', async () => {
    const { codehost } = platform.as();
    const before = { owner: 'octo', repo: 'before' };
    const changes = await codehost.changes(before, since(quarter));
    expect(keys(changes, 'deployments')).toEqual([8110, 8109, 8108, 8107]);
    expect(codehost.repositories.canonical(before)).toMatchObject({ owner: 'octo', repo: 'renamed-now' });
  });

  it('that are empty have no commits', async () => {
    const { commits } = await platform.as().codehost.changes({ owner: 'octo', repo: 'empty' }, since(quarter));
    expect(commits).toEqual({ ...noTotals, items: [], reached: true, added: null, asOf: namedNow });
  });

  it('without a tracker tell no issues, but the rest', async () => {
    const changes = await platform.as().codehost.changes({ owner: 'octo', repo: 'no-issues' }, since(quarter));
    expect(Object.keys(changes)).toEqual(kinds.filter((kind) => kind !== 'issues'));
  });

  it('whose deployments the token may not read tell the rest', async () => {
    const message = 'Resource not accessible by personal access token';
    const error = { kind: 'partial_graphql', field: 'deployments', type: 'FORBIDDEN', message } as const;
    platform.double.fault({ path: '/graphql' }, error);
    const changes = await platform.as().codehost.changes(web, since(quarter));
    expect(Object.keys(changes)).toEqual(kinds.filter((kind) => kind !== 'deployments'));
    expect(platform.double.requests).toHaveLength(1);
  });

  it('that are not there, locked away or behind a limit are rejected', async () => {
    const expectRejected = async (name: { owner: string; repo: string }, token?: string) =>
      (await errorOf(platform.as(token).codehost.changes(name, since(quarter)))).code;
    expect(await expectRejected({ owner: 'octo', repo: 'nothing' })).toBe('not_found');
    expect(await expectRejected({ owner: 'octo', repo: 'secret' }, 'token-bo')).toBe('not_found');
    expect(await expectRejected({ owner: 'sealed', repo: 'ledger' }, 'token-ann-two')).toBe('sso_required');
    platform.double.budgets.setRemaining('ann', 'graphql', 0);
    expect(await expectRejected(web)).toBe('upstream_rate_limited');
    const sent = platform.double.requests.length;
    expect(await expectRejected({ owner: 'octo', repo: '..' })).toBe('not_found');
    expect(platform.double.requests).toHaveLength(sent);
  });
});
