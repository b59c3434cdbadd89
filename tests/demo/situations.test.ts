import { afterAll, beforeAll, expect, test } from 'vitest';
import { getAlerts } from '../../server/alerts/operations/list.ts';
import { toWire } from '../../server/api/wire.ts';
import type { Situation } from '../../server/demo/situations.ts';
import { makeWorld } from '../../server/demo/world.ts';
import { emptyReply } from '../../server/http/execute.ts';
import { repositoryAttention } from '../../server/reports/attention/report.ts';
import { ciReport } from '../../server/reports/ci/report.ts';
import { contributorsReport } from '../../server/reports/contributors/report.ts';
import { getCostAnalysis } from '../../server/reports/cost/operations.ts';
import { getOrganizationSecurity } from '../../server/reports/organization-security/operations.ts';
import { scopeOverview } from '../../server/reports/overview/report.ts';
import { openDemo } from '../support/demo-context.ts';
import { type Service, startService } from '../support/service.ts';

const all: Situation[] = ['mixed', 'healthy', 'flaky', 'queue', 'advisory'];
let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.close());

const contextOf = (situation: string) => openDemo(service, `/demo?situation=${situation}`);

async function readCi(situation: Situation) {
  const input = { range: '7', compare: 'previous', sort: 'runs', table: 'workflows' } as const;
  const { totals, workflows } = await ciReport(input, contextOf(situation));
  const sum = (pick: (row: (typeof workflows)[number]) => number) => workflows.reduce((all, row) => all + pick(row), 0);
  return {
    flakyRate: (100 * sum(({ flakyCommits }) => flakyCommits)) / sum(({ flakySample }) => flakySample),
    failing: workflows.filter(({ failureRate: rate }) => (rate ?? 0) >= 10).length,
    failureRate: totals.failureRate ?? 0,
    waitMs: totals.queueWaitMs ?? 0,
  };
}

async function readAdvisory(situation: Situation) {
  const input = getOrganizationSecurity.input.parse({ org: 'lumen-harbor' });
  const answer = await getOrganizationSecurity.run(input, contextOf(situation), emptyReply());
  const { facets } = getOrganizationSecurity.output.parse(toWire(getOrganizationSecurity.output, answer));
  return facets.rule.find(({ subject }) => subject === 'tide-table');
}

test('a flaky week has more flaky commits and failing workflows than the others', async () => {
  const [flaky, mixed, healthy] = await Promise.all([readCi('flaky'), readCi('mixed'), readCi('healthy')]);
  expect(flaky.flakyRate).toBeGreaterThan(2 * mixed.flakyRate);
  expect(flaky.failing).toBeGreaterThan(mixed.failing);
  expect(flaky.flakyRate).toBeGreaterThan(15);
  expect(flaky.waitMs).toBeLessThan(60_000);
  expect(healthy.flakyRate).toBeLessThan(mixed.flakyRate);
});

test('a slow queue has runs wait for runners by minutes, and fail no more than before', async () => {
  const [queue, mixed] = await Promise.all([readCi('queue'), readCi('mixed')]);
  expect(queue.waitMs).toBeGreaterThan(5 * 60_000);
  expect(queue.waitMs).toBeGreaterThan(5 * mixed.waitMs);
  expect(Math.abs(queue.failureRate - mixed.failureRate)).toBeLessThanOrEqual(2);
});

test('an advisory is one package over sixteen repositories', async () => {
  expect(await readAdvisory('advisory')).toMatchObject({
    value: 'GHSA-t1de-tab1-e042',
    severity: 'critical',
    repos: 16,
  });
  expect((await readAdvisory('mixed'))?.repos).toBe(4);
  expect(await readAdvisory('healthy')).toBeUndefined();
});

/** What of the rules of the organization fired in a week, by the code that judges live. */
async function readAlerts(situation: Situation) {
  const context = contextOf(situation);
  const answer = await getAlerts.run({ events: '1', table: 'events' }, context, emptyReply());
  const { rules, events, open_count: openCount } = getAlerts.output.parse(toWire(getAlerts.output, answer));
  const since = context.services.clock.now() - 7 * 86_400_000;
  const fired = events.filter(({ fired_at: at }) => Date.parse(at) >= since);
  const firedIn = (metric: string) => new Set(fired.flatMap((one) => (one.metric === metric ? one.repo : []))).size;
  return { rules, events, openCount, firedIn };
}

test('alert rules fire by what the organization goes through', async () => {
  const [mixed, healthy, flaky, queue] = await Promise.all(
    (['mixed', 'healthy', 'flaky', 'queue'] as const).map(readAlerts),
  );
  if (!mixed || !healthy || !flaky || !queue) throw new Error('Each situation has its alerts.');
  expect(mixed.firedIn('failure_streak')).toBe(1);
  expect(mixed.openCount).toBeGreaterThan(0);
  expect(healthy.openCount).toBe(0);
  expect(flaky.firedIn('failure_streak')).toBe(0);
  expect(flaky.firedIn('failure_rate')).toBeGreaterThan(mixed.firedIn('failure_rate'));
  expect([mixed, flaky, queue].map((one) => one.firedIn('queue_wait_p95'))).toEqual([0, 0, 4]);
});

test('an alert of the demo has the value of its runs, and a muted rule none after it was muted', async () => {
  const { rules, events } = await readAlerts('mixed');
  const context = contextOf('mixed');
  const now = context.services.clock.now();
  const runs = (await context.codehost()).runs;
  const { items } = await runs.recent({ owner: 'lumen-harbor', repo: 'harbor-gateway' }, now - 7 * 86_400_000, 9);
  const ended = items.filter((run) => run.conclusion === 'success' || run.conclusion === 'failure');
  const failed = ended.filter((run) => run.conclusion === 'failure').length;
  const rate = rules.find(({ metric }) => metric === 'failure_rate');
  expect(rate?.last_value).toBeCloseTo((100 * failed) / ended.length, 1);
  expect(rate?.last_sample).toBe(ended.length);
  const muted = rules.find(({ muted_until: until }) => until !== null);
  expect(muted?.metric).toBe('anomaly_count');
  expect(muted?.last_evaluated_at).toBe(muted?.updated_at);
  for (const { value, threshold, resolved_at: ended, fired_at: fired } of events) {
    expect(value).toBeGreaterThanOrEqual(threshold);
    if (ended !== null) expect(Date.parse(ended)).toBeGreaterThan(Date.parse(fired));
  }
});

test('where all is well no default branch fails and few runs do', async () => {
  const { items } = await repositoryAttention(
    { visibility: 'all', page: 1, per_page: 25 },
    contextOf('healthy'),
    emptyReply(),
  );
  expect(items.filter(({ attention }) => attention.level === 'failing')).toEqual([]);
  expect((await readCi('healthy')).failureRate).toBeLessThan(5);
});

test.each(all)('%s has figures for home, team and cost', async (situation) => {
  const context = contextOf(situation);
  const { figures, repositories } = await scopeOverview({ range: '30', compare: 'previous' }, context);
  expect(figures.failureRateSample).toBeGreaterThan(100);
  expect(figures.prsMerged).toBeGreaterThan(10);
  expect(repositories.length).toBe(situation === 'advisory' ? 20 : 8);
  const repository = { owner: 'lumen-harbor', repo: 'tidewater-web' };
  const { contributors } = await contributorsReport({ ...repository, days: 30 }, context, emptyReply());
  expect(contributors.length).toBeGreaterThan(3);
  const { input, output, run } = getCostAnalysis;
  const bill = output.parse(toWire(output, await run(input.parse({ org: 'lumen-harbor' }), context, emptyReply())));
  expect(bill.skus.length).toBeGreaterThan(0);
});

test('every situation is the same for everybody on the same day', () => {
  const now = Date.parse('2026-11-18T03:15:00Z');
  const toBytes = (situation: Situation) => JSON.stringify(makeWorld({ seed: 'demo', now, situation }));
  const [first, second] = [all.map(toBytes), all.map(toBytes)];
  expect(first.every((bytes, index) => bytes === second[index])).toBe(true);
  expect(new Set(first).size).toBe(5);
  expect(first[0] === JSON.stringify(makeWorld({ seed: 'demo', now }))).toBe(true);
});

test('no situation asks the platform for anything', async () => {
  service.double.requests.length = 0;
  await Promise.all([...all.map(readCi), ...all.map(readAlerts)]);
  expect(service.double.requests).toEqual([]);
});
