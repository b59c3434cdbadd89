import { describe, expect, test } from 'vitest';
import { expectProblem, freshService } from '../../api/endpoints.ts';
import { scriptTitle } from '../../codehost-double/named-world.ts';

const visit = freshService();
const get = (path: string, as = 'token-ann') => visit.service.ask('GET', `/api/codehost/${path}`, { as });
const overview = (repo: string) => get(`repo-overview?owner=octo&repo=${repo}`);

interface Entry {
  name: string;
  id: number;
}

describe('workflows', () => {
  test('lists all of them, the active ones first, then by name', async () => {
    const { body, headers } = await get('workflows?owner=octo&repo=web');
    expect(body.map(({ name, state }: { name: string; state: string }) => [name, state])).toEqual([
      ['CI', 'active'],
      ['Dependabot Updates', 'active'],
      ['Deploy', 'active'],
      [scriptTitle, 'disabled_manually'],
    ]);
    expect(body[0]).toEqual({
      id: 7001,
      name: 'CI',
      path: '.github/workflows/ci.yml',
      state: 'active',
      is_dynamic: false,
      html_url: 'https://codehost.example/octo/web/blob/main/.github/workflows/ci.yml',
      badge_url: 'https://codehost.example/octo/web/workflows/CI/badge.svg',
      created_at: '2026-04-30T10:00:00.000Z',
      updated_at: '2026-04-30T10:00:00.000Z',
    });
    expect(body[1].is_dynamic).toBe(true);
    expect(headers.get('x-total-count')).toBe('4');
  });

  test('where there are none, or they are switched off, the list is empty', async () => {
    for (const repo of ['empty', 'no-actions'])
      expect((await get(`workflows?owner=octo&repo=${repo}`)).body).toEqual([]);
  });
});

describe('repo-overview', () => {
  test('reports every workflow, disabled ones last', async () => {
    const { body, headers } = await overview('web');
    expect(body.map(({ id }: Entry) => id)).toEqual([7001, 7004, 7002, 7003]);
    expect([headers.get('x-total-count'), headers.get('x-partial')]).toEqual(['4', 'false']);
    const ci = body[0];
    expect(ci.summary).toMatchObject({
      latest_run_at: '2026-11-16T09:59:00.000Z',
      latest_status: 'queued',
      latest_conclusion: null,
      latest_actor: 'ann',
      latest_message: 'Change 5013',
      // On the default branch five of seven passed.
      success_rate: 71,
      success_rate_sample: 7,
      timezone: 'Asia/Saigon',
      // The same runs, and two of the newest three: 0.6 · 71.43 + 0.4 · 66.67.
      health: { label: 'fair', score: 70, sample: 7 },
    });
    const ids = ci.summary.recent_runs.map(({ id }: Entry) => id);
    expect(ids).toEqual([5013, 5012, 5011, 5010, 5009, 5008, 5007, 5006, 5005, 5004]);
    expect(ci.summary.trend_30d.filter(({ total }: { total: number }) => total > 0)).toEqual([
      { date: '2026-11-14', success: 1, total: 1, covered: true },
      { date: '2026-11-15', success: 0, total: 1, covered: true },
      { date: '2026-11-16', success: 5, total: 6, covered: true },
    ]);
  });

  test('draws the durations of the runs that passed or failed, oldest first', async () => {
    const { body } = await overview('web');
    const points = body[0].dur_points as { run_number: number }[];
    expect(points.map(({ run_number }) => run_number)).toEqual([5001, 5002, 5003, 5005, 5006, 5007, 5009, 5010, 5011]);
    expect(points[2]).toEqual({
      run_number: 5003,
      conclusion: 'timed_out',
      duration_ms: 21_600_000,
      created_at: '2026-11-15T10:00:00.000Z',
    });
    expect(body[2].dur_points).toHaveLength(2);
  });

  test('a workflow without runs has no rate, which is not zero', async () => {
    const dynamic = (await overview('web')).body[1];
    expect(dynamic.summary).toMatchObject({
      latest_run_at: null,
      latest_sha: null,
      recent_runs: [],
      success_rate: null,
      success_rate_sample: 0,
      health: { label: 'unknown', score: null, sample: 0 },
    });
    expect(dynamic.dur_points).toEqual([]);
    expect(dynamic.flaky).toMatchObject({ rate_pct: null, sample: 0 });
  });

  test('two conclusive runs make no health', async () => {
    const deploy = (await overview('web')).body[2];
    expect(deploy.summary.health).toEqual({ label: 'unknown', score: null, sample: 2 });
    expect(deploy.summary.success_rate).toBe(50);
  });

  test('keeps twenty durations, the last ones', async () => {
    const { double, clock } = visit.service;
    double.addRuns('octo/fork', 25, { from: clock.now() - 86_400_000, to: clock.now() - 600_000, firstId: 600_001 });
    const numbers = (await overview('fork')).body[0].dur_points.map((one: { run_number: number }) => one.run_number);
    expect(numbers).toEqual(Array.from({ length: 20 }, (_, n) => 600_006 + n));
  });

  test('failures in a row that go back to the oldest run read are at least so many', async () => {
    const { double, clock } = visit.service;
    const streak = async (failures: number, oldest: 'failure' | 'success') => {
      const name = `octo/failing-${failures}-${oldest}`;
      double.addRepository({ name, facts: { id: 800 + failures + oldest.length } });
      for (let id = 0; id <= failures; id++) {
        const at = clock.now() - (100 - id) * 60_000;
        const run = { createdAt: at, startedAt: at, updatedAt: at, conclusion: id === 0 ? oldest : 'failure' } as const;
        double.putRun(name, { id: failures * 1000 + oldest.length * 100 + id, ...run });
      }
      return (await overview(name.slice(5))).body[0].default_branch;
    };
    expect(await streak(4, 'failure')).toMatchObject({ failures: 5, failures_lower_bound: false });
    expect(await streak(24, 'success')).toMatchObject({ failures: 24, failures_lower_bound: false });
    expect(await streak(24, 'failure')).toMatchObject({ failures: 25, failures_lower_bound: true });
  });

  test('a workflow whose runs cannot be read appears all the same', async () => {
    visit.service.double.fault(
      { path: '/repos/octo/web/actions/workflows/7002/runs', times: 9 },
      { kind: 'status', status: 403 },
    );
    const { status, body, headers } = await overview('web');
    expect(status).toBe(200);
    expect(headers.get('x-partial')).toBe('true');
    expect(body.map(({ id }: Entry) => id)).toEqual([7001, 7004, 7002, 7003]);
    expect(body[2]).toMatchObject({ name: 'Deploy', partial: true, dur_points: [] });
    expect(body[2].summary).toMatchObject({ latest_run_at: null, success_rate: null, health: { label: 'unknown' } });
    expect(body[0].summary.success_rate).toBe(71);
  });

  test('nothing to tell is an empty list', async () => {
    for (const repo of ['empty', 'no-actions']) expect((await overview(repo)).body).toEqual([]);
  });
});

describe('a repository that is not what it was', () => {
  const questions = [
    'repo-summary?',
    'repo-overview?',
    'workflows?',
    'runs?workflow_id=10071&',
    'workflow-health?workflow_id=10071&',
  ];

  test.each(questions)('%s: one that was renamed answers by both names, and says the present one', async (question) => {
    const former = await get(`${question}owner=octo&repo=before`);
    expect([former.status, former.headers.get('x-canonical-repo')]).toEqual([200, 'octo/renamed-now']);
    const now = await get(`${question}owner=octo&repo=renamed-now`);
    expect([now.status, now.headers.get('x-canonical-repo')]).toEqual([200, null]);
  });

  test('run-details: by both names', async () => {
    visit.service.double.putRun('octo/renamed-now', { id: 9001 });
    const former = await get('run-details?owner=octo&repo=before&run_id=9001');
    expect([former.status, former.headers.get('x-canonical-repo')]).toEqual([200, 'octo/renamed-now']);
  });

  test.each([...questions, 'run-details?run_id=5011&'])('%s: hidden and absent are the same', async (question) => {
    for (const [repo, token] of [
      ['nothing', 'token-ann'],
      ['secret', 'token-bo'],
    ] as const) {
      const answer = await get(`${question}owner=octo&repo=${repo}`, token);
      expectProblem(answer, 404, 'not_found');
    }
  });

  test.each([...questions, 'run-details?run_id=5011&'])('%s: single sign-on is asked for', async (question) => {
    const answer = await get(`${question}owner=sealed&repo=ledger`, 'token-ann-two');
    expectProblem(answer, 403, 'sso_required');
    expect(answer.body.details.sso_url).toMatch(/^https:\/\/codehost\.example\/orgs\/sealed\/sso/);
  });

  test.each([...questions, 'run-details?run_id=5011&', 'repos?', 'orgs?', 'org-repos?org=octo&', 'rate-limit?'])(
    '%s: a revoked token is 401 and ends the session',
    async (question) => {
      const cookie = await visit.service.signIn('token-ann');
      visit.service.double.revokeToken('token-ann');
      const answer = await get(`${question}owner=octo&repo=web`);
      expectProblem(answer, 401, 'unauthenticated');
      expect(answer.body.details.reason).toBe('token_rejected');
      expect(answer.headers.get('set-cookie')).toMatch(/^das_session=; Max-Age=0;/);
      visit.service.double.reset();
      expect((await visit.service.ask('GET', '/api/auth/me', { headers: { cookie } })).status).toBe(401);
    },
  );
});
