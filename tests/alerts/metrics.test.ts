import { expect, test } from 'vitest';
import { cancelledShare, failureRate } from '../../server/alerts/ci-metrics.ts';
import { afterHoursCommits, oversizedCommits } from '../../server/alerts/commit-metrics.ts';
import { measureNow } from '../../server/alerts/metric.ts';
import { alertMetrics, findAlertMetric } from '../../server/alerts/metrics.ts';
import type { PullRequestCommit } from '../../server/metrics/kernel/delivery-facts.ts';
import type { Conclusion } from '../../server/metrics/kernel/facts.ts';
import { createPeople } from '../../server/metrics/people/people.ts';
import type { Store } from '../../server/store/orm.ts';
import { putMerged } from '../store/merged-pull-requests.ts';
import { day, hour, noon, readBackTo, run, track } from '../store/world.ts';
import { aDatabase } from '../support/a-database.ts';

const watched = (repoId: number) => ({
  repoId,
  defaultBranch: 'main',
  windowHours: 24,
  now: noon,
  people: createPeople(),
});

/** Each of its own person, unless it differs. */
const commit = (sha: string, differing: Partial<PullRequestCommit> = {}): PullRequestCommit => ({
  sha: sha.repeat(40),
  author: { login: `dev-${sha}`, avatarUrl: '', isBot: false },
  authorName: sha,
  authoredAt: noon - 2 * hour,
  parents: 1,
  additions: 10,
  deletions: 0,
  changedFiles: 1,
  ...differing,
});

/** Pull requests of the window with their commits, all of them read an hour ago. */
async function merged(store: Store, repoId: number, ...lists: PullRequestCommit[][]) {
  for (const [index, commits] of lists.entries()) {
    await putMerged(store, 1, { number: index + 1, mergedAt: noon - hour });
    await store.pullRequestCommits.put(repoId, index + 1, commits, { truncated: false, syncedAt: noon });
  }
  await store.pullRequestCommits.readThrough(repoId, noon - hour);
}

aDatabase((given) => {
  test('failed runs are counted among those that passed or failed, cancelled ones among all, in the window, unrounded', async () => {
    const store = await given.open();
    const repoId = await track(store);
    await readBackTo(store, repoId, noon - 30 * hour);
    const ended: Conclusion[] = ['failure', 'timed_out', 'success', 'success', 'success', 'success', 'success'];
    const left: Conclusion[] = ['cancelled', 'skipped', 'neutral'];
    const runs = [...ended, ...left].map((conclusion, id) => run(id + 1, { conclusion, createdAt: noon - id * 1000 }));
    const older = run(99, { conclusion: 'failure', createdAt: noon - 2 * day });
    await store.runs.ingest(repoId, [...runs, older], { syncedAt: noon });
    const { value, sample } = await measureNow(failureRate, watched(repoId), store);
    expect(value).toBeCloseTo((100 * 2) / 7, 10);
    expect(sample).toBe(7);
    expect(await measureNow(cancelledShare, watched(repoId), store)).toMatchObject({ value: 10, sample: 10 });
  });

  test('oversized commits are counted among those of people whose size is known, unrounded', async () => {
    const store = await given.open();
    const repoId = await track(store);
    const bot = { login: 'robot', avatarUrl: '', isBot: true };
    await merged(
      store,
      repoId,
      [
        commit('1', { additions: 400, deletions: 1 }),
        commit('2', { changedFiles: 21 }),
        commit('3', { additions: 400 }),
      ],
      [commit('4'), commit('5'), commit('6', { changedFiles: null }), commit('7', { author: bot, changedFiles: 90 })],
      [commit('8', { parents: 2, changedFiles: 90 }), commit('9'), commit('a')],
    );
    const { value, sample, incomplete } = await measureNow(oversizedCommits, watched(repoId), store);
    expect([sample, incomplete]).toEqual([7, undefined]);
    expect(value).toBeCloseTo((100 * 2) / 7, 10);
  });

  test('commits count as after hours on weekends and outside the workday, by the zone of the team', async () => {
    const store = await given.open();
    const repoId = await track(store);
    // Noon in UTC is 19:00 in the team's zone, where the workday is over.
    const at = (hours: number) => commit(String(hours), { authoredAt: noon - hours * hour });
    await merged(store, repoId, [at(1), at(2), at(3), at(0.5), commit('b', { authoredAt: noon - 9 * day })]);
    expect(await measureNow(afterHoursCommits, watched(repoId), store)).toEqual({ value: 0, sample: 4 });
    await merged(store, repoId, [at(1), at(12.5), at(16), commit('c', { authoredAt: noon - 3 * hour, parents: 2 })]);
    const { value, sample } = await measureNow(afterHoursCommits, watched(repoId), store);
    expect([value, sample]).toEqual([(100 * 2) / 3, 3]);
    const week = { ...watched(repoId), windowHours: 168 };
    await merged(store, repoId, [
      commit('d', { authoredAt: noon - 2 * day }),
      commit('e', { authoredAt: noon - 4 * hour }),
      commit('f', { authoredAt: noon - 5 * hour }),
      commit('0', { authoredAt: noon - 6 * hour }),
    ]);
    expect(await measureNow(afterHoursCommits, week, store), 'a Sunday').toEqual({ value: 25, sample: 4 });
  });

  test.each([oversizedCommits, afterHoursCommits])(
    '$key is unknown until the whole window was read',
    async (metric) => {
      const store = await given.open();
      const repoId = await track(store);
      expect(await measureNow(metric, watched(repoId), store)).toMatchObject({
        value: null,
        incomplete: expect.any(String),
      });
      await merged(store, repoId, [commit('1'), commit('2'), commit('3')]);
      await putMerged(store, 1, { number: 7, mergedAt: noon - 2 * hour });
      const { value, incomplete } = await measureNow(metric, watched(repoId), store);
      expect(value).toBeNull();
      expect(incomplete).toContain('1 of 2');
      await store.pullRequestCommits.put(repoId, 7, [], { truncated: false, syncedAt: noon });
      expect(await measureNow(metric, watched(repoId), store)).toEqual({ value: 0, sample: 3 });
      const later = { ...watched(repoId), now: noon + 2 * day };
      expect(await measureNow(metric, later, store)).toMatchObject({ value: null, incomplete: expect.any(String) });
    },
  );

  test.each([oversizedCommits, afterHoursCommits])('$key says nothing of fewer than three people', async (metric) => {
    const store = await given.open();
    const repoId = await track(store);
    const people = createPeople([{ alias: 'dev-3', primary: 'dev-1' }]);
    const by = (sha: string, login: string) => commit(sha, { author: { login, avatarUrl: '', isBot: false } });
    const hidden = { value: null, incomplete: 'Fewer than three people wrote the commits that count.' };
    await merged(store, repoId, [commit('1'), commit('2'), by('4', 'DEV-1'), by('5', 'dev-2'), by('6', 'dev-1')]);
    expect(await measureNow(metric, watched(repoId), store)).toEqual({ ...hidden, sample: 5 });
    await merged(store, repoId, [commit('1'), commit('2'), commit('3')]);
    expect(await measureNow(metric, watched(repoId), store)).toEqual({ value: 0, sample: 3 });
    expect(await measureNow(metric, { ...watched(repoId), people }, store)).toEqual({ ...hidden, sample: 3 });
  });

  test('nothing to count is unknown, not zero', async () => {
    const store = await given.open();
    const repoId = await track(store);
    await readBackTo(store, repoId, noon - 400 * day);
    expect(await measureNow(failureRate, watched(repoId), store)).toEqual({ value: null, sample: 0 });
  });
});

const groups = {
  'workflow-runs': 'ci',
  'pull-requests': 'people',
  commits: 'people',
  'advisor-verdicts': 'ci',
  actions: 'ci',
  exposure: 'ci',
  'merge-queue': 'ci',
};

const shortest: Record<string, number> = { pr_throughput_drop: 168, advisor_gain_lost: 336 };

test('every alert metric is named once and says what feeds it', () => {
  expect(new Set(alertMetrics.map(({ key }) => key)).size).toBe(alertMetrics.length);
  for (const metric of alertMetrics) {
    expect(metric.group).toBe(groups[metric.dataSource]);
    expect(metric.minSample).toBeGreaterThan(0);
    expect(findAlertMetric(metric.key)).toBe(metric);
    expect(metric.effectiveHours(24)).toBe(shortest[metric.key] ?? 24);
    expect(metric.effectiveHours(720)).toBe(720);
  }
  expect(findAlertMetric('leadership_digest')).toBeNull();
});

test('a rule can watch what the service says it can, from the samples it says', () => {
  expect(Object.fromEntries(alertMetrics.map(({ key, unit, minSample }) => [key, `${unit} ${minSample}`]))).toEqual({
    failure_rate: 'percent 5',
    cancelled_share: 'percent 10',
    duration_p95: 'minutes 5',
    queue_wait_p95: 'minutes 5',
    failure_streak: 'count 1',
    anomaly_count: 'count 1',
    action_tags_moved: 'count 1',
    action_advisory_open: 'count 1',
    exposure_proven: 'count 1',
    merge_queue_time_p90: 'minutes 10',
    merge_queue_ejection_rate: 'percent 10',
    merge_queue_length: 'count 1',
    merge_queue_growth: 'count 1',
    pr_throughput_drop: 'percent 4',
    review_response_p90: 'hours 3',
    pr_abandon_rate: 'percent 3',
    unreviewed_pr_age: 'days 1',
    afterhours_commit_pct: 'percent 5',
    oversized_commit_pct: 'percent 5',
    advisor_gain_lost: 'percent 20',
  });
});
