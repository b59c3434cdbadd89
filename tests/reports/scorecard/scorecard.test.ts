import { describe, expect, test } from 'vitest';
import { expectFields, expectProblem, freshService } from '../../api/endpoints.ts';
import { aDeployment } from '../../codehost-double/delivery-builders.ts';
import { type Row, reasonsOf, rowOf, scoresIn } from './scores.ts';

const minute = 60_000;
const day = 1440 * minute;

const visit = freshService();
const { scorecard } = scoresIn(visit);

describe('org-health-scorecard', () => {
  test('scores the live repositories and shows both parts', async () => {
    const answer = await scorecard();
    expect(answer.body).toMatchObject({
      org: 'octo',
      limit: 10,
      selection: 'recent_push',
      computing: false,
      partial: false,
      repos_eligible: 6,
      repos_attempted: 6,
      repos_analysed: 6,
      median_score: 40,
      bands: { at_risk: 1, watch: 0, healthy: 0, insufficient_data: 5 },
      coverage: { complete: true, expected: 6, read: 6, cap: null, reasons: [] },
      computed_at: '2026-11-16T10:00:00.000Z',
      generated_at: '2026-11-16T10:00:00.000Z',
      data_source: 'live',
    });
    expect(rowOf(answer, 'api')).toEqual({
      owner: 'octo',
      repo: 'api',
      composite_score: 40,
      risk_band: 'at_risk',
      dora_level: 'medium',
      tier_score: 50,
      delivery_source: 'repo_dora',
      delivery_tiers: {
        deployment_frequency: 'medium',
        lead_time: 'high',
        change_failure_rate: null,
        time_to_restore: 'medium',
      },
      overall_bus_factor: 1,
      bus_factor_score: 25,
      critical_modules: 0,
      trend: 'up',
      partial: false,
      partial_reasons: [],
      partial_detail: null,
      reasons: ['deployment_frequency_medium', 'time_to_restore_medium', 'delivery_estimated', 'bus_factor_1'],
    });
    expect(rowOf(answer, 'web')).toMatchObject({
      composite_score: null,
      risk_band: 'insufficient_data',
      dora_level: null,
      delivery_source: null,
      overall_bus_factor: 6,
      bus_factor_score: 100,
      critical_modules: 2,
    });
  });

  test('the lowest score comes first, and without a score last', async () => {
    const scores = (await scorecard()).body.repos.map((row: Row) => row.composite_score);
    const known = scores.filter((score: number | null) => score !== null);
    expect(known.length).toBeGreaterThan(0);
    expect(scores).toEqual([...known.sort((a: number, b: number) => a - b), ...scores.slice(known.length)]);
  });

  test('archived, forked, empty and quiet repositories are not ranked, and are named with the reason', async () => {
    const { double, clock } = visit.service;
    double.addRepository({ name: 'octo/quiet', facts: { id: 90_001, pushedAt: clock.now() - 91 * day } });
    const answer = await scorecard();
    expect(reasonsOf(answer)).toEqual({ empty: 'empty', fork: 'fork', old: 'archived', quiet: 'no_activity_90d' });
    expect(answer.body.repos.map(({ repo }: Row) => repo)).not.toContain('quiet');
    expect(answer.body.repos_eligible).toBe(6);
  });

  test('five deployments that ended make it measured, four do not', async () => {
    const { double, clock } = visit.service;
    const deployments = Array.from({ length: 5 }, (_, n) => {
      const createdAt = clock.now() - (n + 1) * day;
      return aDeployment({ id: 9900 + n, createdAt, statuses: [{ state: 'success', at: createdAt + minute }] });
    });
    double.addRepository({ name: 'octo/five', facts: { id: 90_001 }, deployments });
    double.addRepository({ name: 'octo/four', facts: { id: 90_002 }, deployments: deployments.slice(1) });
    const answer = await scorecard();
    expect(rowOf(answer, 'five')).toMatchObject({
      delivery_source: 'deployments',
      dora_level: 'high',
      tier_score: 75,
      composite_score: 55,
      risk_band: 'watch',
      delivery_tiers: { deployment_frequency: 'high', lead_time: null, change_failure_rate: 'elite' },
    });
    expect(rowOf(answer, 'four')?.delivery_source).not.toBe('deployments');
  });

  test('ten repositories cost 90 requests at most, and nothing for the next quarter of an hour', async () => {
    const { double, clock } = visit.service;
    await visit.service.signIn('token-ann');
    double.requests.length = 0;
    const first = await scorecard('org=many');
    expect(first.body).toMatchObject({ repos_attempted: 10, repos_analysed: 10, repos_eligible: 205 });
    expect(double.requests.length).toBeGreaterThan(10);
    expect(double.requests.length).toBeLessThanOrEqual(90);
    double.requests.length = 0;
    await scorecard('org=many');
    expect(double.requests).toEqual([]);
    clock.advance(15 * minute - 1);
    await scorecard('org=many');
    expect(new Set(double.requests.map(({ operation }) => operation))).toEqual(new Set(['repos/list-for-org']));
  });

  test('at most two repositories are read at once', async () => {
    const { double } = visit.service;
    await scorecard();
    const order = double.requests.flatMap(({ operation, path }, index) =>
      operation === 'repos/get' || operation === 'CommitsOfDirectories' ? [{ operation, path, index }] : [],
    );
    let open = 0;
    let most = 0;
    for (const { operation } of order) {
      open += operation === 'repos/get' ? 1 : -1;
      most = Math.max(most, open);
    }
    expect(most).toBe(2);
  });

  test('a repository that fails stays in the list of those without a score', async () => {
    visit.service.double.fault({ path: '/repos/octo/api', times: 9 }, { kind: 'status', status: 502 });
    const answer = await scorecard();
    expect(reasonsOf(answer)).toMatchObject({ api: 'failed' });
    expect(answer.body).toMatchObject({ repos_analysed: 5, partial: true });
    expect(answer.body.coverage).toMatchObject({
      complete: false,
      expected: 6,
      read: 5,
      reasons: ['sub_fetch_failed'],
    });
    visit.service.double.reset();
    visit.service.clock.advance(2 * minute);
    await scorecard();
    expect(rowOf(await scorecard(), 'api')).toMatchObject({ composite_score: 40 });
  });

  test('a repository that is younger than four weeks has no trend yet', async () => {
    const { double, clock } = visit.service;
    for (const [name, age] of [
      ['young', 27],
      ['older', 60],
    ] as const) {
      double.addRepository({ name: `octo/${name}`, facts: { id: 90_000 + age, createdAt: clock.now() - age * day } });
      double.addPullRequests(`octo/${name}`, 9, { from: clock.now() - 13 * day, to: clock.now() - 8 * day });
    }
    const answer = await scorecard();
    expect([rowOf(answer, 'young').trend, rowOf(answer, 'older').trend]).toEqual(['unknown', 'up']);
  });

  test('a repository that was archived since is not scored any more', async () => {
    const { double, clock } = visit.service;
    await scorecard();
    const api = double.world.repositories.find(({ facts }) => facts.repo === 'api');
    if (api) api.facts.archived = true;
    clock.advance(6 * minute);
    const later = await scorecard();
    expect([rowOf(later, 'api'), reasonsOf(later).api, later.body.repos_attempted]).toEqual([undefined, 'archived', 5]);
  });

  test('each caller has their own, and what may no longer be seen is not shown', async () => {
    expect(rowOf(await scorecard(), 'secret')).toBeDefined();
    expect((await scorecard('org=octo', 'token-bo')).text).not.toContain('secret');
    visit.service.double.removeAccess('octo/secret', 'ann');
    visit.service.clock.advance(6 * minute);
    const later = await scorecard();
    expect(later.text).not.toContain('secret');
    expect(later.body).toMatchObject({ repos_attempted: 5, repos_analysed: 5, partial: false });
  });

  test('a token that the platform rejects is 401, stored scores or not', async () => {
    await scorecard();
    visit.service.double.revokeToken('token-ann');
    visit.service.clock.advance(16 * minute);
    expectProblem(await scorecard(), 401, 'unauthenticated');
  });

  test('limit, and what is not there', async () => {
    const clamped = await scorecard('org=octo&limit=50');
    expect([clamped.body.limit, clamped.headers.get('x-effective-limit')]).toEqual([20, '20']);
    expect((await scorecard('org=octo&limit=2')).body).toMatchObject({ repos_attempted: 2, repos_eligible: 6 });
    expectFields(await scorecard('org=octo&limit=x'), ['limit', 'invalid']);
    expectFields(await scorecard(''), ['org', 'missing']);
    expectProblem(await scorecard('org=ann'), 404, 'not_found');
    expectProblem(await scorecard('org=nobody'), 404, 'not_found');
  });

  test('a score explains itself by its parts', async () => {
    const row = rowOf(await scorecard(), 'api');
    const query = '/api/explain?metric=composite_score&owner=octo&repo=api';
    const { body } = await visit.service.ask('GET', query, { as: 'token-ann' });
    expect([body.value, body.sample]).toEqual([row.composite_score, 2]);
    expect(body.counted.map(({ value }: { value: number }) => value)).toEqual([row.tier_score, row.bus_factor_score]);
    const web = await visit.service.ask('GET', '/api/explain?metric=composite_score&owner=octo&repo=web', {
      as: 'token-ann',
    });
    expect([web.body.value, web.body.left_out[0].reason]).toEqual([null, 'not known']);
    const hidden = await visit.service.ask('GET', '/api/explain?metric=composite_score&owner=octo&repo=secret', {
      as: 'token-bo',
    });
    expectProblem(hidden, 404, 'not_found');
  });
});
