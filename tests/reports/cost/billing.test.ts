import { describe, expect, test } from 'vitest';
import { expectFields, expectProblem, freshService } from '../../api/endpoints.ts';
import { besidesTokenCheck } from '../../support/token-check.ts';

const visit = freshService();
const hour = 3_600_000;
const day = 24 * hour;
const billing = (query = 'org=octo', as = 'token-ann') =>
  visit.service.ask('GET', `/api/codehost/billing?${query}`, { as });
const analysis = (query = 'org=octo', as = 'token-ann') =>
  visit.service.ask('GET', `/api/codehost/billing/cost-analysis?${query}`, { as });

const usagePath = '/organizations/octo/settings/billing/usage';
const billedTo = (login: string, parts: object) => {
  const bill = visit.service.double.world.bills?.find((one) => one.login === login);
  Object.assign(bill ?? {}, parts);
};
/** Operations requested meanwhile. */
async function fetchAnswer(work: () => Promise<unknown>) {
  visit.service.double.requests.length = 0;
  await work();
  return besidesTokenCheck(visit.service.double.requests)
    .map(({ operation }) => operation)
    .sort();
}

describe('billing', () => {
  test('reports the minutes of an organization, and keeps storage out of them', async () => {
    const { status, body } = await billing();
    expect(status).toBe(200);
    expect(body).toMatchObject({
      kind: 'org',
      login: 'octo',
      period: { year: 2026, month: 11 },
      plan: 'team',
      included_minutes: 3000,
      estimated_included: true,
      source: 'usage_summary',
      data_source: 'live',
      // 2,400 + 20 + 100 + 2, of which 1,800 were included.
      total_minutes_used: 2522,
      total_paid_minutes_used: 722,
      minutes_used_breakdown: { UBUNTU: 2502, MACOS: 20 },
      // 14.40 + 1.24 + 1.20 + 3.00 + 0.25 of storage; 10.80 of it included.
      gross_amount: 20.09,
      net_amount: 9.29,
      generated_at: '2026-11-16T10:00:00.000Z',
    });
    expect(body.minutes_used_breakdown).not.toHaveProperty('WINDOWS');
    expect(body.by_sku).toContainEqual({
      product: 'Actions',
      sku: 'actions_storage',
      label: 'Actions storage',
      os: null,
      size: null,
      unit_type: 'GigabyteHours',
      price_per_unit: 0.0005,
      quantity: 500.5,
      minutes: null,
      gross_amount: 0.25,
      discount_amount: 0,
      net_amount: 0.25,
    });
    expect(body.by_sku[0]).toMatchObject({ label: 'Linux', os: 'linux', size: '2-core', minutes: 2400 });
  });

  test.each(['', 'org='])('without an organization (%j) it is the bill of the caller', async (query) => {
    const { body } = await billing(query);
    expect(body).toMatchObject({ kind: 'user', login: 'ann', plan: 'pro', included_minutes: 3000 });
    expect(body).toMatchObject({ total_minutes_used: 61, total_paid_minutes_used: 0, net_amount: 0 });
  });

  test('nothing used is zero, not unknown', async () => {
    const { body } = await billing('org=octo&year=2026&month=1');
    expect(body).toMatchObject({ total_minutes_used: 0, total_paid_minutes_used: 0, net_amount: 0, by_sku: [] });
    expect(body.minutes_used_breakdown).toEqual({});
  });

  test('a plan that is hidden or fails leaves the bill readable', async () => {
    visit.service.double.fault({ path: '/orgs/octo' }, { kind: 'status', status: 403 });
    const answer = await billing();
    expect(answer.body).toMatchObject({ plan: null, included_minutes: null, total_minutes_used: 2522 });
    expect(answer.headers.get('x-partial')).toBe('true');
  });

  test('gives the kinds of runner as a table', async () => {
    const { text } = await billing('org=octo&format=csv');
    expect(text.split('\r\n')[0]).toContain('product,sku,label');
    expect(text).toContain('actions_linux_4_core,Linux 4-core,linux,4-core,Minute,0.012,100,100,1.2,0,1.2');
  });
});

describe('what the platform refuses', () => {
  test('a member without the permission reads which one it takes', async () => {
    const answer = await billing('org=octo', 'token-ann-two');
    expectProblem(answer, 403, 'upstream_forbidden');
    expect(answer.body.error).toMatch(/billing of octo.+Administration: read.+admin:org/);
    const analysed = await analysis('org=octo', 'token-ann-two');
    expectProblem(analysed, 403, 'upstream_forbidden');
    expect(analysed.body.error).toContain('Administration: read');
  });

  test('who is no member finds nothing, with the same help', async () => {
    const answer = await analysis('org=octo', 'token-bo');
    expectProblem(answer, 404, 'not_found');
    expect(answer.body.error).toMatch(/hidden from this token.+Administration: read/);
    const own = await billing('', 'token-bo');
    expectProblem(own, 404, 'not_found');
    expect(own.body.error).toContain('Plan: read');
  });

  const sso = { 'x-github-sso': 'required; url=https://codehost.example/sso' };
  test.each([
    [{ kind: 'status', status: 401 }, 401, 'unauthenticated'],
    [{ kind: 'status', status: 403, headers: sso }, 403, 'sso_required'],
    [{ kind: 'status', status: 410 }, 410, 'gone'],
    [{ kind: 'status', status: 451 }, 451, 'legally_blocked'],
    [{ kind: 'status', status: 503 }, 502, 'upstream_unavailable'],
    [{ kind: 'primary_limit' }, 429, 'upstream_rate_limited'],
  ] as const)('%j is passed on as %d %s', async (fault, status, code) => {
    const { double, signIn } = visit.service;
    await signIn('token-ann');
    double.fault({ path: /^\/organizations\/octo\/settings/, times: 99 }, fault);
    // The one that ends a session comes once.
    for (const ask of status === 401 ? [analysis] : [billing, analysis]) expectProblem(await ask(), status, code);
  });

  test('a double that is requested the retired reports says that they are gone', async () => {
    const { double } = visit.service;
    const answer = await fetch(`${double.url}/orgs/octo/settings/billing/actions`, {
      headers: { authorization: 'Bearer token-ann' },
    });
    expect(answer.status).toBe(410);
    double.reset();
  });
});

describe('cost-analysis', () => {
  test('reports what the running month costs, by product, kind and repository', async () => {
    const { body } = await analysis();
    expect(body).toMatchObject({
      kind: 'org',
      login: 'octo',
      period: { year: 2026, month: 11 },
      source: 'usage_report',
      total_minutes: 2522,
      total_gross_amount: 39.09,
      total_discount_amount: 10.8,
      total_net_amount: 28.29,
      products: [
        { product: 'Actions', gross_amount: 20.09, discount_amount: 10.8, net_amount: 9.29 },
        { product: 'Copilot', gross_amount: 19, discount_amount: 0, net_amount: 19 },
      ],
      by_repository: [
        { repo: 'web', minutes: 1902, gross_amount: 15.25, net_amount: 4.45 },
        { repo: 'api', minutes: 620, gross_amount: 4.84, net_amount: 4.84 },
      ],
      unpriced_skus: ['actions_linux_3_core_quantum'],
    });
    expect(body.by_day).toHaveLength(16);
    expect(body.by_day[9]).toEqual({ day: '2026-11-10', minutes: 620, net_amount: 4.84 });
    expect(body.by_day[15]).toEqual({ day: '2026-11-16', minutes: 0, net_amount: 0 });
  });

  test('says where the running month leads', async () => {
    const { body } = await analysis();
    expect(body).toMatchObject({ plan: 'team', included_minutes: 3000 });
    expect(body.burn_rate).toMatchObject({
      days_elapsed: 16,
      days_total: 30,
      progress: 0.53,
      current_minutes: 2522,
      daily_burn_rate: 157.63,
      // 2,522 / 16 · 30, and 28.29025 / 16 · 30.
      projected_minutes: 4728.75,
      projected_net_amount: 53.04,
      // Days within included minutes say nothing of those after them.
      projected_net_low: null,
      projected_net_high: null,
      range_missing: 'Included minutes run out before the month ends: the net amount will be higher.',
      // 2,400 of Linux and 20 of macOS at ten: 2,600, so 4,875 at the end of the month.
      quota_minutes: 2600,
      projected_overage: 1875,
      projected_overage_cost: 11.28,
      status: 'critical',
    });
    const { projected_minutes_low: low, projected_minutes_high: high } = body.burn_rate;
    expect([low < 4728.75, low >= 2522, high > 4728.75]).toEqual([true, true, true]);
    billedTo('octo', { plan: 'enterprise' });
    visit.service.clock.advance(24 * 3_600_000);
    const { burn_rate: lasting } = (await analysis()).body;
    const { projected_net_amount: expected, projected_net_low: least, projected_net_high: most } = lasting;
    expect(lasting).toMatchObject({ projected_overage: 0, range_missing: null });
    expect([least < expected, most > expected]).toEqual([true, true]);
  });

  test('a past month leads nowhere and needs no plan', async () => {
    const operations = await fetchAnswer(async () => {
      const { body } = await analysis('org=octo&year=2026&month=10');
      expect(body).toMatchObject({ burn_rate: null, plan: null, total_minutes: 700, total_net_amount: 0 });
      expect(body.by_day).toBeNull();
    });
    expect(operations.filter((one) => one !== 'users/get-authenticated')).toEqual([
      'billing/get-github-billing-usage-report-org',
    ]);
  });

  test('without the report by day the summary stands in, and says so', async () => {
    visit.service.double.fault({ path: usagePath, times: 9 }, { kind: 'status', status: 403 });
    const answer = await analysis();
    expect(answer.body).toMatchObject({
      source: 'usage_summary',
      by_repository: null,
      by_day: null,
      total_minutes: 2522,
      total_net_amount: 28.29,
      burn_rate: { projected_minutes: 4728.75, projected_minutes_low: null, projected_net_high: null },
    });
    expect(answer.body.burn_rate.range_missing).toMatch(/Daily usage is not available/);
    expect(answer.headers.get('x-partial')).toBe('true');
  });

  test('an unknown plan leaves the status and the overage open', async () => {
    billedTo('octo', { plan: 'a-new-plan' });
    const { body } = await analysis();
    expect(body).toMatchObject({ plan: 'a-new-plan', included_minutes: null });
    expect(body.burn_rate).toMatchObject({ status: 'unknown', projected_overage: null, projected_overage_cost: null });
  });

  test('an empty month is zeros', async () => {
    billedTo('octo', { uses: [] });
    const { body } = await analysis();
    expect(body).toMatchObject({ total_minutes: 0, total_net_amount: 0, skus: [], products: [], unpriced_skus: [] });
    expect(body).toMatchObject({ by_repository: [], burn_rate: { projected_minutes: 0, status: 'ok' } });
  });

  test('needs an organization, and a month that has come', async () => {
    expectFields(await analysis(''), ['org', 'missing']);
    expectFields(await analysis('org='), ['org', 'missing']);
    expectFields(await analysis('org=octo&month=13'), ['month', 'invalid']);
    expectFields(await analysis('org=octo&month=12'), ['month', 'invalid']);
    expectFields(await analysis('org=octo&year=2027&month=1'), ['year', 'invalid']);
    expectFields(await analysis('org=octo&year=2018'), ['year', 'invalid']);
    expect((await analysis('org=octo&year=2025&month=12')).status).toBe(200);
  });

  test('the month turns at midnight in UTC', async () => {
    const { clock } = visit.service;
    clock.advance(14 * day + 14 * hour - 1);
    expect((await analysis()).body).toMatchObject({
      period: { year: 2026, month: 11 },
      burn_rate: { days_elapsed: 30, days_total: 30, projected_minutes: 2522 },
    });
    clock.advance(1);
    expect((await analysis()).body).toMatchObject({
      period: { year: 2026, month: 12 },
      burn_rate: { days_elapsed: 1, days_total: 31, projected_minutes: 0 },
    });
  });
});

describe('how long a bill is stored', () => {
  const hours = [
    ['2026', '11', 0.4, 0.2],
    ['2026', '10', 23, 2],
  ] as const;
  test.each(hours)('%s-%s is requested again after its time, not before', async (year, month, fresh, more) => {
    const query = `org=octo&year=${year}&month=${month}`;
    await analysis(query);
    visit.service.clock.advance(fresh * hour);
    expect(await fetchAnswer(() => analysis(query))).toEqual([]);
    visit.service.clock.advance(more * hour);
    expect(await fetchAnswer(() => analysis(query))).toContain('billing/get-github-billing-usage-report-org');
  });

  test('nobody is given what another token read', async () => {
    await billing();
    expectProblem(await billing('org=octo', 'token-ann-two'), 403, 'upstream_forbidden');
  });

  test('an outage shows the last bill, marked as old', async () => {
    await billing();
    visit.service.clock.advance(hour);
    visit.service.double.fault({ path: '*', times: 99 }, { kind: 'status', status: 502 });
    const answer = await billing();
    expect(answer.body.total_minutes_used).toBe(2522);
    expect(answer.headers.get('x-stale')).toBe('true');
  });
});
