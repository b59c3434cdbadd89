import { expect, test } from 'vitest';
import { alertMetrics, failureRate } from '../../server/alerts/metrics.ts';
import type { Conclusion } from '../../server/metrics/facts.ts';
import { day, noon, run, track } from '../store/world.ts';
import { eachDatabase } from '../support/database.ts';

const watched = (repoId: number) => ({ repoId, defaultBranch: 'main', since: noon - day, now: noon });

eachDatabase((given) => {
  test('failed runs are counted among those that passed or failed, in the window, unrounded', async () => {
    const store = await given.open();
    const repoId = await track(store);
    const ended: Conclusion[] = ['failure', 'timed_out', 'success', 'success', 'success', 'success', 'success'];
    const left: Conclusion[] = ['cancelled', 'skipped', 'neutral'];
    const runs = [...ended, ...left].map((conclusion, id) => run(id + 1, { conclusion, createdAt: noon - id * 1000 }));
    const older = run(99, { conclusion: 'failure', createdAt: noon - 2 * day });
    await store.runs.ingest(repoId, [...runs, older], { syncedAt: noon });
    const { value, sample } = await failureRate.measure(watched(repoId), store);
    expect(value).toBeCloseTo((100 * 2) / 7, 10);
    expect(sample).toBe(7);
  });

  test('nothing to count is unknown, not zero', async () => {
    const store = await given.open();
    const repoId = await track(store);
    expect(await failureRate.measure(watched(repoId), store)).toEqual({ value: null, sample: 0 });
  });
});

test('every alert metric is named once and says what feeds it', () => {
  expect(new Set(alertMetrics.map(({ key }) => key)).size).toBe(alertMetrics.length);
  for (const { fedBy, minSample } of alertMetrics) {
    expect(['workflow-runs', 'pull-requests', 'commits']).toContain(fedBy);
    expect(minSample).toBeGreaterThan(0);
  }
});
