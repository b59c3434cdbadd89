import { describe, expect, test } from 'vitest';
import { insightsPrompt } from '../../server/ai/prompts.ts';
import type { Member } from '../access/personas.ts';
import { expectFields, expectProblem } from '../api/endpoints.ts';
import { minute } from '../metrics/worlds.ts';
import { failing, visitAi, written } from './ai-world.ts';

const visit = visitAi();
const insights = (query: string, as?: Member) => visit.ask(`/api/ai/insights?${query}`, as);

describe('a summary', () => {
  test('of a repository is written from its figures alone, and says who wrote it and when', async () => {
    visit.provider.usual = JSON.stringify(written.summary);
    const answer = await insights('owner=octo&repo=web');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      ok: true,
      provider: 'openai',
      model: 'gpt-5-mini',
      cached: false,
      unverified: false,
      content: written.summary,
      partial: expect.any(Boolean),
      generated_at: new Date(visit.service.clock.now()).toISOString(),
    });
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    const { system, snapshot } = visit.prompts();
    expect(system).toBe(insightsPrompt);
    expect(snapshot).toMatchObject({ surface: 'repository', scope: 'octo/web', period_days: 30 });
    expect(Object.keys(snapshot.dora)).toHaveLength(6);
    expect(snapshot.ci.runs_last_30d).toBeGreaterThan(5);
    expect(visit.provider.received[0]?.text).not.toContain('key-of-tests');
  });

  test('is shared by those who see the same figures, and written anew when asked to', async () => {
    visit.provider.usual = JSON.stringify(written.summary);
    const first = await insights('owner=octo&repo=api', 'in devops');
    const second = await insights('owner=octo&repo=api', 'in admin');
    expect([first.body.cached, second.body.cached, visit.provider.received.length]).toEqual([false, true, 1]);
    const anew = await insights('owner=octo&repo=api&refresh=1');
    expect([anew.body.cached, visit.provider.received.length]).toEqual([false, 2]);
    visit.service.clock.advance(16 * minute);
    expect((await insights('owner=octo&repo=api')).body.cached).toBe(false);
  });

  test('is written once for all who ask at once', async () => {
    visit.provider.next({ text: JSON.stringify(written.summary), afterMs: 100 });
    const query = 'owner=octo&repo=failing';
    const response = await Promise.all(
      Array.from({ length: 6 }, (_, index) => insights(query, index % 2 ? 'in admin' : 'in devops')),
    );
    expect(response.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(visit.provider.received).toHaveLength(1);
  });

  test('reports nobody what they were not granted', async () => {
    visit.provider.usual = JSON.stringify(written.summary);
    await insights('owner=octo&repo=web&refresh=1', 'in dev');
    await insights('owner=octo&repo=web&refresh=1', 'in admin');
    const sections = ['dora', 'bus_factor', 'recent_workflow_changes'];
    const sectionsOf = (index: number) =>
      Object.keys(visit.prompts(index).snapshot).filter((key) => sections.includes(key));
    expect([sectionsOf(0), sectionsOf(1)]).toEqual([['dora', 'bus_factor'], sections]);
    expectProblem(await insights('owner=octo&repo=web', 'in security'), 403, 'forbidden');
    const organization = await insights('org=octo', 'in dev');
    expectProblem(organization, 403, 'forbidden');
    expect(organization.body).toMatchObject({ ok: false, flag: 'healthScorecard' });
    expect(visit.provider.received).toHaveLength(2);
  });

  test('of an organization wins over a repository that is named too', async () => {
    visit.provider.usual = JSON.stringify(written.summary);
    const answer = await insights('org=octo&owner=octo&repo=web', 'in pm');
    expect([answer.status, answer.body.partial]).toEqual([200, expect.any(Boolean)]);
    const { snapshot } = visit.prompts();
    expect(snapshot).toMatchObject({ surface: 'organization', scope: 'octo' });
    expect(snapshot.worst_repos.length).toBeLessThanOrEqual(5);
  });

  test('with a number from nowhere is marked, one with an address is not shown', async () => {
    const one = (text: string) => ({ text: JSON.stringify({ ...written.summary, summary: text }) });
    visit.provider.next(one('It failed 4711 times.'));
    expect((await insights('owner=octo&repo=web&refresh=1')).body).toMatchObject({ unverified: true });
    visit.provider.next(one('See https://evil.example'), one('See https://evil.example'));
    const response = await insights('owner=octo&repo=web&refresh=1');
    expectProblem(response, 503, 'ai_unavailable');
    expect(response.text).not.toContain('evil');
  });

  test.each([
    ['', ['owner', 'missing'], ['repo', 'missing']],
    ['owner=octo', ['repo', 'missing']],
    ['org=octo&refresh=yes', ['refresh', 'invalid']],
  ] as const)('needs to know of what: %j', async (query, ...fields) => {
    expectFields(await insights(query), ...(fields as unknown as [string, string][]));
  });

  test('of what nobody shows the caller is 404', async () => {
    expectProblem(await insights('owner=octo&repo=nowhere'), 404, 'not_found');
    expect(visit.provider.received).toEqual([]);
  });
});

describe('saved settings', () => {
  const place = '/api/settings/ai';
  const save = async (body: object) => {
    expect((await visit.ask(place, 'in admin', { method: 'PUT', body })).status).toBe(200);
  };
  /** Changes them behind the back of the service. */
  const spoil = async (change: { value?: object; flip?: boolean }) => {
    const { store, clock } = visit.service.app.services;
    const saved = await store?.settings.get('ai');
    const sealed = saved?.secretSealed ?? '';
    const flipped = sealed.slice(0, -5) + (sealed.at(-5) === 'A' ? 'B' : 'A') + sealed.slice(-4);
    const by = { actor: { id: 1, login: 'ann' }, requestId: null, now: clock.now() };
    const secret = { sealed: change.flip ? flipped : sealed, hint: saved?.secretHint ?? '' };
    await store?.settings.put('ai', { value: change.value ?? Object(saved?.value), secret, by });
  };
  const surfaces = [
    'insights?org=octo',
    'insights?owner=octo&repo=web&refresh=1',
    `root-cause?${failing}`,
    `anomaly-explanation?${failing}&metric=duration`,
  ];

  test.each([
    ['do not open', { flip: true }],
    ['are not understood', { value: { enabled: true, provider: 'elsewhere', model: '', base_url: '' } }],
  ])('that %s are reported, and the environment does not stand in', async (_name, change) => {
    const choice = { provider: 'openai', api_key: 'key-of-ann-4711' };
    await save({ ...choice, enabled: true });
    await spoil(change);
    const { double } = visit.service;
    double.requests.length = 0;
    for (let times = 0; times < 11; times++)
      for (const surface of surfaces) {
        const answer = await visit.ask(`/api/ai/${surface}`);
        expectProblem(answer, 503, 'ai_unavailable');
        expect(answer.body.error).toContain('The saved AI settings cannot be read or opened');
      }
    expectFields(await visit.ask(`/api/ai/anomaly-explanation?${failing}&metric=cost`), ['metric', 'invalid']);
    expect((await visit.ask('/api/ai/status')).body).toEqual({ enabled: false, providers: [] });
    expect((await visit.ask(place, 'in admin')).body.effective_source).toBe('settings_broken');
    expect(
      double.requests.filter(({ path }) => path.startsWith('/repos')),
      'nothing is read for it',
    ).toEqual([]);
    expect(visit.provider.received).toEqual([]);
    await save({ ...choice, enabled: false });
    visit.provider.usual = JSON.stringify(written.summary);
    expect((await insights('owner=octo&repo=web&refresh=1')).status).toBe(200);
    expect(visit.provider.received).toHaveLength(1);
  });
});

describe('limits and switches', () => {
  test('each surface counts for itself, per token', async () => {
    const alone = await visit.alone();
    visit.provider.usual = JSON.stringify(written.summary);
    const ask = (path: string, as = 'token-ann') => alone.ask('GET', path, { as });
    const statuses = async (path: string, times: number) => {
      const all = [];
      for (let index = 0; index < times; index++) all.push((await ask(path)).status);
      return all;
    };
    const summaries = '/api/ai/insights?owner=octo&repo=web';
    expect(await statuses(`${summaries}&refresh=nonsense`, 2)).toEqual([400, 400]);
    expect(await statuses(summaries, 20)).toEqual(Array(20).fill(200));
    const limited = await ask(`${summaries}&refresh=1`);
    expectProblem(limited, 429, 'rate_limited');
    expect(limited.headers.get('ratelimit-limit')).toBe('20');
    expect((await ask(summaries, 'token-ann-two')).status, 'another token of the same person').toBe(200);
    const causes = '/api/ai/root-cause?owner=octo&repo=api&workflow_id=7101';
    visit.provider.usual = JSON.stringify(written.hypotheses());
    expect(await statuses(causes, 11)).toEqual([...Array(10).fill(200), 429]);
    const anomalies = '/api/ai/anomaly-explanation?owner=octo&repo=api&workflow_id=7101&metric=queue_wait';
    expect((await statuses(anomalies, 21)).map((status) => status === 429)).toEqual([...Array(20).fill(false), true]);
    await alone.close();
  });

  test('without a provider bad questions are bad, good ones are 503, however many', async () => {
    const alone = await visit.alone({ OPENAI_API_KEY: '' });
    const ask = (path: string) => alone.ask('GET', path, { as: 'token-ann' });
    expectFields(await ask(`/api/ai/anomaly-explanation?${failing}&metric=cost`), ['metric', 'invalid']);
    visit.service.double.requests.length = 0;
    for (let index = 0; index < 25; index++)
      expectProblem(await ask('/api/ai/insights?org=octo'), 503, 'ai_not_configured');
    expect(visit.service.double.requests, 'and nothing is read for them').toEqual([]);
    await alone.close();
  });

  test('a spent budget is 429, and what was written before is still shown', async () => {
    const alone = await visit.alone({ AI_DAILY_TOKEN_BUDGET: '4000' });
    const ask = (path: string) => alone.ask('GET', path, { as: 'token-ann' });
    visit.provider.next({ text: JSON.stringify(written.summary), usage: { prompt: 3000, completion: 900 } });
    expect((await ask('/api/ai/insights?owner=octo&repo=web')).status).toBe(200);
    const spent = await ask(`/api/ai/anomaly-explanation?${failing}&metric=duration`);
    expectProblem(spent, 429, 'ai_budget_exhausted');
    expect((await ask('/api/ai/insights?owner=octo&repo=web')).body.cached).toBe(true);
    expect(visit.provider.received).toHaveLength(1);
    await alone.close();
  });
});
