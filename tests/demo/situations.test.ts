import { afterAll, beforeAll, expect, test } from 'vitest';
import { toWire } from '../../server/api/wire.ts';
import type { Situation } from '../../server/demo/situations.ts';
import { makeWorld } from '../../server/demo/world.ts';
import { createContext, demoContext } from '../../server/http/context.ts';
import { emptyReply } from '../../server/http/execute.ts';
import { repositoryAttention } from '../../server/reports/attention/report.ts';
import { ciReport } from '../../server/reports/ci/report.ts';
import { contributorsReport } from '../../server/reports/contributors/report.ts';
import { getCostAnalysis } from '../../server/reports/cost/operations.ts';
import { getOrganizationSecurity } from '../../server/reports/organization-security/operations.ts';
import { scopeOverview } from '../../server/reports/overview/report.ts';
import { type Service, startService } from '../support/service.ts';

const all: Situation[] = ['mixed', 'healthy', 'flaky', 'queue', 'advisory'];
let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.close());

const contextOf = (situation: string) =>
  demoContext(
    createContext(service.app.services, {
      method: 'GET',
      url: new URL(`http://localhost:3000/demo?situation=${situation}`),
      headers: new Headers(),
      address: '',
      signal: new AbortController().signal,
    }),
  );

async function readCi(situation: Situation) {
  const { totals, workflows } = await ciReport({ range: '7', compare: 'previous', sort: 'runs' }, contextOf(situation));
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
  await Promise.all(all.map(readCi));
  expect(service.double.requests).toEqual([]);
});
