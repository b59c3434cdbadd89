// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { DeliveryCharts } from '../../app/routes/repo/delivery-charts.tsx';
import { phaseTime } from '../../server/metrics/pull-requests/cycle.ts';
import { drawInRoot } from './in-root.tsx';

const times = { time_to_open: 1, pickup: 2, review: 2, merge: 2 };
const data = {
  timezone: 'UTC',
  pr_scatter: [],
  throughput_by_week: [],
  cycle_breakdown: {
    sample_size: 3,
    samples: times,
    median_time_to_open_ms: 60_000,
    median_pickup_ms: 60_000,
    median_review_ms: 60_000,
    median_merge_ms: 243 * 60_000,
  },
};

test('the phase of the merge says why it is not approval to merge', () => {
  drawInRoot(<DeliveryCharts data={data as never} />, { now: 0, zone: 'UTC', base: '' });
  const text = document.body.textContent?.replace(/\s+/g, ' ') ?? '';
  expect(text).toContain('or else with the first review; approval to merge leaves out merges without one.');
  expect(phaseTime('merge', {} as never).definition).toContain('Approval to merge is another measure');
});
