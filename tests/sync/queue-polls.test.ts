import { expect, test } from 'vitest';
import { storeOpenPullRequests } from '../../server/facts/open-pull-requests.ts';
import type { MergeQueueEvent } from '../../server/metrics/kernel/delivery-facts.ts';
import { findEntries } from '../../server/metrics/merge-queue/entries.ts';
import { readPolledQueue } from '../../server/store/polled-queues.ts';
import { syncPullRequests } from '../../server/sync/pull-requests.ts';
import { pollQueue } from '../../server/sync/queue-polls.ts';
import { withDouble } from '../codehost/double.ts';
import { namedNow } from '../codehost-double/named-world.ts';
import { repositoryOf } from '../codehost-double/world.ts';
import { eachDatabase } from '../support/database.ts';
import { day, hour, minute } from './stage.ts';

const event = (kind: MergeQueueEvent['kind'], at: number, reason: string | null = null): MergeQueueEvent => ({
  kind,
  at,
  isByBot: false,
  reason,
  headSha: null,
});

eachDatabase((given) => {
  const platform = withDouble();

  /** A tracked repository whose main branch has a queue, read up to now. */
  async function begin(id: number) {
    const { store } = await given.openRaw();
    platform.advance(Math.max(0, Date.now() - namedNow + hour));
    const { codehost, clock } = platform.as();
    const name = `octo/polled-${id}`;
    platform.double.addRepository({ name, facts: { id } });
    const one = repositoryOf(platform.double.world, name);
    one.queueBranches = ['main'];
    const repoId = await store.repositories.track(one.facts, 'ann', clock.now());
    const options = { store, codehost, clock, facts: store.facts, mayContinue: () => true };
    await syncPullRequests(repoId, one.facts, options);
    await storeOpenPullRequests(repoId, one.facts, options);
    const known = (await store.repositories.tracked()).find((each) => each.id === repoId);
    if (!known) throw new Error('It is not tracked.');
    const second = () => Math.floor(clock.now() / 1000) * 1000;
    return {
      store,
      name,
      clock,
      second,
      facts: one.facts,
      poll: () => pollQueue(known, options),
      state: () => readPolledQueue(store, repoId, clock.now()),
      requests: () => platform.double.requests.length,
    };
  }

  test('an entry whose end no webhook told of is read again once it is missing twice', async () => {
    const { store, name, second, facts, poll, state, requests } = await begin(72_000);
    await poll();
    expect(await state()).toMatchObject({ branch: 'main', hasQueue: true, missing: [], agrees: true, changedAt: null });
    const at = second() - 5 * minute;
    const notice = { ...event('added', at), number: 9, baseBranch: 'main', headSha: 'head' };
    const delivery = { id: 'entered', event: 'pull_request', action: 'enqueued' };
    await store.mergeQueueNotices.take({ ...delivery, repository: facts, notice }, at);
    // It was merged meanwhile, and that delivery was lost.
    platform.double.putPullRequest(name, {
      number: 9,
      createdAt: at - day,
      updatedAt: second() - minute,
      mergedAt: second() - minute,
      queueEvents: [event('added', at), event('removed', second() - minute, 'merged')],
    });
    platform.advance(2 * minute);
    await poll();
    expect(await state()).toMatchObject({ missing: [9], agrees: false });
    const before = requests();
    await poll();
    expect(requests(), 'not before a minute is over').toBe(before);
    platform.advance(2 * minute);
    await poll();
    expect(await state()).toMatchObject({ missing: [], agrees: true });
    const [stored] = await store.facts.facts(facts, 'pull_requests', at - day);
    expect(stored).toMatchObject({ number: 9, state: 'merged', mergeQueue: { events: [{}, { reason: 'merged' }] } });
  });

  test('an entry that vanishes just before its merge was not removed', async () => {
    const { store, name, clock, second, facts, poll, state } = await begin(72_007);
    const at = second() - 5 * minute;
    const notice = { ...event('added', at), number: 11, baseBranch: 'main', headSha: 'head' };
    const delivery = { id: 'vanishing', event: 'pull_request', action: 'enqueued' };
    await store.mergeQueueNotices.take({ ...delivery, repository: facts, notice }, at);
    const entries = async () => {
      const stored = await store.facts.facts(facts, 'pull_requests', at - day);
      return findEntries(stored, await store.mergeQueueNotices.list(facts.id, at), clock.now());
    };
    platform.double.putPullRequest(name, { number: 11, createdAt: at - day });
    await poll();
    expect(await state()).toMatchObject({ missing: [11] });
    expect(await entries()).toMatchObject([{ outcome: 'open', leftAt: null }]);
    platform.advance(2 * minute);
    const mergedAt = second() - minute;
    platform.double.putPullRequest(name, {
      number: 11,
      createdAt: at - day,
      updatedAt: mergedAt,
      mergedAt,
      queueEvents: [event('added', at), event('removed', mergedAt, 'merged')],
    });
    await poll();
    expect(await state()).toMatchObject({ missing: [], agrees: true });
    expect(await entries()).toMatchObject([{ outcome: 'merged', leftAt: mergedAt, group: 'merged' }]);
  });

  test('an entry that no webhook told of is read at once', async () => {
    const { name, second, poll, state } = await begin(72_001);
    const queued = event('added', second() - 3 * minute);
    platform.advance(6 * minute);
    platform.double.putPullRequest(name, { number: 5, createdAt: second() - day, queueEvents: [queued] });
    await poll();
    expect(await state()).toMatchObject({ missing: [], agrees: true });
  });

  test('an entry of the minutes since the last reading is read at once', async () => {
    const { name, second, poll, state } = await begin(72_006);
    platform.advance(2 * minute);
    const queued = event('added', second() - minute);
    platform.double.putPullRequest(name, { number: 6, createdAt: second() - day, queueEvents: [queued] });
    await poll();
    expect(await state()).toMatchObject({ missing: [], agrees: true });
  });

  test('a reading that failed is no try in vain', async () => {
    const { name, second, poll, state } = await begin(72_007);
    platform.advance(6 * minute);
    const queued = event('added', second() - minute);
    platform.double.putPullRequest(name, { number: 7, createdAt: second() - day, queueEvents: [queued] });
    platform.double.fault({ path: '/graphql', after: 1 }, { kind: 'secondary_limit' });
    await poll();
    expect(await state()).toMatchObject({ agrees: false, inVain: null });
    platform.advance(2 * minute);
    await poll();
    expect(await state()).toMatchObject({ missing: [], agrees: true });
  });

  test('what reading again does not tell of is asked for once an hour', async () => {
    const { store, second, facts, poll, state, requests } = await begin(72_004);
    const at = second() - 5 * minute;
    const notice = { ...event('added', at), number: 99, baseBranch: 'main', headSha: 'head' };
    const delivery = { id: 'never-left', event: 'pull_request', action: 'enqueued' };
    await store.mergeQueueNotices.take({ ...delivery, repository: facts, notice }, at);
    const countRequests = async () => {
      platform.advance(5 * minute);
      const before = requests();
      await poll();
      return requests() - before;
    };
    const first = await countRequests();
    expect(await countRequests(), 'it is missing twice').toBeGreaterThan(first);
    expect(await state()).toMatchObject({ missing: [99], agrees: false, inVain: { numbers: [99] } });
    for (let polls = 0; polls < 11; polls++) expect(await countRequests()).toBe(first);
    expect(await countRequests(), 'an hour later').toBeGreaterThan(first);
  });

  test('an entry beyond the open pull requests that are read is not read for', async () => {
    const { name, second, poll, state, requests } = await begin(72_005);
    const begun = second() - day;
    for (let number = 1; number <= 301; number++)
      platform.double.putPullRequest(name, { number, createdAt: begun + number * 1000, updatedAt: second() });
    platform.advance(6 * minute);
    await poll();
    const queued = event('added', second() - minute);
    platform.double.putPullRequest(name, { number: 5, createdAt: begun + 5000, queueEvents: [queued] });
    platform.advance(6 * minute);
    await poll();
    expect(await state()).toMatchObject({ missing: [], agrees: true });
    const late = { number: 302, createdAt: second() - hour, queueEvents: [event('added', second() - minute)] };
    platform.double.putPullRequest(name, late);
    platform.advance(6 * minute);
    const before = requests();
    await poll();
    expect(await state()).toMatchObject({ missing: [], agrees: false });
    expect(requests() - before, 'the queue alone').toBe(1);
  });

  test('a configuration that is another has changed when that was first seen', async () => {
    const { name, clock, poll, state } = await begin(72_003);
    await poll();
    expect(await state()).toMatchObject({ configuration: { checksTimeoutMinutes: 60 }, changedAt: null });
    repositoryOf(platform.double.world, name).queueTimeout = 90;
    platform.advance(2 * minute);
    await poll();
    const changedAt = clock.now();
    expect(await state()).toMatchObject({ configuration: { checksTimeoutMinutes: 90 }, changedAt });
    platform.advance(2 * minute);
    await poll();
    expect(await state()).toMatchObject({ changedAt });
  });

  test('without a queue nobody asks again for a day', async () => {
    const { name, poll, state, requests } = await begin(72_002);
    repositoryOf(platform.double.world, name).queueBranches = [];
    expect(await poll()).toBe(true);
    expect(await state()).toMatchObject({ hasQueue: false, agrees: true });
    const before = requests();
    platform.advance(23 * hour);
    expect(await poll()).toBe(false);
    expect(requests()).toBe(before);
    platform.advance(2 * hour);
    expect(await poll()).toBe(true);
  });
});
