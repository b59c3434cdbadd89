import { expect, test } from 'vitest';
import { eventReader } from '../../server/codehost/webhook/events.ts';
import { createLog } from '../../server/platform/log.ts';
import { createWebhookHandler } from '../../server/sync/webhook-handler.ts';
import { namedNow, namedWorld } from '../codehost-double/named-world.ts';
import { queueEvent } from '../codehost-double/webhook.ts';
import { repositoryOf } from '../codehost-double/world.ts';
import { eachDatabase } from '../support/database.ts';

eachDatabase((given) => {
  test('deliveries of merge queues are stored once each, in any order', async () => {
    const store = await given.open();
    const handler = createWebhookHandler({
      store,
      read: eventReader([]),
      allowedOwners: [],
      partitions: 1,
      clock: { now: () => namedNow },
      log: createLog('silent'),
    });
    const repository = repositoryOf(namedWorld(), 'octo/web');
    const left = queueEvent(repository, 7, { action: 'dequeued', reason: 'MERGE' }, namedNow - 1000);
    const entered = queueEvent(repository, 7, { action: 'enqueued' }, namedNow - 60_000);
    const deliver = async (payload: object, delivery: string) =>
      (await handler.receive({ event: 'pull_request', delivery, payload })).kind;
    expect([
      await deliver(left, 'one'),
      await deliver(left, 'one'),
      await deliver(entered, 'two'),
      await deliver(left, 'sent again by hand'),
    ]).toEqual(['queue', 'duplicate', 'queue', 'queue']);
    expect(await store.mergeQueueNotices.list(repository.facts.id, namedNow - 3_600_000)).toEqual([
      {
        number: 7,
        kind: 'added',
        at: namedNow - 60_000,
        baseBranch: 'main',
        headSha: 'c'.repeat(40),
        isByBot: false,
        reason: null,
      },
      {
        number: 7,
        kind: 'removed',
        at: namedNow - 1000,
        baseBranch: 'main',
        headSha: 'c'.repeat(40),
        isByBot: false,
        reason: 'merge',
      },
    ]);
  });
});
