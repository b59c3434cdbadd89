import { describe, expect, it } from 'vitest';
import { Problem } from '../../../server/platform/problem.ts';
import { type Answerer, clientOf, platformOfEachTest, type Seen } from '../platform.ts';

const platform = platformOfEachTest((_seen, answer) => answer.json(404, {}));

describe('the account', () => {
  const user = { id: 5, login: 'mona', name: null, avatar_url: 'https://example.test/a', email: 'mona@example.test' };

  it('has its scopes; null when the token shows none', async () => {
    platform.handler = (_seen, answer) => answer.json(200, user, { 'x-oauth-scopes': 'repo, read:org' });
    const viewer = await clientOf(platform.url).codehost.viewer();
    expect(viewer).toEqual({
      id: 5,
      login: 'mona',
      name: null,
      avatarUrl: 'https://example.test/a',
      email: 'mona@example.test',
      scopes: ['repo', 'read:org'],
    });
    platform.handler = (_seen, answer) => answer.json(200, user);
    expect((await clientOf(platform.url).codehost.viewer()).scopes).toBeNull();
  });

  it.each([
    { scopes: 'repo, read:org', hint: false },
    { scopes: 'admin:org', hint: false },
    { scopes: 'repo', hint: true },
    { scopes: '', hint: true },
    { scopes: undefined, hint: true },
  ])('with scopes $scopes its organizations carry the hint $hint', async ({ scopes, hint }) => {
    const organization = { login: 'octo', avatar_url: 'https://example.test/o', description: null };
    platform.handler = (_seen, answer) =>
      answer.json(200, [organization], scopes === undefined ? {} : { 'x-oauth-scopes': scopes });
    const read = await clientOf(platform.url).codehost.organizations.mine();
    expect(read.items).toEqual([{ login: 'octo', avatarUrl: 'https://example.test/o', description: null }]);
    expect(read.scopeHint).toBe(hint);
    expect(platform.requests).toHaveLength(1);
  });

  describe('of whom the membership is asked', () => {
    /** Whether this was the question for the account, which was renamed; then it is answered. */
    const renamed = (seen: Seen, answer: Answerer) => {
      if (seen.url !== '/user/5') return false;
      answer.json(200, { id: 5, login: 'new' });
      return true;
    };

    it.each([
      { status: 204, isMember: true },
      { status: 404, isMember: false },
    ])('is looked up by its number each time, and is a member by $status', async ({ status, isMember }) => {
      platform.handler = (seen, answer) => renamed(seen, answer) || answer.raw.writeHead(status).end();
      const { organizations } = clientOf(platform.url).codehost;
      for (let time = 0; time < 2; time++) expect(await organizations.hasMember('octo', 5)).toBe(isMember);
      const both = ['/user/5', '/orgs/octo/members/new'];
      expect(platform.requests.map(({ url }) => url)).toEqual([...both, ...both]);
    });

    it.each([403, 410, 500])('stays unknown where the platform answers %i', async (status) => {
      platform.handler = (seen, answer) => renamed(seen, answer) || answer.json(status, {});
      await expect(clientOf(platform.url).codehost.organizations.hasMember('octo', 5)).rejects.toThrow(Problem);
    });

    it('stays unknown where it is not found by its number, or the token sees public members alone', async () => {
      const { organizations } = clientOf(platform.url).codehost;
      await expect(organizations.hasMember('octo', 5)).rejects.toThrow(Problem);
      platform.handler = (seen, answer) => {
        if (renamed(seen, answer)) return;
        if (seen.url.includes('/public_members/')) answer.json(404, {});
        else answer.raw.writeHead(302, { location: `${platform.url}/orgs/octo/public_members/new` }).end();
      };
      await expect(organizations.hasMember('octo', 5)).rejects.toThrow(Problem);
      expect(platform.requests.at(-1)?.url).toBe('/orgs/octo/public_members/new');
    });
  });

  it('has no limits on a server that switched them off', async () => {
    const { codehost, clock, sent } = clientOf(platform.url);
    const none = { limit: 0, remaining: 0, reset: 0, used: 0 };
    const limits = await codehost.rateLimits();
    expect(limits).toEqual({ core: none, graphql: none, search: none, disabled: true, checkedAt: clock.now() });
    clock.advance(29_999);
    await codehost.rateLimits();
    expect(sent).toHaveLength(1);
  });
});
