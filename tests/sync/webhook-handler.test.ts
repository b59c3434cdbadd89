import { describe, expect, test } from 'vitest';
import type { Codehost } from '../../server/codehost/client/client.ts';
import { createLog } from '../../server/platform/log.ts';
import type { Delivery } from '../../server/store/deliveries.ts';
import type { Store } from '../../server/store/orm.ts';
import { createWebhookHandler } from '../../server/sync/webhook-handler.ts';
import { namedNow } from '../codehost-double/named-world.ts';
import { type DoubleWorld, repositoryOf } from '../codehost-double/world.ts';
import { eachDatabase, type TestDatabase } from '../support/database.ts';
import { rounds } from '../support/rounds.ts';
import { badlyDelivered, dice, names, worldOfDeliveries } from './deliveries-world.ts';
import { minute, platformRuns, repoIdOf, rollupsAndRecount, runsOf, storedRuns, synchronize } from './stage.ts';

const count = rounds('DELIVERIES', 1000, 3000);
const clock = { now: () => namedNow };

const handlerOf = (
  store: Pick<Store, 'actionLedger' | 'advisorPullRequests' | 'deliveries' | 'mergeQueueNotices' | 'repositories'>,
  { name }: Pick<TestDatabase, 'name'>,
) => {
  const partitions = name === 'embedded' ? 1 : 2;
  // What is delivered here was read before.
  const read = (_event: string, payload: object) => {
    const { run, job, action, repository } = payload as Delivery;
    if (run) return { kind: 'run' as const, action, repository, run, job: null };
    if (job) return { kind: 'job' as const, action, repository, run: null, job };
    return { kind: 'skipped' as const };
  };
  return createWebhookHandler({ store, clock, partitions, read, allowedOwners: [], log: createLog('silent') });
};

type Handler = ReturnType<typeof handlerOf>;

/** As many at once as a busy listener has; answers what came of each. */
async function deliver(handler: Handler, arriving: readonly Delivery[]) {
  const waiting = [...arriving];
  const found: string[] = [];
  const one = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      found.push((await handler.receive({ event: next.event, delivery: next.id, payload: next })).kind);
  };
  await Promise.all(Array.from({ length: 64 }, one));
  return found;
}

/** Synchronizes until nothing is left, and answers the number of changes. */
async function reconcile(world: DoubleWorld, store: Store, now: number): Promise<number> {
  const reads = (name: { owner: string; repo: string }) => runsOf(repositoryOf(world, `${name.owner}/${name.repo}`));
  const runs: Codehost['runs'] = {
    ...runsOf(repositoryOf(world, 'octo/web')),
    window: (name, ...rest) => reads(name).window(name, ...rest),
    get: (name, id) => reads(name).get(name, id),
    attempt: (name, ...rest) => reads(name).attempt(name, ...rest),
  };
  const codehost = { runs } as Codehost;
  let changed = 0;
  for (let partial = true; partial; ) {
    const result = await synchronize({ world }, names, { codehost, store, clock: { now: () => now } });
    expect(result.results.filter(({ status }) => status === 'error')).toEqual([]);
    changed += result.results.reduce((sum, one) => sum + one.synced, 0);
    partial = result.partial;
  }
  return changed;
}

eachDatabase((given) => {
  describe('events that arrive as badly as they can', () => {
    test(
      `${count} of them, then one synchronization: every attempt and every day is as on the platform`,
      async () => {
        const random = dice(20_261);
        const { world, events } = worldOfDeliveries(count, random);
        const arriving = badlyDelivered(events, random);
        const store = await given.open();
        await store.rollups.rebuild('UTC');
        const handler = handlerOf(store, given);
        const half = Math.floor(arriving.length / 2);
        const found = await deliver(handler, arriving.slice(0, half));
        expect(await reconcile(world, store, namedNow)).toBeGreaterThan(0);
        found.push(...(await deliver(handler, arriving.slice(half))));
        const tally = Map.groupBy(found, (kind) => kind);
        expect(tally.get('run')).toHaveLength(new Set(arriving.map(({ id }) => id)).size);
        expect(tally.get('duplicate')).toHaveLength(arriving.length - (tally.get('run')?.length ?? 0));
        await reconcile(world, store, namedNow + minute);
        let total = 0;
        for (const name of names) {
          const repoId = await repoIdOf(store, name);
          const stored = await storedRuns(store, repoId);
          expect(stored).toEqual(platformRuns(repositoryOf(world, name)));
          total += stored.length;
          await store.runs.recomputeDirty();
          const { daily, recounted } = await rollupsAndRecount(store, repoId);
          expect(daily).toEqual(recounted);
        }
        expect(total).toBeGreaterThan(count / 4);
        expect(await reconcile(world, store, namedNow + 2 * minute)).toBe(0);
      },
      60_000 + count * 10,
    );
  });
});
