import { describe, expect, it } from 'vitest';
import type { Codehost } from '../../server/codehost/client/client.ts';
import { namedNow, scriptTitle, workflowIds } from '../codehost-double/named-world.ts';
import { withDouble } from './double.ts';
import { errorOf } from './platform.ts';

const platform = withDouble();
const web = { owner: 'octo', repo: 'web' };
const api = { owner: 'octo', repo: 'api' };
const day = 86_400_000;

describe('costs', () => {
  const reads: { name: string; cold: number; warm: number; read: (codehost: Codehost) => Promise<unknown> }[] = [
    { name: 'own repositories', cold: 3, warm: 3, read: (c) => c.repositories.mine() },
    { name: 'organization repositories', cold: 3, warm: 3, read: (c) => c.repositories.ofOrganization('many') },
    { name: 'one repository', cold: 1, warm: 1, read: (c) => c.repositories.get(web) },
    { name: 'organizations', cold: 1, warm: 1, read: (c) => c.organizations.mine() },
    { name: 'workflows', cold: 1, warm: 1, read: (c) => c.workflows.list(web) },
    { name: 'runs of a workflow', cold: 1, warm: 1, read: (c) => c.runs.ofWorkflow(web, workflowIds.webCi, 50) },
    { name: 'recent runs', cold: 1, warm: 1, read: (c) => c.runs.recent(web, namedNow - 30 * day, 5) },
    { name: 'jobs of the latest attempt', cold: 1, warm: 1, read: (c) => c.jobs.ofRun(web, 5011) },
    { name: 'jobs of an ended attempt', cold: 1, warm: 0, read: (c) => c.jobs.ofRun(api, 5204, 1) },
    { name: 'an ended attempt', cold: 1, warm: 0, read: (c) => c.runs.attempt(api, 5204, 1) },
  ];

  it.each(reads)('$name: $cold cold, none within its time, then conditional ones that are free', async (one) => {
    const { codehost } = platform.as();
    const first = await one.read(codehost);
    expect(platform.double.requests).toHaveLength(one.cold);
    expect(platform.double.spent('core')).toBe(one.cold);
    const again = await one.read(codehost);
    expect(again).toEqual(first);
    expect(platform.double.requests).toHaveLength(one.cold);
    platform.advance(10 * 60_000);
    await one.read(codehost);
    const later = platform.double.requests.slice(one.cold);
    expect(later.map(({ status, conditional }) => [status, conditional])).toEqual(Array(one.warm).fill([304, true]));
    expect(platform.double.spent('core')).toBe(one.cold);
  });

  it('the viewer is requested each time, because the answer proves the token; unchanged it is free', async () => {
    const { codehost } = platform.as();
    const first = await codehost.viewer();
    expect(await codehost.viewer()).toEqual(first);
    expect(platform.double.requests.map(({ status, conditional }) => [status, conditional])).toEqual([
      [200, false],
      [304, true],
    ]);
    expect(platform.double.spent('core')).toBe(1);
  });

  it('the rate limits are free', async () => {
    const { codehost } = platform.as();
    const limits = await codehost.rateLimits();
    expect(limits).toMatchObject({
      core: { limit: 5000, remaining: 5000, used: 0 },
      search: { limit: 30 },
      disabled: false,
      checkedAt: namedNow,
    });
    await codehost.rateLimits();
    expect(platform.double.requests).toHaveLength(1);
    expect(platform.double.spent('core')).toBe(0);
  });

  it('states of 50 repositories are one GraphQL request', async () => {
    const { codehost } = platform.as();
    const names = Array.from({ length: 50 }, (_, i) => ({
      owner: 'many',
      repo: `repo-${String(i + 1).padStart(3, '0')}`,
    }));
    expect(await codehost.repositories.states(names)).toHaveLength(50);
    expect(platform.double.requests.map(({ path }) => path)).toEqual(['/graphql']);
  });

  it('50 equal questions at once are one request; 60 different ones are 60', async () => {
    const { codehost } = platform.as();
    await Promise.all(Array.from({ length: 50 }, () => codehost.workflows.list(web)));
    expect(platform.double.requests).toHaveLength(1);
    const all = (await codehost.repositories.ofOrganization('many')).items.slice(0, 60);
    platform.double.requests.length = 0;
    await Promise.all(all.map((name) => codehost.repositories.get(name)));
    expect(platform.double.requests).toHaveLength(60);
  });
});

describe('facts of the named world', () => {
  it('the account, its organizations and its repositories', async () => {
    const { codehost } = platform.as();
    expect(await codehost.viewer()).toMatchObject({
      login: 'ann',
      name: 'Ann Ngô',
      email: 'ann@codehost.example',
      scopes: ['repo', 'read:org'],
    });
    const organizations = await codehost.organizations.mine();
    expect(organizations.items.map(({ login }) => login)).toEqual(['octo', 'many', 'sealed']);
    expect([organizations.scopeHint, organizations.partial]).toEqual([false, false]);
    const mine = await codehost.repositories.mine();
    expect(mine.items).toHaveLength(216);
    expect(mine.items.find(({ repo }) => repo === 'dotfiles')?.affiliation).toBe('owner');
    expect(mine.items.find(({ repo }) => repo === 'api')).toMatchObject({
      description: 'Größe, 灯台 und 🚀',
      language: 'Go',
      affiliation: 'member',
    });
  });

  it('tokens that see less', async () => {
    const fine = platform.as('token-ann-fine').codehost;
    expect((await fine.viewer()).scopes).toBeNull();
    expect(await fine.organizations.mine()).toMatchObject({ items: [], scopeHint: true });
    expect((await fine.repositories.mine()).items.map(({ repo }) => repo).sort()).toEqual(['api', 'web']);
    const two = platform.as('token-ann-two').codehost;
    expect((await two.repositories.mine()).partial).toBe(true);
    const response = await errorOf(two.repositories.ofOrganization('sealed'));
    expect(response.code).toBe('sso_required');
    expect(response.details?.sso_url).toContain('https://codehost.example/orgs/sealed/sso');
    expect(
      (await errorOf(platform.as('token-bo').codehost.repositories.get({ owner: 'octo', repo: 'secret' }))).code,
    ).toBe('not_found');
    expect((await errorOf(platform.as().codehost.repositories.ofOrganization('ann'))).code).toBe('not_found');
  });

  it('states', async () => {
    const repos = ['web', 'empty', 'secret', 'no-issues', 'old', 'fork', 'before', 'nothing'];
    const names = repos.map((repo) => ({ owner: 'octo', repo }));
    const { codehost } = platform.as();
    const states = await codehost.repositories.states(names);
    expect(states.map(({ repo }) => repo)).toEqual(repos.slice(0, -1));
    const of = (repo: string) => states.find((state) => state.repo === repo);
    expect(of('web')).toEqual({
      ...web,
      id: 1001,
      stale: false,
      asOf: expect.any(Number),
      defaultBranch: 'main',
      headStatus: 'success',
      visibility: 'private',
      archived: false,
      fork: false,
      openIssues: 7,
      openPullRequests: 3,
      workflowFiles: 2,
      unread: null,
    });
    expect(of('empty')).toMatchObject({ defaultBranch: null, headStatus: null, workflowFiles: 0 });
    expect([of('secret')?.headStatus, of('no-issues')?.openIssues]).toEqual(['pending', null]);
    expect([of('old')?.archived, of('fork')?.fork]).toEqual([true, true]);
    expect(codehost.repositories.canonical({ owner: 'octo', repo: 'before' })?.repo).toBe('renamed-now');
  });

  it('workflows of every kind, and none where actions are off', async () => {
    const { codehost } = platform.as();
    const { items, totalCount } = await codehost.workflows.list(web);
    expect(totalCount).toBe(4);
    expect(items.map(({ name, state }) => [name, state])).toContainEqual([scriptTitle, 'disabled_manually']);
    expect(items.some(({ path }) => path.startsWith('dynamic/'))).toBe(true);
    expect((await codehost.workflows.list({ owner: 'octo', repo: 'no-actions' })).items).toEqual([]);
  });

  it('runs with bots, deleted accounts, attempts and titles as they are', async () => {
    const { codehost } = platform.as();
    const { items, totalCount } = await codehost.runs.ofWorkflow(web, workflowIds.webCi, 100);
    const of = (id: number) => items.find((run) => run.id === id);
    expect(totalCount).toBe(items.length);
    expect([...items].sort((a, b) => b.createdAt - a.createdAt)).toEqual(items);
    expect(of(5006)?.actor).toMatchObject({ login: 'dependabot[bot]', isBot: true });
    expect(of(5006)?.pullRequests).toMatchObject([{ number: 12, headSha: 'a'.repeat(40) }]);
    expect([of(5005)?.actor, of(5005)?.headCommit]).toEqual([null, null]);
    expect(of(5007)?.displayTitle).toBe(scriptTitle);
    expect([of(5009)?.attempt, of(5009)?.conclusion, of(5009)?.triggeringActor?.login]).toEqual([2, 'success', 'bo']);
    expect([of(5013)?.status, of(5013)?.conclusion]).toEqual(['queued', null]);
    expect(JSON.stringify(items)).not.toContain('@');
    const first = await codehost.runs.attempt(web, 5009, 1);
    expect([first?.attempt, first?.conclusion]).toEqual([1, 'failure']);
    expect([await codehost.runs.attempt(web, 5009, 9), await codehost.runs.get(web, 1)]).toEqual([null, null]);
  });

  it('jobs with their steps, skipped ones without a runner', async () => {
    const { items } = await platform.as().codehost.jobs.ofRun(web, 5011);
    expect(items.map(({ name, conclusion, runnerName }) => [name, conclusion, runnerName])).toEqual([
      ['build', 'success', 'GitHub Actions 12'],
      ['test', 'success', 'shelf-1'],
      ['publish', 'skipped', null],
    ]);
    expect(items[0]?.steps.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
    expect((items[0]?.steps[0]?.startedAt ?? 0) - (items[0]?.createdAt ?? 0)).toBe(45_000);
  });

  it('recent runs and windows over many pages', async () => {
    const from = namedNow - 20 * day;
    platform.double.addRuns('octo/api', 1050, { from, to: namedNow - 10 * day });
    const { codehost } = platform.as();
    const some = await codehost.runs.recent(api, namedNow - 30 * day, 3);
    expect([some.items.length, some.partial]).toEqual([300, true]);
    const filled = await codehost.runs.recent(api, namedNow - 6 * day, 5);
    expect([filled.items.length, filled.partial, filled.totalCount]).toEqual([7, false, 7]);
    const page = await codehost.runs.window(api, from, namedNow - 10 * day, 2);
    expect(page.runs).toHaveLength(100);
    expect(page.totalCount).toBeGreaterThanOrEqual(1000);
    expect(page.runs.every(({ createdAt }) => createdAt >= from && createdAt <= namedNow - 10 * day)).toBe(true);
  });

  it('a rename while the service runs', async () => {
    const { codehost } = platform.as();
    await codehost.workflows.list(web);
    platform.double.rename('octo/web', 'octo/site');
    platform.advance(10 * 60_000);
    expect((await codehost.workflows.list(web)).items).toHaveLength(4);
    expect((await codehost.repositories.get(web)).repo).toBe('site');
    expect(codehost.repositories.canonical(web)).toEqual({ owner: 'octo', repo: 'site' });
  });
});
