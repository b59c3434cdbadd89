import { describe, expect, it } from 'vitest';
import { clientOf, platformOfEachTest } from '../platform.ts';

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
