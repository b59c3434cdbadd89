import { describe, expect, test } from 'vitest';
import { getDeploymentResult, productionEnvironment } from '../../../server/metrics/delivery/deployments.ts';
import { deploymentFigures, isRollback, recentDeployments } from '../../../server/metrics/delivery/environments.ts';
import type { Deployment } from '../../../server/metrics/kernel/delivery-facts.ts';
import { lastDaysWindow } from '../../../server/metrics/kernel/window.ts';
import { createCalendar } from '../../../server/metrics/people/workday-hours.ts';
import { aDeployment } from '../delivery-builders.ts';
import { day, hour } from '../worlds.ts';

const now = Date.UTC(2026, 2, 31, 12);
const start = Date.UTC(2026, 2, 20);
const scope = { window: lastDaysWindow(30, now), calendar: createCalendar('Asia/Saigon'), repositoryCreatedAt: null };
const at = (hours: number) => start + hours * hour;
const five = [
  aDeployment(1, at(0), ['success', at(0)], ['inactive', at(14)]),
  aDeployment(2, at(9), ['failure', at(10)]),
  aDeployment(3, at(10), ['error', at(11)]),
  aDeployment(4, at(13), ['success', at(14)]),
  aDeployment(5, at(15), ['in_progress', at(15)]),
];
const inEnvironment = (environment: string, count = 1): Deployment[] =>
  Array.from({ length: count }, (_, n) => ({ ...aDeployment(n, at(n), ['success', at(n)]), environment }));

describe('deployments', () => {
  test('are read by their history, not by their newest status (35)', () => {
    const { production, ...figures } = deploymentFigures(five, true, scope);
    expect(figures).toMatchObject({ source: 'deployments', total: 5, productionEnvironment: 'production' });
    expect(production).toMatchObject({
      success: 2,
      failed: 2,
      inconclusive: 1,
      failureRatePct: 50,
      mttrHours: 4,
      mttrSamples: 1,
      deploysPerDay: 0.07,
      openFailureSince: null,
    });
  });

  test('of which one did not tell its statuses have no figures but their number', () => {
    const unread: Deployment = { ...aDeployment(6, at(20)), statuses: null };
    const { production, byEnvironment, tiers } = deploymentFigures(
      [...five, unread, ...inEnvironment('staging', 2)],
      true,
      scope,
    );
    expect(production).toMatchObject({
      total: 6,
      success: null,
      failed: null,
      inconclusive: null,
      deploysPerDay: null,
      failureRatePct: null,
      mttrHours: null,
      mttrSamples: 0,
      openFailureSince: null,
    });
    expect(tiers).toEqual({ deploymentFrequency: null, changeFailureRate: null, mttr: null });
    expect(byEnvironment[1]).toMatchObject({ environment: 'staging', success: 2, failed: 0, failureRatePct: 0 });
    // Whether it went back to what was deployed last depends on what the unread one came to.
    const again = { ...aDeployment(7, at(30), ['success', at(31)]), sha: 'sha-1' };
    expect(isRollback(again, [...five, unread, again])).toBeNull();
  });

  test('that only wait have no rates', () => {
    const waiting = [1, 2, 3].map((id) => aDeployment(id, at(id), ['pending', at(id)]));
    const { source, total, production, tiers } = deploymentFigures(waiting, true, scope);
    expect([source, total]).toEqual(['deployments', 3]);
    expect(production).toMatchObject({ deploysPerDay: null, failureRatePct: null, mttrHours: null });
    expect(tiers).toEqual({ deploymentFrequency: null, changeFailureRate: null, mttr: null });
  });

  test('of long ago are stale, and none are none', () => {
    const old = Array.from({ length: 36 }, (_, n) => aDeployment(n, now - (58 + n) * day));
    expect(deploymentFigures(old, true, scope)).toMatchObject({ source: 'stale', total: 0, production: null });
    expect(deploymentFigures([], true, scope).source).toBe('stale');
    expect(deploymentFigures([], false, scope).source).toBe('none');
  });

  test('that end with a failure leave it open', () => {
    const broken = aDeployment(6, now - 3 * hour, ['failure', now - 2 * hour]);
    expect(deploymentFigures([...five, broken], true, scope).production).toMatchObject({
      mttrHours: 4,
      mttrSamples: 1,
      openFailureSince: now - 2 * hour,
    });
  });

  test('of a busy repository are divided by the days that were read (36)', () => {
    const busy = Array.from({ length: 500 }, (_, n) => aDeployment(n, now - n * hour * 0.1, ['success', now]));
    const covered = { ...scope, coveredFrom: now - 2 * day };
    expect(deploymentFigures(busy, true, covered).production?.deploysPerDay).toBe(250);
  });

  test('get tiers from five that ended and from one restore', () => {
    expect(deploymentFigures(five, true, scope).tiers).toEqual({
      deploymentFrequency: 'medium',
      changeFailureRate: null,
      mttr: 'high',
    });
    const more = [...five, aDeployment(6, at(20), ['success', at(20)])];
    expect(deploymentFigures(more, true, scope).tiers.changeFailureRate).toBe('low');
    const young = { ...scope, repositoryCreatedAt: now - 13 * day };
    expect(deploymentFigures(more, true, young).tiers.deploymentFrequency).toBeNull();
  });

  test('beyond twenty environments are summed up, production never among them', () => {
    const many = Array.from({ length: 30 }, (_, n) => inEnvironment(`preview-${n}`, 2)).flat();
    const { byEnvironment } = deploymentFigures([...many, ...inEnvironment('prod')], true, scope);
    expect(byEnvironment).toHaveLength(21);
    expect(byEnvironment[0]).toMatchObject({ environment: 'prod', isProduction: true });
    expect(byEnvironment.at(-1)).toMatchObject({ isRest: true, total: 22, isProduction: false });
  });

  test('first failed and then repeated count as failed', () => {
    expect(getDeploymentResult(aDeployment(1, at(0), ['success', at(2)], ['failure', at(1)])).outcome).toBe('failed');
    expect(getDeploymentResult(five[0] as Deployment)).toMatchObject({
      outcome: 'success',
      state: 'inactive',
      superseded: true,
    });
  });

  test('are listed newest first', () => {
    const many = Array.from({ length: 20 }, (_, n) => aDeployment(n, at(n)));
    expect(recentDeployments(many, scope.window).map(({ deployment }) => deployment.id)).toEqual(
      Array.from({ length: 15 }, (_, n) => 19 - n),
    );
  });
});

test.each([
  [['domain-staging', 'Production — app'], [], 'Production — app'],
  [['staging', 'prod-eu', 'live'], [], 'prod-eu'],
  [['pre-production', 'pre-production', 'production'], [], 'production'],
  [['non_prod', 'live'], [], 'live'],
  [['prod_eu', 'qa'], ['qa'], 'prod_eu'],
  [['b', 'a', 'a'], [], 'a'],
  [['b', 'a', 'a'], ['b'], 'b'],
  [['b', 'a'], [], 'a'],
  [[], ['b'], null],
])('of %j, marked %j, production is %s', (names, marked, expected) => {
  const deployments = names.flatMap((name) => inEnvironment(name));
  expect(productionEnvironment(deployments, scope.window, marked).environment).toBe(expected);
});

test('an environment that was renamed stays production under its new name', () => {
  const before = inEnvironment('production', 40).map((one) => ({ ...one, createdAt: one.createdAt - 40 * day }));
  const renamed = deploymentFigures([...before, ...inEnvironment('live', 25), ...inEnvironment('qa', 30)], true, scope);
  expect([renamed.productionEnvironment, renamed.productionCandidates]).toEqual(['live', ['live']]);
  expect(renamed.production).toMatchObject({ total: 25, success: 25 });
  // Where nothing of such a name is deployed, production is quiet and not elsewhere.
  const quiet = deploymentFigures([...before, ...inEnvironment('qa', 30)], true, scope);
  expect([quiet.productionEnvironment, quiet.production?.total]).toEqual(['production', 0]);
});

describe('a rollback', () => {
  const history = ['a', 'b', 'c'].map((sha, n) => ({ ...aDeployment(n, at(n), ['success', at(n)]), sha }));
  const next = (sha: string) => ({ ...aDeployment(9, at(9)), sha });

  test('goes back to a commit that was there before', () => {
    expect(isRollback(next('a'), history)).toBe(true);
    expect(isRollback(next('c'), history)).toBe(false);
    expect(isRollback(next('z'), history)).toBeNull();
    expect(isRollback(next('a'), [])).toBeNull();
    expect(isRollback({ ...next('a'), environment: 'staging' }, history)).toBeNull();
  });

  test('goes back to an ancestor, where that is known', () => {
    expect(isRollback(next('z'), history, (sha, of) => sha === 'z' && of === 'c')).toBe(true);
    expect(isRollback(next('z'), history, () => false)).toBe(false);
  });
});
