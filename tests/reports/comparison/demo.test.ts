import { describe, expect, test } from 'vitest';
import { emptyReply } from '../../../server/http/execute.ts';
import { leadTime } from '../../../server/metrics/delivery/delivery.ts';
import { scopeMerges } from '../../../server/metrics/pull-requests/merges.ts';
import { timeToFirstReview } from '../../../server/metrics/pull-requests/pull-requests.ts';
import { type ComparedMetric, comparedBy, comparedMetrics } from '../../../server/reports/comparison/metrics.ts';
import { comparePeriods } from '../../../server/reports/comparison/report.ts';
import { scopeOverview } from '../../../server/reports/overview/report.ts';
import { visitService } from '../../api/endpoints.ts';
import { openDemo } from '../../support/demo-context.ts';

const visit = visitService({});
const owner = 'lumen-harbor';
const compare = (metrics: ComparedMetric[], days: number) =>
  comparePeriods({ owner, metrics, days }, openDemo(visit.service), emptyReply());

describe('periods of the demo', () => {
  test('have every metric, each with a value, an interval and all that it is made of', async () => {
    for (const metrics of [comparedMetrics.slice(0, 5), comparedMetrics.slice(5)]) {
      const answer = await compare(metrics, 30);
      expect(answer.metrics.map(({ metric }) => metric)).toEqual(metrics);
      for (const { a, b, verdict } of answer.metrics) {
        for (const { value, interval, n, coverage } of [a, b]) {
          expect(value).not.toBeNull();
          expect(interval).not.toBeNull();
          expect(n).toBeGreaterThan(20);
          expect(coverage.complete).toBe(true);
        }
        expect(verdict).not.toBe('not_enough_data');
      }
    }
  });

  test('have the runs and merges that the overview has', async () => {
    const context = openDemo(visit.service);
    const { figures } = await scopeOverview({ org: owner, range: '30', compare: 'previous' }, context);
    const { metrics } = await compare(['success_rate', 'duration_p50', 'merged'], 30);
    const [success, median, merged] = metrics;
    expect(merged?.b.value).toBe(figures.prsMerged);
    expect(merged?.a.value).toBe(figures.prsMergedBefore);
    expect(median?.b.value).toBe(figures.medianMs);
    expect(median?.b.n).toBe(figures.durationSample);
    expect(success?.b.n).toBe(figures.failureRateSample);
  });

  test('before the demo begins nothing is known', async () => {
    const { metrics } = await compare(['success_rate', 'merged'], 90);
    for (const { a, b, verdict } of metrics) {
      expect([a.value, a.missing, verdict]).toEqual([null, 'not_stored', 'not_enough_data']);
      expect(b.value).not.toBeNull();
    }
  });
});

test('metrics are called what they are called elsewhere', () => {
  const scope = { window: { from: 0, to: 1 }, people: {} as never };
  const delivery = { ...scope, calendar: {} as never, defaultBranch: null, repositoryCreatedAt: null };
  expect(comparedBy.lead_time.label).toBe(leadTime({ ...delivery, hasDeployments: false }).label);
  expect(comparedBy.merged.label).toBe(scopeMerges(scope).label);
  expect(comparedBy.first_review.label).toBe(timeToFirstReview(scope).label);
  for (const { label } of Object.values(comparedBy)) expect(label).toMatch(/^[A-Z]/);
});
