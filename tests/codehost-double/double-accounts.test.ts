import { expect, test } from 'vitest';
import { namedNow } from './named-world.ts';
import { rows, visitDouble } from './visitor.ts';

const visit = visitDouble();
const { get, ask, clean } = visit;

test('a known answer comes as 304, free, and only to the same token', async () => {
  const path = '/repos/octo/web/actions/runs';
  const first = await get(path);
  const known = { 'if-none-match': first.headers.get('etag') ?? '' };
  expect(known['if-none-match']).toMatch(/^W\/"/);
  const again = await get(path, 'token-ann', known);
  expect([again.status, again.text]).toEqual([304, '']);
  expect(again.headers.get('x-ratelimit-used')).toBe('1');
  expect((await get(path, 'token-bo', known)).status).toBe(200);
  visit.double.putRun('octo/web', { id: 6001 });
  expect((await get(path, 'token-ann', known)).status).toBe(200);
  expect(visit.double.requests.map(({ status, cost, conditional }) => [status, cost, conditional])).toEqual([
    [200, 1, false],
    [304, 0, true],
    [200, 1, true],
    [200, 1, true],
  ]);
  expect(visit.double.spent('core')).toBe(3);
});

test('all tokens of an account share one budget, and an empty one refuses', async () => {
  await get('/user');
  expect((await get('/user', 'token-ann-fine')).headers.get('x-ratelimit-remaining')).toBe('4998');
  visit.double.budgets.setRemaining('ann', 'core', 0);
  const response = await get('/user', 'token-ann-two');
  expect([response.status, response.headers.get('x-ratelimit-remaining')]).toEqual([403, '0']);
  expect(response.body.message).toContain('rate limit exceeded');
  expect(Number(response.headers.get('x-ratelimit-reset'))).toBe(namedNow / 1000 + 3600);
  expect((await get('/user', 'token-bo')).status).toBe(200);
  const { body } = await get('/rate_limit');
  expect(body).toMatchObject({ resources: { core: { remaining: 0 }, graphql: { remaining: 5000 } } });
  clean();
});

test('unknown and revoked tokens are rejected', async () => {
  expect((await get('/user', 'nobody')).body.message).toBe('Bad credentials');
  visit.double.revokeToken('token-bo');
  expect((await get('/user', 'token-bo')).status).toBe(401);
  expect((await ask('{viewer{login}}', 'token-bo')).status).toBe(401);
  expect((await fetch(`${visit.double.url}/user`)).status).toBe(401);
});

test('each token sees its own repositories and shows its own scopes', async () => {
  const seen = async (token: string) => rows((await get('/user/repos?affiliation=owner,collaborator', token)).body);
  expect((await seen('token-bo')).map((one) => one.full_name)).toEqual(['octo/web']);
  expect((await seen('token-ann')).map((one) => one.full_name)).toEqual(['ann/dotfiles']);
  const octo = rows((await get('/orgs/octo/repos?sort=full_name', 'token-bo')).body).map((one) => one.name);
  expect(octo).toContain('web');
  expect(octo).not.toContain('secret');
  expect((await get('/repos/octo/secret', 'token-bo')).status).toBe(404);
  expect((await get('/repos/octo/old', 'token-ann-fine')).status).toBe(404);
  expect((await get('/user')).headers.get('x-oauth-scopes')).toBe('repo, read:org');
  expect((await get('/user', 'token-ann-fine')).headers.has('x-oauth-scopes')).toBe(false);
  expect(rows((await get('/user/orgs', 'token-ann-two')).body)).toEqual([]);
  clean();
});

test('access can be taken away while the double runs', async () => {
  visit.double.removeAccess('octo/web', 'bo');
  expect((await get('/repos/octo/web', 'token-bo')).status).toBe(404);
  visit.double.setVisibility('octo/api', 'private');
  expect((await get('/repos/octo/api', 'token-bo')).status).toBe(404);
  expect((await get('/repos/octo/api')).body.visibility).toBe('private');
});

test('single sign-on shows as an error or as a shorter list', async () => {
  const response = await get('/repos/sealed/ledger', 'token-ann-two');
  expect(response.status).toBe(403);
  expect(response.headers.get('x-github-sso')).toMatch(/^required; url=https:/);
  expect((await get('/repos/sealed/ledger')).status).toBe(200);
  const list = await get('/user/repos?per_page=100&page=3', 'token-ann-two');
  expect(list.headers.get('x-github-sso')).toBe('partial-results; organizations=203');
  const { errors } = await ask('{repository(owner:"sealed",name:"ledger"){name}}', 'token-ann-two');
  expect(errors?.[0]?.type).toBe('FORBIDDEN');
  clean();
});
