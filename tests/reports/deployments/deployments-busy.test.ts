import { describe, expect, test } from 'vitest';
import { freshService } from '../../api/endpoints.ts';
import { bearerOf } from '../../codehost-double/platform-token.ts';

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

test('deployments whose statuses cannot be read count as nothing', async () => {
  const { double } = visit.service;
  double.fault({ path: '/graphql', times: 100 }, { kind: 'nested_graphql', field: 'statuses', type: 'FORBIDDEN' });
  const { body, headers } = await ask('web');
  expect(body).toMatchObject({ total_deployments: 5, successful: 0, failed: 0, inconclusive: 0, partial: true });
  expect(body).toMatchObject({ deploys_per_day: null, change_failure_rate_pct: null, mttr_hours: null, by_day: [] });
  expect(body.recent.map(({ outcome }: { outcome: unknown }) => outcome)).toEqual(Array(5).fill(null));
  expect(body.coverage).toMatchObject({ complete: false, reasons: ['sub_fetch_failed'] });
  expect(headers.get('x-partial')).toBe('true');
  double.reset();
  visit.service.clock.advance(hour);
  // What was not known is not stored.
  expect((await ask('web')).body).toMatchObject({ successful: 2, failed: 2, inconclusive: 1, partial: false });
});
