import { expect, test } from 'vitest';
import { measureNow } from '../../server/alerts/metric.ts';
import { queueLength, slowQueue } from '../../server/alerts/queue-metrics.ts';
import { backTest } from '../../server/alerts/replay.ts';
import { storeOpenPullRequests } from '../../server/facts/open-pull-requests.ts';
import type { MergeQueueEvent } from '../../server/metrics/kernel/delivery-facts.ts';
import { createPeople } from '../../server/metrics/people/people.ts';
import type { Store } from '../../server/store/orm.ts';
import { storePolledQueue } from '../../server/store/polled-queues.ts';
import { putMerged } from '../store/merged-pull-requests.ts';
import { hour, minute, noon, repository, track } from '../store/world.ts';
import { eachDatabase } from '../support/database.ts';

const event = (kind: MergeQueueEvent['kind'], at: number, reason: string | null = null): MergeQueueEvent => ({
  kind,
  at,
  isByBot: false,
  reason,
  headSha: null,
});

/** Ten pull requests that the queue merged after half an hour, the last of them an hour ago. */
const putQueue = (store: Store) =>
  putMerged(
    store,
    1,
    ...Array.from({ length: 10 }, (_, index) => {
      const mergedAt = noon - (1 + index) * hour;
      const events = [event('added', mergedAt - 30 * minute), event('removed', mergedAt, 'merged')];
      return { number: index + 1, mergedAt, mergeQueue: { events, mergeSha: null, parentSha: null } };
    }),
  );

/** Pull requests were read, and none is open. */
const putNoneOpen = (store: Store, repoId: number) => {
  const none = { items: [], totalCount: 0, partial: false, stale: false, asOf: noon };
  const codehost = { pullRequests: { open: async () => none } };
  return storeOpenPullRequests(repoId, repository(1), { codehost, store });
};

/** A webhook tells that a pull request entered the queue. */
const enter = (store: Store, number: number, at: number) => {
  const notice = { ...event('added', at), number, baseBranch: 'main', headSha: 'head' };
  const delivery = { id: `entered ${number}`, event: 'pull_request', action: 'enqueued' };
  return store.mergeQueueNotices.take({ ...delivery, repository: repository(1), notice }, at);
};

eachDatabase((given) => {
  test('a queue is judged by stored pull requests and by webhooks, and not without the latter', async () => {
    const store = await given.open();
    const repoId = await track(store);
    const scope = { repoId, defaultBranch: 'main', people: createPeople() };
    const at = { ...scope, now: noon, windowHours: 24 };
    expect(await measureNow(queueLength, at, store)).toMatchObject({ value: null });
    await putQueue(store);
    expect(await measureNow(queueLength, at, store)).toMatchObject({
      value: null,
      incomplete: 'Open pull requests are not up to date.',
    });
    await putNoneOpen(store, repoId);
    expect(await measureNow(queueLength, at, store)).toMatchObject({
      value: null,
      incomplete: expect.stringContaining('No webhook'),
    });
    // Whoever has just looked at the queue knows it too, as long as that was seen to be as it is stored.
    const polled = {
      at: noon - minute,
      branch: 'main',
      hasQueue: true,
      configuration: null,
      changedAt: null,
      missing: [],
    };
    await storePolledQueue(store, repoId, { ...polled, agrees: false });
    expect(await measureNow(queueLength, at, store)).toMatchObject({ value: null });
    await storePolledQueue(store, repoId, { ...polled, agrees: true });
    expect(await measureNow(queueLength, at, store)).toMatchObject({ value: 0, sample: 1 });
    expect(await measureNow(queueLength, { ...at, now: noon + 15 * minute }, store)).toMatchObject({ value: null });
    for (const number of [21, 22, 23]) await enter(store, number, noon - 90 * minute);
    expect(await measureNow(queueLength, at, store)).toMatchObject({ value: 3, sample: 1 });
    expect(await measureNow(slowQueue, at, store)).toMatchObject({ value: 90, sample: 13 });
    const rule = { metric: 'merge_queue_length', threshold: 3, minSample: null, windowHours: 1 };
    const { last30, fired } = await backTest(rule, scope, noon, store);
    // 90 days are thinned to a moment every 65 minutes, and an alert is silent for an hour.
    expect([last30, fired]).toEqual([2, [noon, noon - 65 * minute]]);
    expect(await store.alertDue.waiting(1)).toEqual([]);
  });
});
