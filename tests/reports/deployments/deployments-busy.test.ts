import { describe, expect, test } from 'vitest';
import type { FactBatch, SyncState } from '../../../server/facts/fact-repository.ts';
import { freshService } from '../../api/endpoints.ts';
import { bearerOf } from '../../codehost-double/platform-token.ts';
import { repositoryOf } from '../../codehost-double/world.ts';

const visit = freshService();
const hour = 3_600_000;
const day = 24 * hour;
const ask = (repo: string) =>
  visit.service.ask('GET', `/api/codehost/deployments?owner=octo&repo=${repo}`, { as: 'token-ann' });
const now = () => visit.service.clock.now();

describe('a busy repository', () => {
  test('is counted by the days that were read, and says that more exist', async () => {
    const { double } = visit.service;
    double.addDeployments('octo/secret', 700, { from: now() - 28 * day, to: now() - hour });
    const { body, headers } = await ask('secret');
    expect(body).toMatchObject({ partial: true, coverage: { complete: false, cap: 500, reasons: ['page_cap'] } });
    expect(headers.get('x-partial')).toBe('true');
    const days = (now() - Date.parse(body.covers_from)) / day;
    expect(days).toBeLessThan(21);
    expect(body.deploys_per_day).toBeCloseTo(body.successful / days, 1);
    expect(body.all_time_count).toBe(700);
  });

  test('is whole when the window is, though its past is not', async () => {
    const { double } = visit.service;
    double.addDeployments('octo/secret', 700, { from: now() - 58 * day, to: now() - hour });
    const { body } = await ask('secret');
    expect(body).toMatchObject({ partial: false, covers_from: '2026-10-17T10:00:00.000Z' });
    expect(body.coverage.read).toBeGreaterThan(300);
  });
});

test('a list whose later pages do not come is counted by the days that were read', async () => {
  const { double } = visit.service;
  double.addDeployments('octo/secret', 300, { from: now() - 28 * day, to: now() - hour });
  double.fault({ path: '/graphql', after: 1, times: 99 }, { kind: 'status', status: 502 });
  const { body } = await ask('secret');
  expect(body).toMatchObject({ partial: true, coverage: { cap: null, reasons: ['sub_fetch_failed'] } });
  const days = (now() - Date.parse(body.covers_from)) / day;
  expect(days).toBeGreaterThan(3);
  expect(days).toBeLessThan(25);
  expect(body.deploys_per_day).toBeCloseTo(body.successful / days, 1);
});

test('how many there ever were is unknown where the platform’s count could not be read', async () => {
  const { double, app } = visit.service;
  double.addDeployments('octo/secret', 3, { from: now() - 20 * day, to: now() - hour });
  expect((await ask('secret')).body.all_time_count).toBe(3);
  const { facts } = app.services;
  const repository = repositoryOf(double.world, 'octo/secret').facts;
  const [state] = (await facts.syncStates(repository)).filter(({ kind }) => kind === 'deployments');
  const items = await facts.facts(repository, 'deployments', 0);
  const syncState = { ...state, total: null } as SyncState<'deployments'>;
  await facts.store(repository, [{ syncState, items, replaces: true } as FactBatch]);
  const { status, body } = await ask('secret');
  expect([status, body.all_time_count]).toEqual([200, null]);
});

test('a burst that a cap once cut does not make quieter times partial', async () => {
  const { double, clock } = visit.service;
  // The session would not live that long.
  const later = () =>
    visit.service.ask('GET', '/api/codehost/deployments?owner=octo&repo=secret', {
      headers: bearerOf('token-ann'),
    });
  double.addDeployments('octo/secret', 700, { from: now() - 10 * day, to: now() - hour });
  expect((await later()).body).toMatchObject({ partial: true, coverage: { reasons: ['page_cap'] } });
  clock.advance(56 * day);
  const createdAt = now() - 2 * day;
  const statuses = [{ state: 'success' as const, at: createdAt }];
  double.putDeployment('octo/secret', { id: 90_001, createdAt, statuses, environment: 'production' });
  const { body } = await later();
  expect(body).toMatchObject({ partial: false, coverage: { complete: true, read: 1, expected: 1, reasons: [] } });
  expect([body.deploys_per_day, body.covers_from]).toEqual([0.03, new Date(now() - 30 * day).toISOString()]);
});

test.each([
  { kind: 'nested_graphql', field: 'statuses', type: 'FORBIDDEN' } as const,
  { kind: 'failing_field', field: 'DeploymentStatus.state', type: 'FORBIDDEN' } as const,
])('where statuses cannot be read ($field), nobody knows what deployments came to', async (fault) => {
  const { double } = visit.service;
  double.fault({ path: '/graphql', times: 100 }, fault);
  const { body, headers } = await ask('web');
  const unknown = { failed: null, inconclusive: null, deploys_per_day: null, mttr_hours: null };
  expect(body).toMatchObject({ ...unknown, total_deployments: 5, successful: null, partial: true });
  expect(body).toMatchObject({ change_failure_rate_pct: null, last_7_days: null, period_before: null });
  expect(body.by_environment).toMatchObject([
    { ...unknown, total: 5, success: null, failure_rate_pct: null, failure_rate_interval: null },
  ]);
  expect(body.by_day).toMatchObject([{ success: 0, failed: 0, inconclusive: 0, unread: 5 }]);
  expect(body.recent.map(({ outcome }: { outcome: unknown }) => outcome)).toEqual(Array(5).fill(null));
  expect(body.coverage).toMatchObject({ complete: false, reasons: ['sub_fetch_failed'] });
  expect(headers.get('x-partial')).toBe('true');
  for (const metric of ['deploys_per_day', 'change_failure_rate_pct', 'mttr_hours']) {
    const path = `/api/explain?metric=${metric}&owner=octo&repo=web`;
    expect((await visit.service.ask('GET', path, { as: 'token-ann' })).body).toMatchObject({ value: null, sample: 0 });
  }
  const delivery = await visit.service.ask('GET', '/api/codehost/repo-dora?owner=octo&repo=web', { as: 'token-ann' });
  expect(delivery.body).toMatchObject({ corroborated_failures: null, rework_rate: null, partial: true });
  double.reset();
  visit.service.clock.advance(hour);
  // What was not known is not stored.
  expect((await ask('web')).body).toMatchObject({ successful: 2, failed: 2, inconclusive: 1, partial: false });
});
