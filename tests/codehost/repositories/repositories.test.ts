import { beforeEach, describe, expect, it } from 'vitest';
import {
  clientOf,
  errorOf,
  linkTo,
  pageIn,
  platformOfEachTest,
  startPlatform,
  wireRepository,
  wireRun,
} from '../platform.ts';

const platform = platformOfEachTest((_seen, answer) => answer.json(404, {}));

const web = { owner: 'octo', repo: 'web' };

describe('repositories', () => {
  it('are facts, with the affiliation', async () => {
    platform.handler = (_seen, answer) =>
      answer.json(200, [
        wireRepository(),
        wireRepository({ id: 2, owner: { login: 'mona', type: 'User' }, permissions: { admin: true } }),
        wireRepository({ id: 3, owner: { login: 'pal', type: 'User' }, visibility: undefined, pushed_at: null }),
      ]);
    const { items, partial, stale } = await clientOf(platform.url).codehost.repositories.mine();
    expect(items[0]).toEqual({
      owner: 'octo',
      repo: 'web',
      id: 1,
      description: null,
      htmlUrl: 'https://example.test/octo/web',
      language: 'TypeScript',
      private: true,
      visibility: 'internal',
      stars: 3,
      hasIssues: true,
      archived: false,
      fork: false,
      defaultBranch: 'main',
      ownerType: 'org',
      createdAt: Date.parse('2025-11-02T09:00:00Z'),
      updatedAt: Date.parse('2026-03-09T10:00:00Z'),
      pushedAt: Date.parse('2026-03-09T11:00:00Z'),
      affiliation: 'member',
    });
    expect(items.map(({ affiliation }) => affiliation)).toEqual(['member', 'owner', 'collaborator']);
    expect([items[2]?.visibility, items[2]?.pushedAt]).toEqual(['private', null]);
    expect([partial, stale]).toEqual([false, false]);
    expect(platform.requests[0]?.url).toContain('sort=updated');
  });

  it('are read page 1 first, then the rest at the same time, each item once', async () => {
    const running = { now: 0, most: 0 };
    const five = Promise.withResolvers<void>();
    platform.handler = async (seen, answer) => {
      const page = pageIn(seen.url);
      running.most = Math.max(running.most, ++running.now);
      if (running.now === 5) five.resolve();
      if (page > 1) await five.promise;
      running.now -= 1;
      answer.json(200, [wireRepository({ id: page }), wireRepository({ id: page + 1 })], { link: linkTo(page, 6) });
    };
    const timing = { restAttemptMs: 20_000, restTotalMs: 20_000 };
    const { items, partial } = await clientOf(platform.url, { timing }).codehost.repositories.ofOrganization('octo');
    expect(items.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(partial).toBe(false);
    expect(platform.requests).toHaveLength(6);
    expect(running.most).toBe(5);
  });

  it('stop at 30 pages and say so', async () => {
    platform.handler = (seen, answer) => {
      const page = pageIn(seen.url);
      answer.json(200, [wireRepository({ id: page })], { link: linkTo(page, 40) });
    };
    const { items, partial } = await clientOf(platform.url).codehost.repositories.mine();
    expect([items.length, partial, platform.requests.length]).toEqual([30, true, 30]);
  });

  it('are read one page after another when the last page is not reported', async () => {
    platform.handler = (seen, answer) => {
      const page = pageIn(seen.url);
      answer.json(200, [wireRepository({ id: page })], page < 4 ? { link: '<http://x/?page=9>; rel="next"' } : {});
    };
    const { items, partial } = await clientOf(platform.url).codehost.repositories.mine();
    expect([items.length, partial]).toEqual([4, false]);
  });

  it('stored back by single sign-on make the list partial', async () => {
    platform.handler = (_seen, answer) =>
      answer.json(200, [wireRepository()], { 'x-github-sso': 'partial-results; organizations=21' });
    const { partial, hidden } = await clientOf(platform.url).codehost.repositories.mine();
    expect([partial, hidden]).toEqual([true, true]);
  });
});

describe('a repository read a short while ago', () => {
  it('is known without asking again, and whether its tracker is on', async () => {
    platform.handler = (_seen, answer) => answer.json(200, wireRepository({ has_issues: false }));
    const { codehost, clock } = clientOf(platform.url);
    expect(codehost.repositories.known(web)).toBeNull();
    await codehost.repositories.get(web);
    expect(codehost.repositories.known(web)).toMatchObject({ owner: 'octo', repo: 'web', hasIssues: false });
    expect(codehost.repositories.known({ owner: 'octo', repo: '..' })).toBeNull();
    clock.advance(600_000);
    expect(codehost.repositories.known(web)).toBeNull();
    expect(platform.requests).toHaveLength(1);
  });
});

describe('a renamed repository', () => {
  const moved = wireRepository({ id: 9, name: 'site' });
  beforeEach(() => {
    platform.handler = (seen, answer) => {
      const { url } = seen;
      if (url.startsWith('/repos/octo/web')) {
        const rest = url.slice('/repos/octo/web'.length);
        return answer.json(301, { message: 'Moved' }, { location: `${platform.url}/repositories/9${rest}` });
      }
      if (url === '/repositories/9') return answer.json(200, moved);
      return answer.json(200, { total_count: 1, workflow_runs: [wireRun()] });
    };
  });

  it('is followed, and its new name is known', async () => {
    const { codehost, sent } = clientOf(platform.url);
    expect(codehost.repositories.canonical(web)).toBeNull();
    expect((await codehost.repositories.get(web)).repo).toBe('site');
    expect(codehost.repositories.canonical({ owner: 'OCTO', repo: 'Web' })).toEqual({ owner: 'octo', repo: 'site' });
    expect(sent.map(({ status }) => status)).toEqual([301, 200]);
  });

  it('is learned from a list at the price of one request, once', async () => {
    const { codehost, sent, clock } = clientOf(platform.url);
    await codehost.runs.ofWorkflow(web, 5, 10);
    expect(codehost.repositories.canonical(web)).toEqual({ owner: 'octo', repo: 'site' });
    expect(sent).toHaveLength(3);
    clock.advance(600_000);
    await codehost.runs.ofWorkflow(web, 5, 10);
    expect(sent).toHaveLength(5);
    expect(platform.requests.at(-1)?.url).toContain('/repositories/9/actions/workflows/5/runs?per_page=10');
  });

  it('does not spoil a read when its name cannot be learned, nor takes the token to another host', async () => {
    const other = await startPlatform((_seen, answer) => answer.json(200, moved));
    const good = platform.handler;
    platform.handler = (seen, answer) => (seen.url === '/repositories/9' ? answer.json(404, {}) : good(seen, answer));
    const { codehost } = clientOf(platform.url);
    expect((await codehost.runs.ofWorkflow(web, 5, 10)).items).toHaveLength(1);
    expect(codehost.repositories.canonical(web)).toBeNull();
    platform.handler = (_seen, answer) => answer.json(301, {}, { location: `${other.url}/repositories/9` });
    expect((await errorOf(codehost.repositories.get(web))).code).toBe('upstream_unavailable');
    expect(other.requests).toHaveLength(0);
    await other.close();
  });

  it('going round in circles is upstream_unavailable', async () => {
    platform.handler = (seen, answer) => answer.json(302, {}, { location: seen.url });
    expect((await errorOf(clientOf(platform.url).codehost.viewer())).code).toBe('upstream_unavailable');
  });
});
