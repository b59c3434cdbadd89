import { expect, test } from 'vitest';
import { freshService } from '../../api/endpoints.ts';
import { rowOf, scoresIn } from './scores.ts';

const minute = 60_000;
const visit = freshService();
const { once, scorecard, push } = scoresIn(visit);

test('when they are old the last scores are given at once, and renewed behind the answer', async () => {
  const { double, clock } = visit.service;
  const first = await scorecard();
  clock.advance(15 * minute);
  const old = await once();
  expect(old.body).toMatchObject({ computing: true, partial: false, computed_at: first.body.computed_at });
  const renewed = await scorecard();
  expect(renewed.body.computed_at).toBe('2026-11-16T10:15:00.000Z');
  double.requests.length = 0;
  clock.advance(151 * minute);
  expect((await scorecard()).body).toMatchObject({ computing: false, computed_at: '2026-11-16T12:46:00.000Z' });
});

test('where nothing was pushed, renewing asks nothing for two hours', async () => {
  const { double, clock } = visit.service;
  push('api');
  await scorecard();
  clock.advance(16 * minute);
  double.requests.length = 0;
  await scorecard();
  await scorecard();
  expect(double.requests.filter(({ graphql }) => graphql !== null)).toHaveLength(1);
});

test('what is done within a moment is given, and the rest is computed behind it', async () => {
  visit.service.double.fault({ path: '/graphql', times: 2, after: 12 }, { kind: 'latency', ms: 4500 });
  const first = await once();
  expect(first.body).toMatchObject({ computing: true, partial: true, computed_at: null, repos_attempted: 6 });
  expect(first.body.coverage).toMatchObject({ complete: false, reasons: [] });
  expect(first.body.repos_analysed).toBeLessThan(6);
  expect(first.body.next_repo).toMatch(/^[a-z-]+$/);
  const named = [...first.body.repos, ...first.body.skipped].map(({ repo }: { repo: string }) => repo);
  expect(named).not.toContain(first.body.next_repo);
  expect(first.headers.get('x-partial')).toBe('true');
  const done = { repos_analysed: 6, partial: false, computing: false, next_repo: null };
  expect((await scorecard()).body).toMatchObject(done);
});

test('a fifth of the quota is left to people', async () => {
  const { double } = visit.service;
  double.budgets.setRemaining('ann', 'graphql', 1000);
  const answer = await scorecard();
  expect(answer.body).toMatchObject({ repos_analysed: 0, repos_attempted: 6, partial: true, computing: false });
  expect(answer.body.coverage.reasons).toEqual(['rate_limited']);
  expect(double.requests.filter(({ graphql }) => graphql !== null)).toEqual([]);
  visit.service.clock.advance(61 * minute);
  await scorecard();
  expect((await scorecard()).body).toMatchObject({ repos_analysed: 6, partial: false });
});

test('good older scores outlive a failed renewal, which is tried again after a minute', async () => {
  const { double, clock } = visit.service;
  push('api');
  const first = await scorecard();
  clock.advance(16 * minute);
  double.fault({ path: '/repos/octo/api', times: 99 }, { kind: 'status', status: 502 });
  await scorecard();
  expect(double.requests.filter(({ path }) => path === '/repos/octo/api').length).toBeGreaterThan(1);
  double.requests.length = 0;
  const later = await once();
  expect(later.body).toMatchObject({ computing: false, computed_at: first.body.computed_at, repos_analysed: 6 });
  expect(rowOf(later, 'api')).toMatchObject({ composite_score: 40 });
  expect(double.requests).toEqual([]);
  clock.advance(minute);
  expect((await once()).body.computing).toBe(true);
});

test('without the quota being shown nothing is computed, and the answer says so', async () => {
  visit.service.double.fault({ path: '/rate_limit', times: 9 }, { kind: 'status', status: 502 });
  const answer = await scorecard();
  expect(answer.body).toMatchObject({ repos_analysed: 0, partial: true, coverage: { reasons: ['sub_fetch_failed'] } });
  visit.service.double.reset();
  visit.service.clock.advance(2 * minute);
  await scorecard();
  expect((await scorecard()).body).toMatchObject({ repos_analysed: 6, partial: false });
});

test('a score that lacks something is not taken over when the scores are renewed', async () => {
  visit.service.double.fault(
    { path: '/graphql', times: 3 },
    { kind: 'partial_graphql', field: 'deployments', type: 'FORBIDDEN', message: 'Resource not accessible' },
  );
  const one = 'org=octo&limit=1';
  expect(rowOf(await scorecard(one), 'web')).toMatchObject({ partial: true });
  visit.service.clock.advance(16 * minute);
  await scorecard(one);
  expect(rowOf(await scorecard(one), 'web')).toMatchObject({ partial: false });
});
