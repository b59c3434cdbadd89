import { expect, test } from 'vitest';
import { visitSite } from './visited-site.ts';

const visit = visitSite();

/** Somebody whose token is not authorized for the single sign-on of an organization. */
async function signIn(token: string, memberOf: string[], scopes = ['repo', 'read:org']): Promise<string> {
  const { accounts, tokens } = visit.site.double.world;
  accounts.push({ id: 930 + accounts.length, login: token, name: null, email: null, memberOf });
  tokens.push({ token, login: token, scopes, authorizedFor: [], only: null });
  return visit.site.signIn(token);
}

test('who sees nothing because of single sign-on is told to authorize the token', async () => {
  const cookie = await signIn('token-hidden', ['sealed']);
  for (const path of ['/', '/team', '/ci']) {
    const { content, links } = await visit.read(path, cookie);
    expect([path, content]).toEqual([path, expect.stringContaining('Single sign-on hides your repositories')]);
    expect(content).not.toContain('Ask for access to one');
    expect(links.some((href) => href.endsWith('/settings/tokens'))).toBe(true);
  }
  const { content } = await visit.read('/ci?org=sealed', cookie);
  expect(content).not.toContain('is not one of your organizations');
});

test('a list that single sign-on shortens is never called complete', async () => {
  const cookie = await signIn('token-half', ['sealed', 'octo']);
  const synced = await fetch(`${visit.site.url}/api/db/sync?owner=octo&repo=web`, {
    method: 'POST',
    headers: { cookie, origin: visit.site.url },
  });
  expect(synced.status).toBe(200);
  const { content } = await visit.read('/', cookie);
  expect(content).toContain('1 repository synced');
  expect(content).toContain('Single sign-on hides repositories: authorize the token for the organization.');
});

test('a token that cannot list organizations is said to be why none is listed', async () => {
  const cookie = await signIn('token-scopeless', ['octo'], ['repo']);
  for (const path of ['/', '/ci']) {
    const { content } = await visit.read(path, cookie);
    expect([path, content]).toEqual([path, expect.stringContaining('The token cannot list organizations (read:org)')]);
  }
  const { content } = await visit.read('/ci?org=many', cookie);
  expect(content).toContain('No repository of many has been synced yet.');
  expect(content).not.toContain('is not one of your organizations');
  const all = await visit.read('/ci', visit.ann);
  expect(all.content).not.toContain('cannot list organizations');
});

test('who sees nothing is told which scopes a token needs', async () => {
  const cookie = await signIn('token-nothing', [], []);
  for (const path of ['/ci', '/team'])
    expect((await visit.read(path, cookie)).content).toContain('A classic token needs repo and read:org');
});

test('checks that the token may not read are not blamed on the platform', async () => {
  const denied = { kind: 'failing_field', field: 'Commit.statusCheckRollup', type: 'FORBIDDEN' } as const;
  visit.site.double.fault({ path: '/graphql', times: 1_000_000 }, denied);
  const cookie = await signIn('token-unchecked', ['octo']);
  const { content } = await visit.read('/?org=octo', cookie);
  expect(content).toContain('The token may not read checks (permissions Commit statuses and Checks) of ');
  expect(content).not.toContain('statusCheckRollup');
});
