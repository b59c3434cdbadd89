import { describe, expect, test } from 'vitest';
import { createContext, demoContext } from '../../../server/http/context.ts';
import { expectFields, expectProblem, visitService } from '../../api/endpoints.ts';
import { startService } from '../../support/service.ts';

const visit = visitService({ RATE_LIMIT_DEMO_PER_MINUTE: '0' });
const demo = (query: string) => visit.service.ask('GET', `/api/demo?${query}`);

interface Run {
  id: number;
  created_at: string;
  conclusion: string | null;
  status: string;
}

describe('the demo', () => {
  test('shows eight invented repositories to anybody, cached by anybody', async () => {
    const { status, body, headers } = await demo('resource=repos');
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['repos']);
    expect(body.repos).toHaveLength(8);
    expect(new Set(body.repos.map(({ owner }: { owner: string }) => owner)).size).toBe(1);
    for (const repo of body.repos) expect(repo.html_url).toBe('#');
    expect(headers.get('cache-control')).toBe('public, max-age=3600');
    expect(headers.get('set-cookie')).toBeNull();
  });

  test('has the very fields of the real answers', async () => {
    const as = { as: 'token-ann' };
    const keys = (one: object) => Object.keys(one).sort();
    const real = {
      repos: (await visit.service.ask('GET', '/api/codehost/repos', as)).body[0],
      runs: (await visit.service.ask('GET', '/api/codehost/runs?owner=octo&repo=web&workflow_id=7001', as)).body[0],
      summary: (await visit.service.ask('GET', '/api/codehost/repo-overview?owner=octo&repo=web', as)).body[0].summary,
    };
    const { repos } = (await demo('resource=repos')).body;
    expect(keys(repos[0])).toEqual(keys(real.repos));
    expect(keys((await demo('resource=runs')).body.runs[0])).toEqual(keys(real.runs));
    expect(keys((await demo(`resource=summary&repo=${repos[0].name}`)).body.summary)).toEqual(keys(real.summary));
  });

  test('sums up the first repository where none is named', async () => {
    const first = (await demo('resource=repos')).body.repos[0].name;
    const { status, text } = await demo('resource=summary');
    expect([status, text]).toEqual([200, (await demo(`resource=summary&repo=${first}`)).text]);
  });

  test('lists 50 runs of the first repository, or as many as requested, at most 200', async () => {
    const first = (await demo('resource=repos')).body.repos[0].name;
    const plain = await demo('resource=runs');
    expect(plain.body.runs).toHaveLength(50);
    expect((await demo(`resource=runs&repo=${first}`)).text).toBe(plain.text);
    const three = (await demo('resource=runs&count=3')).body.runs;
    expect(three).toEqual(plain.body.runs.slice(0, 3));
    const most = await demo('resource=runs&count=500');
    expect([most.body.runs.length, most.headers.get('x-effective-limit')]).toEqual([200, '200']);
    const times = most.body.runs.map(({ created_at }: Run) => created_at);
    expect(times).toEqual([...times].sort().reverse());
    expectFields(await demo('resource=runs&count=0'), ['count', 'invalid']);
  });

  test('summary and runs of every repository agree, and no day has more passes than runs', async () => {
    for (const { name } of (await demo('resource=repos')).body.repos) {
      const { summary } = (await demo(`resource=summary&repo=${name.toUpperCase()}`)).body;
      const { runs } = (await demo(`resource=runs&repo=${name}&count=10`)).body as { runs: Run[] };
      expect(summary.recent_runs.map(({ id }: Run) => id)).toEqual(runs.map(({ id }) => id));
      expect(summary.latest_run_at).toBe(runs[0]?.created_at ?? null);
      expect(summary.latest_conclusion).toBe(runs[0]?.conclusion ?? null);
      expect(summary.trend_30d).toHaveLength(30);
      for (const day of summary.trend_30d) expect(day.success).toBeLessThanOrEqual(day.total);
    }
  });

  test('reaches every state: failures in a row, re-runs, cancelled runs, queue spikes and slow ones', async () => {
    const { repos } = (await demo('resource=repos')).body;
    const answers = await Promise.all(
      repos.map(({ name }: { name: string }) => demo(`resource=runs&repo=${name}&count=200`)),
    );
    const runs = answers.flatMap(({ body }) => body.runs);
    expect(runs.some(({ run_attempt }) => run_attempt > 1)).toBe(true);
    expect(runs.some(({ conclusion }) => conclusion === 'cancelled')).toBe(true);
    expect(runs.some(({ status }) => status !== 'completed')).toBe(true);
    const metrics = new Set(runs.flatMap(({ anomalies }) => anomalies.map((one: { metric: string }) => one.metric)));
    expect(metrics).toEqual(new Set(['duration', 'queue_wait']));
    const outcomes = answers.map(({ body }) => body.runs.map((one: { outcome: string }) => one.outcome[0]).join(''));
    expect(outcomes.some((text) => /fff/.test(text.replaceAll(/[^pf]/g, '')))).toBe(true);
  });

  test('is the same all day, in every process, and moves on with the day', async () => {
    const evening = await startService();
    evening.clock.advance(13 * 3_600_000);
    const later = await evening.ask('GET', '/api/demo?resource=runs');
    expect(later.text).toBe((await demo('resource=runs')).text);
    expect(later.headers.get('cache-control')).toBe('public, max-age=3600');
    evening.clock.advance(3_600_000);
    expect((await evening.ask('GET', '/api/demo?resource=runs')).text).not.toBe(later.text);
    await evening.close();
  });

  test('has nothing of the platform, whoever asks', async () => {
    const response = await visit.service.ask('GET', '/api/demo?resource=repos', { as: 'token-ann' });
    expect(response.text).toBe((await demo('resource=repos')).text);
    expect(response.text).not.toContain('octo');
  });

  test('its pages need no database either', async () => {
    const { services } = visit.service.app;
    const incoming = {
      method: 'GET',
      url: new URL('http://localhost:3000/demo'),
      headers: new Headers(),
      address: '',
      signal: new AbortController().signal,
    };
    const context = demoContext(createContext(services, incoming));
    expect(context).toMatchObject({ ...incoming, isDemo: true, requestId: expect.any(String) });
    expect((await context.actor()).login).toBe('demo');
    expect((await (await context.codehost()).repositories.mine()).items).toHaveLength(8);
    expect(() => context.store).toThrow('The demo has no database.');
  });

  test('an unknown repository is not there', async () => {
    expectProblem(await demo('resource=runs&repo=nothing'), 404, 'not_found');
    expectProblem(await demo('resource=summary&repo=nothing'), 404, 'not_found');
  });
});
