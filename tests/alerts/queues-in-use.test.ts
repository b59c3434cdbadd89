import { expect, test } from 'vitest';
import { evaluateQueues } from '../../server/alerts/queue-rules.ts';
import type { MergeQueueEvent } from '../../server/metrics/kernel/delivery-facts.ts';
import { readPolledQueue } from '../../server/store/polled-queues.ts';
import { syncPullRequests } from '../../server/sync/pull-requests.ts';
import { withDouble } from '../codehost/double.ts';
import { namedNow } from '../codehost-double/named-world.ts';
import { repositoryOf } from '../codehost-double/world.ts';
import { eachDatabase } from '../support/database.ts';
import { addRule } from './stage.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const event = (kind: MergeQueueEvent['kind'], at: number, reason: string | null = null): MergeQueueEvent => ({
  kind,
  at,
  isByBot: false,
  reason,
  headSha: null,
});

eachDatabase((given) => {
  const platform = withDouble();

  async function begin(id: number) {
    const { store } = await given.openRaw();
    platform.advance(Math.max(0, Date.now() - namedNow + hour));
    const { codehost, clock } = platform.as();
    const name = `octo/used-${id}`;
    platform.double.addRepository({ name, facts: { id } });
    const one = repositoryOf(platform.double.world, name);
    const repoId = await store.repositories.track(one.facts, 'ann', clock.now());
    const options = { store, codehost, clock, facts: store.facts, mayContinue: () => true };
    const evaluateAfterSync = () => Promise.reject(new Error('No rule watches a queue.'));
    return {
      one,
      name,
      clock,
      sync: () => syncPullRequests(repoId, one.facts, options),
      state: () => readPolledQueue(store, repoId, clock.now()),
      async countRequests() {
        const before = platform.double.requests.length;
        const round = await evaluateQueues(
          { store, clock, evaluateAfterSync },
          { after: 0, codehost, mayContinue: () => true },
        );
        expect(round).toMatchObject({ evaluated: 0, reached: 0 });
        return platform.double.requests.length - before;
      },
    };
  }

  test('a queue that merged something lately is looked at twice an hour, one without rules and webhooks too', async () => {
    const { one, name, clock, sync, state, countRequests } = await begin(73_001);
    one.queueBranches = ['main'];
    const mergedAt = Math.floor(clock.now() / 1000) * 1000 - day;
    platform.double.putPullRequest(name, {
      number: 1,
      createdAt: mergedAt - day,
      mergedAt,
      queueEvents: [event('added', mergedAt - hour), event('removed', mergedAt, 'merged')],
    });
    expect(await countRequests(), 'before it is seen').toBe(0);
    await sync();
    expect(await countRequests()).toBe(1);
    expect(await state()).toMatchObject({ hasQueue: true, agrees: true });
    let requests = 0;
    for (let round = 0; round < 12; round++) {
      platform.advance(5 * minute);
      requests += await countRequests();
    }
    expect(requests, 'in an hour').toBe(2);
    platform.advance(8 * day);
    expect(await countRequests(), 'out of use').toBe(0);
  });

  test('a busy queue of which no webhook tells takes four requests a look', async () => {
    const { name, one, clock, sync, state, countRequests } = await begin(73_003);
    one.queueBranches = ['main'];
    const second = () => Math.floor(clock.now() / 1000) * 1000;
    const enter = (number: number) =>
      platform.double.putPullRequest(name, {
        number,
        createdAt: second() - hour,
        updatedAt: second() - minute,
        queueEvents: [event('added', second() - minute)],
      });
    const merge = (number: number) =>
      platform.double.putPullRequest(name, {
        number,
        createdAt: second() - hour,
        updatedAt: second() - minute,
        mergedAt: second() - minute,
        queueEvents: [event('added', second() - 11 * minute), event('removed', second() - minute, 'merged')],
      });
    enter(1);
    platform.advance(10 * minute);
    merge(1);
    await sync();
    const requests: number[] = [];
    for (let round = 0; round < 12; round++) {
      platform.advance(5 * minute);
      enter(round + 2);
      if (round > 1) merge(round);
      requests.push(await countRequests());
      if (requests.at(-1)) expect(await state()).toMatchObject({ agrees: true });
    }
    const looks = requests.filter((number) => number > 0);
    expect(looks, 'the queue, the repository, what ended and what is open').toEqual([4, 4]);
  });

  test('queues that a rule watches come before all that are seldom looked at', async () => {
    const { store } = await given.openRaw();
    platform.advance(Math.max(0, Date.now() - namedNow + hour));
    const { codehost, clock } = platform.as();
    const at = clock.now() - 3 * day;
    for (let number = 0; number < 45; number++) {
      const id = 73_100 + number;
      platform.double.addRepository({ name: `octo/many-${id}`, facts: { id } });
      const one = repositoryOf(platform.double.world, `octo/many-${id}`);
      one.queueBranches = ['main'];
      const { facts } = one;
      await store.repositories.track(facts, 'ann', clock.now());
      const notice = { ...event('added', at), number: 1, baseBranch: 'main', headSha: 'head' };
      const delivery = { id: `entered ${id}`, event: 'pull_request', action: 'enqueued' };
      await store.mergeQueueNotices.take({ ...delivery, repository: facts, notice }, at);
    }
    await addRule({ store, clock }, { scope: 'repo:octo/many-73144', metric: 'merge_queue_length', threshold: 3 });
    const evaluated: string[] = [];
    const evaluateAfterSync = async ({ repo }: { repo: string }) => {
      evaluated.push(repo);
      return { evaluated: 1, fired: 0 };
    };
    const round = (after: number) =>
      evaluateQueues({ store, clock, evaluateAfterSync }, { after, codehost, mayContinue: () => true });
    const first = await round(0);
    expect(first).toMatchObject({ evaluated: 1, polled: 40 });
    platform.advance(5 * minute);
    // The watched one again, and those that were left.
    expect(await round(first.reached)).toMatchObject({ evaluated: 1, polled: 6, reached: 0 });
    expect(evaluated).toEqual(['many-73144', 'many-73144']);
  });

  test('where there is no queue nothing is requested', async () => {
    const { sync, countRequests } = await begin(73_002);
    await sync();
    for (let round = 0; round < 3; round++) {
      platform.advance(hour);
      expect(await countRequests()).toBe(0);
    }
  });
});
