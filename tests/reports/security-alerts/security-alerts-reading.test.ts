import { describe, expect, test } from 'vitest';
import { expectProblem, freshService } from '../../api/endpoints.ts';
import { sourceErrors as words } from '../../codehost-double/security.ts';

const visit = freshService();
const ask = (repo = 'web', as = 'token-ann') =>
  visit.service.ask('GET', `/api/codehost/security-alerts?owner=octo&repo=${repo}`, { as });
const now = () => visit.service.clock.now();
const day = 86_400_000;
const minute = 60_000;
const alertPath = /\/(dependabot|code-scanning|secret-scanning)\/alerts$/;
const sent = () => visit.service.double.requests.filter(({ path }) => alertPath.test(path));

describe('how much is requested', () => {
  test('six lists cold, and six conditional ones for nothing when they may have changed', async () => {
    await ask();
    expect(sent()).toHaveLength(6);
    visit.service.clock.advance(5 * minute);
    const before = sent().length;
    await ask();
    const again = sent().slice(before);
    expect(again.map(({ status, cost }) => [status, cost])).toEqual(Array(6).fill([304, 0]));
  });

  test('nothing at once after', async () => {
    await ask();
    visit.service.clock.advance(5 * minute - 1);
    const before = visit.service.double.requests.length;
    await ask();
    expect(visit.service.double.requests).toHaveLength(before);
  });

  test('one list where a source is off', async () => {
    visit.service.double.rejectAlerts('octo/web', 'dependabot', words.dependabotOff);
    await ask();
    expect(sent().filter(({ path }) => path.includes('dependabot'))).toHaveLength(1);
  });

  test('of dependencies by cursor alone, up to ten pages; more is said to exist', async () => {
    visit.service.double.addAlerts('octo/api', 'dependabot', 1001, now());
    const { body } = await ask('api');
    const pages = sent().filter(({ path, query }) => path.includes('dependabot') && query.state === 'open');
    expect(pages).toHaveLength(10);
    expect(pages.some(({ query }) => 'page' in query)).toBe(false);
    const cut = { truncated: true, ended_truncated: false };
    expect(body.sources.dependabot).toMatchObject({ status: 'ok', open_count: 1000, ...cut });
    expect([body.partial, body.total_open]).toEqual([true, 1000]);
    expect(visit.service.double.violations).toEqual([]);
  });

  test('a thousand are read whole', async () => {
    visit.service.double.addAlerts('octo/api', 'code_scanning', 1000, now());
    const { body } = await ask('api');
    expect(body.sources.code_scanning).toMatchObject({ open_count: 1000, truncated: false });
    expect(body.partial).toBe(false);
  });

  test('more fixed ones than are read make no open one uncertain', async () => {
    const { addAlerts, putAlert } = visit.service.double;
    addAlerts('octo/api', 'dependabot', 2, now());
    for (let number = 11; number <= 1011; number++)
      putAlert('octo/api', { source: 'dependabot', number, createdAt: now() - 20 * day, endedAt: now() - 10 * day });
    const { body } = await ask('api');
    const fixed = { fixed_last_90d: 1000, ended_truncated: true };
    expect(body.sources.dependabot).toMatchObject({ open_count: 2, truncated: false, ...fixed });
    expect(body.partial).toBe(true);
    const explain = (metric: string) =>
      visit.service.ask('GET', `/api/explain?metric=${metric}&owner=octo&repo=api`, { as: 'token-ann' });
    expect((await explain('open_security_alerts')).body).toMatchObject({ value: 2, partial: false });
    expect((await explain('fixed_security_alerts')).body).toMatchObject({ value: 1000, partial: true });
  });

  test('of what ended no page that lies behind the 90 days', async () => {
    for (let number = 1; number <= 250; number++)
      visit.service.double.putAlert('octo/api', {
        source: 'dependabot',
        number,
        createdAt: now() - 400 * day,
        endedAt: now() - (number <= 120 ? 10 : 300) * day,
      });
    const { body } = await ask('api');
    const pages = sent().filter(({ path, query }) => path.includes('dependabot') && query.sort === 'updated');
    expect(pages).toHaveLength(2);
    expect(body.sources.dependabot).toMatchObject({ fixed_last_90d: 120, mttr_days: 390, truncated: false });
  });
});

describe('the time to fix', () => {
  test('is of what was fixed, not of what was touched or dismissed', async () => {
    const secret = { source: 'secret_scanning' as const, createdAt: now() - 80 * day };
    const { putAlert } = visit.service.double;
    putAlert('octo/api', { ...secret, number: 1, endedAt: now() - 70 * day, updatedAt: now() - day });
    for (const [index, resolution] of (['false_positive', 'wont_fix', 'used_in_tests'] as const).entries())
      putAlert('octo/api', { ...secret, number: 2 + index, endedAt: now() - 79 * day, state: 'dismissed', resolution });
    const { body } = await ask('api');
    expect(body.sources.secret_scanning).toMatchObject({ fixed_last_90d: 1, dismissed_last_90d: 3, mttr_days: 10 });
  });

  test('has both ends of the 90 days', async () => {
    const code = { source: 'code_scanning' as const, createdAt: now() - 200 * day };
    visit.service.double.putAlert('octo/api', { ...code, number: 1, endedAt: now() - 90 * day });
    visit.service.double.putAlert('octo/api', { ...code, number: 2, endedAt: now() - 90 * day - 1000 });
    const { body } = await ask('api');
    expect(body.sources.code_scanning).toMatchObject({ fixed_last_90d: 1, mttr_days: 110, mttr_median_days: 110 });
  });

  test('is unknown while what is open is known, when only the ended ones cannot be read', async () => {
    const path = /code-scanning/;
    visit.service.double.fault({ path, after: 1, times: 9 }, { kind: 'status', status: 502 });
    const { body } = await ask();
    expect(body.sources.code_scanning).toEqual({
      status: 'ok',
      message: 'Fixed and dismissed alerts could not be loaded.',
      open_count: 1,
      truncated: false,
      ended_truncated: false,
      fixed_last_90d: null,
      dismissed_last_90d: null,
      mttr_days: null,
      mttr_median_days: null,
    });
    expect(body.partial).toBe(true);
  });
});

describe('an error of the whole', () => {
  test('a reached limit is not a missing permission', async () => {
    visit.service.double.fault({ path: /dependabot/ }, { kind: 'primary_limit' });
    expectProblem(await ask(), 429, 'upstream_rate_limited');
  });

  test('a burst limit neither', async () => {
    visit.service.double.fault({ path: /secret-scanning/, times: 3 }, { kind: 'secondary_limit', retryAfter: 60 });
    expectProblem(await ask(), 429, 'upstream_rate_limited');
  });

  test('a repository that the caller cannot see has no sources', async () => {
    expectProblem(await ask('secret', 'token-bo'), 404, 'not_found');
    expect(sent()).toHaveLength(0);
  });

  test('single sign-on is requested', async () => {
    const answer = await visit.service.ask('GET', '/api/codehost/security-alerts?owner=sealed&repo=ledger', {
      as: 'token-ann-two',
    });
    expectProblem(answer, 403, 'sso_required');
  });

  test('nobody is shown anything without signing in', async () => {
    expectProblem(
      await visit.service.ask('GET', '/api/codehost/security-alerts?owner=octo&repo=web'),
      401,
      'unauthenticated',
    );
    expect(visit.service.double.requests).toEqual([]);
  });
});

describe('an outage', () => {
  test('shows the alerts that were read before, marked as old', async () => {
    const first = await ask();
    visit.service.clock.advance(6 * minute);
    visit.service.double.fault({ path: alertPath, times: 99 }, { kind: 'status', status: 502 });
    const later = await ask();
    expect(later.headers.get('x-stale')).toBe('true');
    expect(later.body.alerts.map(({ title }: { title: string }) => title)).toEqual(
      first.body.alerts.map(({ title }: { title: string }) => title),
    );
    expect(later.body.generated_at).toBe(first.body.generated_at);
  });

  test('leaves nothing known of a source that was rejected before', async () => {
    visit.service.double.rejectAlerts('octo/web', 'dependabot', words.dependabotOff);
    await ask();
    visit.service.clock.advance(6 * minute);
    visit.service.double.fault({ path: /dependabot/, times: 9 }, { kind: 'status', status: 502 });
    const { body } = await ask();
    expect(body.sources.dependabot).toMatchObject({ status: 'error', open_count: null });
  });

  test('after the first page leaves what was read, and says that there is more', async () => {
    visit.service.double.addAlerts('octo/api', 'secret_scanning', 150, now());
    visit.service.double.fault({ path: /secret-scanning/, after: 1, times: 3 }, { kind: 'status', status: 502 });
    const { body } = await ask('api');
    expect(body.sources.secret_scanning).toMatchObject({ status: 'ok', open_count: 100, truncated: true });
    expect(body.partial).toBe(true);
  });
});

test('a renamed repository gives its alerts under its old name', async () => {
  visit.service.double.addAlerts('octo/renamed-now', 'dependabot', 3, now());
  const { body, headers } = await ask('before');
  expect([body.repo, body.total_open]).toEqual(['octo/renamed-now', 3]);
  expect(headers.get('x-canonical-repo')).toBe('octo/renamed-now');
});
