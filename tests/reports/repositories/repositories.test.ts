import { describe, expect, test } from 'vitest';
import { expectProblem, visitService } from '../../api/endpoints.ts';
import { aWorkflow } from '../../codehost-double/builders.ts';

const visit = visitService();
const day = 86_400_000;
const get = (path: string, as = 'token-ann') => visit.service.ask('GET', `/api/codehost/${path}`, { as });
/** Later than every copy lives. */
const later = () => visit.service.clock.advance(10 * 60_000);

const web = {
  id: 1001,
  name: 'web',
  owner: 'octo',
  full_name: 'octo/web',
  description: 'The shop <script>alert(1)</script>',
  html_url: 'https://codehost.example/octo/web',
  language: 'TypeScript',
  private: true,
  visibility: 'private',
  stargazers_count: 42,
  // The double's repositories were touched as many minutes ago as their id says.
  updated_at: '2026-11-15T17:19:00.000Z',
  pushed_at: '2026-11-15T17:19:00.000Z',
  archived: false,
  fork: false,
  default_branch: 'main',
  owner_type: 'org',
};

describe('repos', () => {
  test('lists everything the token can see, the latest update first, with how the caller belongs to it', async () => {
    const { body, headers } = await get('repos');
    expect(body).toHaveLength(11 + 205);
    expect(body[0]).toEqual({ ...web, affiliation: 'member' });
    const updates = body.map(({ updated_at }: { updated_at: string }) => updated_at);
    expect(updates).toEqual([...updates].sort().reverse());
    const own = body.find(({ name }: { name: string }) => name === 'dotfiles');
    expect(own).toMatchObject({
      owner: 'ann',
      owner_type: 'user',
      affiliation: 'owner',
      private: true,
      language: null,
    });
    expect(headers.get('x-total-count')).toBe('216');
    expect(headers.get('x-partial')).toBe('false');
    expect(headers.get('x-data-source')).toBe('live');
    expect(headers.get('x-data-as-of')).toBe('2026-11-16T10:00:00.000Z');
  });

  test('a collaborator of one repository has one, a fine-grained token what it was granted', async () => {
    const bo = await get('repos', 'token-bo');
    expect(bo.body.map(({ full_name }: { full_name: string }) => full_name)).toEqual(['octo/web']);
    const fine = await get('repos', 'token-ann-fine');
    expect(fine.body.map(({ full_name }: { full_name: string }) => full_name)).toEqual(['octo/web', 'octo/api']);
  });

  test('says when single sign-on keeps some back, and no total then', async () => {
    const { body, headers } = await get('repos', 'token-ann-two');
    expect(body.some(({ owner }: { owner: string }) => owner === 'sealed')).toBe(false);
    expect([headers.get('x-partial'), headers.get('x-total-count')]).toEqual(['true', null]);
  });

  test('nothing at all is an empty list', async () => {
    visit.service.double.removeAccess('octo/web', 'bo');
    later();
    expect((await get('repos', 'token-bo')).body).toEqual([]);
  });
});

describe('org-repos', () => {
  test('lists what the token sees of an organization, without saying how the caller belongs to it', async () => {
    const { body, headers } = await get('org-repos?org=OCTO');
    expect(body).toHaveLength(9);
    expect(body[0]).toEqual({ ...web, affiliation: null });
    expect(headers.get('x-total-count')).toBe('9');
    const empty = body.find(({ name }: { name: string }) => name === 'empty');
    expect(empty).toMatchObject({ language: null, owner_type: 'org' });
    expect((await get('org-repos?org=octo', 'token-bo')).body).toHaveLength(8);
  });

  test('reads all pages', async () => {
    const { body, headers } = await get('org-repos?org=many');
    expect(new Set(body.map(({ id }: { id: number }) => id)).size).toBe(205);
    expect(headers.get('x-total-count')).toBe('205');
  });

  test.each(['nobody', 'ann'])('%s is no organization', async (org) => {
    expectProblem(await get(`org-repos?org=${org}`), 404, 'not_found');
  });

  test('single sign-on is requested, with the address where', async () => {
    const answer = await get('org-repos?org=sealed', 'token-ann-two');
    expectProblem(answer, 403, 'sso_required');
    expect(answer.body.details).toEqual({
      upstream_status: 403,
      sso_url: 'https://codehost.example/orgs/sealed/sso?authorization_request=AZ',
    });
    expect((await get('org-repos?org=sealed')).body).toHaveLength(1);
  });
});

describe('orgs', () => {
  test('lists the organizations of the account', async () => {
    const { body, headers } = await get('orgs');
    expect(body).toEqual([
      { login: 'octo', avatar_url: 'https://avatars.codehost.example/octo', description: 'Where the tests live' },
      { login: 'many', avatar_url: 'https://avatars.codehost.example/many', description: null },
      { login: 'sealed', avatar_url: 'https://avatars.codehost.example/sealed', description: null },
    ]);
    expect([headers.get('x-orgs-hint'), headers.get('x-total-count')]).toEqual([null, '3']);
  });

  test.each(['token-ann-two', 'token-ann-fine'])('an empty list of %s proves nothing, and says so', async (token) => {
    const { body, headers } = await get('orgs', token);
    expect([body, headers.get('x-orgs-hint')]).toEqual([[], 'scope']);
  });
});

describe('rate-limit', () => {
  test('says what is left, in epoch seconds, and is fresh for half a minute', async () => {
    later();
    await visit.service.signIn('token-bo');
    visit.service.double.budgets.setRemaining('bo', 'core', 4321);
    const { body } = await get('rate-limit', 'token-bo');
    const now = visit.service.clock.now();
    const reset = now / 1000 + 3600;
    expect(body.core).toEqual({ limit: 5000, remaining: 4321, reset, used: 679 });
    expect(body.graphql).toEqual({ limit: 5000, remaining: 5000, reset, used: 0 });
    expect(body.search).toEqual({ limit: 30, remaining: 30, reset: now / 1000 + 60, used: 0 });
    const at = new Date(now).toISOString();
    expect(body).toMatchObject({ disabled: false, checked_at: at, generated_at: at, data_source: 'live' });
  });

  test('a server without limits says that it has none', async () => {
    later();
    visit.service.double.fault({ path: '/rate_limit' }, { kind: 'status', status: 404 });
    const none = { limit: 0, remaining: 0, reset: 0, used: 0 };
    const { status, body } = await get('rate-limit');
    expect(status).toBe(200);
    expect(body).toMatchObject({ core: none, graphql: none, search: none, disabled: true });
  });
});

describe('repo-summary', () => {
  const summary = (repo: string, as?: string) => get(`repo-summary?owner=octo&repo=${repo}`, as);

  test('reports octo/web', async () => {
    const { body } = await summary('web');
    const { recent_runs, trend_30d, ...rest } = body;
    expect(rest).toEqual({
      owner: 'octo',
      repo: 'web',
      default_branch: 'main',
      head_status: 'success',
      visibility: 'private',
      archived: false,
      fork: false,
      open_issues: 7,
      open_prs: 3,
      workflow_count: 4,
      workflow_files: 2,
      latest_run_at: expect.any(String),
      latest_status: 'queued',
      latest_conclusion: null,
      latest_actor: 'ann',
      latest_message: 'Change 5013',
      latest_sha: expect.stringMatching(/^[0-9a-f]{7}$/),
      success_rate: 67,
      success_rate_sample: 9,
      // On the default branch six of nine passed, and two of the newest three: 0.6 · 66.67 + 0.4 · 66.67.
      health: { label: 'fair', score: 67, sample: 9 },
      timezone: 'Asia/Saigon',
      generated_at: expect.any(String),
      data_source: 'live',
    });
    const ids = recent_runs.map(({ id }: { id: number }) => id);
    expect(ids).toEqual([5013, 5012, 5011, 5102, 5010, 5009, 5008, 5007, 5006, 5005]);
    expect(recent_runs[6]).toMatchObject({ status: 'completed', conclusion: 'cancelled' });
    expect(trend_30d).toHaveLength(30);
    expect([trend_30d[0].date, trend_30d[29].date]).toEqual(['2026-10-18', '2026-11-16']);
    expect(trend_30d.filter(({ total }: { total: number }) => total > 0)).toEqual([
      { date: '2026-11-14', success: 1, total: 2, covered: true },
      { date: '2026-11-15', success: 0, total: 1, covered: true },
      { date: '2026-11-16', success: 6, total: 7, covered: true },
    ]);
  });

  test('counts the workflows that the list of workflows has', async () => {
    for (const repo of ['web', 'api', 'fork', 'renamed-now', 'no-actions', 'empty']) {
      const list = await visit.service.ask('GET', `/api/codehost/workflows?owner=octo&repo=${repo}`, {
        as: 'token-ann',
      });
      expect([repo, (await summary(repo)).body.workflow_count]).toEqual([repo, list.body.length]);
    }
  });

  test('counts 950 workflows from one page', async () => {
    const { double, clock } = visit.service;
    const flow = (n: number) => aWorkflow('octo', 'flows', { id: 60_001 + n, createdAt: clock.now() - 300 * day });
    double.addRepository({
      name: 'octo/flows',
      facts: { id: 90_004 },
      workflows: Array.from({ length: 950 }, (_, n) => flow(n)),
    });
    await visit.service.signIn('token-ann');
    double.requests.length = 0;
    expect((await summary('flows')).body.workflow_count).toBe(950);
    expect(double.requests).toHaveLength(1 + 1 + 1);
  });

  test('has the number of workflow files in lists of repositories too', async () => {
    const { body } = await get('repo-attention?org=octo&q=web');
    expect(body.items[0].summary).toMatchObject({ repo: 'web', workflow_files: 2 });
    expect(body.items[0].summary).not.toHaveProperty('workflow_count');
  });

  test('knows nothing of a repository without runs, which is not zero', async () => {
    for (const repo of ['empty', 'no-actions']) {
      const { status, body } = await summary(repo);
      expect(status).toBe(200);
      expect(body).toMatchObject({
        head_status: null,
        latest_run_at: null,
        latest_status: null,
        latest_conclusion: null,
        latest_actor: null,
        latest_message: null,
        latest_sha: null,
        recent_runs: [],
        success_rate: null,
        success_rate_sample: 0,
        health: { label: 'unknown', score: null, sample: 0 },
      });
      expect(body.trend_30d).toHaveLength(30);
    }
    expect((await summary('empty')).body.default_branch).toBeNull();
  });

  test('marks archives and forks, and knows no issues where the tracker is off', async () => {
    expect((await summary('old')).body).toMatchObject({ archived: true, fork: false });
    expect((await summary('fork')).body).toMatchObject({ archived: false, fork: true });
    expect((await summary('no-issues')).body).toMatchObject({ open_issues: null, open_prs: 0 });
    expect((await summary('secret')).body).toMatchObject({ head_status: 'pending', visibility: 'private' });
  });

  test('days before the oldest run that was read are not called quiet', async () => {
    const now = visit.service.clock.now();
    visit.service.double.addRuns('octo/fork', 150, { from: now - 12 * day, to: now - day });
    later();
    const { body } = await summary('fork');
    const covered = body.trend_30d.map((one: { covered: boolean }) => one.covered);
    expect(covered.indexOf(true)).toBeGreaterThan(15);
    expect(covered.lastIndexOf(false)).toBe(covered.indexOf(true) - 1);
  });

  test('what the token cannot see is not there; single sign-on says so', async () => {
    expectProblem(await summary('nothing'), 404, 'not_found');
    expectProblem(await summary('secret', 'token-bo'), 404, 'not_found');
    expectProblem(await get('repo-summary?owner=sealed&repo=ledger', 'token-ann-two'), 403, 'sso_required');
  });
});
