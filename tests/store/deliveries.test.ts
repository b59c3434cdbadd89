import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { WorkflowJob, WorkflowRun } from '../../server/metrics/kernel/facts.ts';
import type { Delivery } from '../../server/store/deliveries.ts';
import type { Store } from '../../server/store/orm.ts';
import { eachDatabase, openTestStore } from '../support/database.ts';
import { deliveries, hour, minute, noon, observations, repository, run, unseen } from './world.ts';

const delivery = (id: string, repo: number, fact: { run?: WorkflowRun; job?: WorkflowJob }): Delivery => ({
  id,
  event: fact.run ? 'workflow_run' : 'workflow_job',
  action: 'completed',
  repository: repository(repo),
  run: fact.run ?? null,
  job: fact.job ?? null,
});

const job = (id: number, differing: Partial<WorkflowJob> = {}): WorkflowJob => ({
  id,
  runId: 1,
  attempt: 1,
  name: 'build',
  workflowName: 'CI',
  status: 'completed',
  conclusion: 'success',
  createdAt: noon,
  startedAt: noon + minute,
  completedAt: noon + hour,
  runnerName: 'one',
  runnerGroup: 'all',
  labels: ['linux'],
  htmlUrl: 'https://codehost.test/job',
  steps: [],
  ...differing,
});

const idOf = async (store: Store, repo: number) => (await store.repositories.find({ id: repo }))?.id ?? 0;
const runIds = async (store: Store, repo: number) =>
  (await store.runs.recent(await idOf(store, repo), { limit: 100 })).map(({ id }) => id).sort((a, b) => a - b);

eachDatabase((given) => {
  describe('what webhooks bring', () => {
    test('is distinguished into new and known, and taken once', async () => {
      const store = await given.open();
      const first = [delivery('b', 1, { run: run(1) }), delivery('a', 2, { run: run(2) })];
      expect(await store.deliveries.take(first, noon)).toEqual(new Set(['a', 'b']));
      const changed = delivery('a', 2, { run: run(2, { conclusion: 'failure', updatedAt: noon + hour }) });
      const again = [changed, delivery('c', 1, { run: run(3) }), delivery('c', 1, { run: run(4) })];
      expect(await store.deliveries.take(again, noon)).toEqual(new Set(['c']));
      expect([await runIds(store, 1), await runIds(store, 2)]).toEqual([[1, 3], [2]]);
      const [kept] = await store.runs.recent(await idOf(store, 2), { limit: 1 });
      expect(kept?.conclusion).toBe('success');
      expect(await store.deliveries.take(again, noon)).toEqual(new Set());
    });

    test('does not bring back a run that is gone by being delivered again', async () => {
      const store = await given.open();
      const one = delivery('once', 1, { run: run(1) });
      await store.deliveries.take([one], noon);
      await store.runs.gone(await idOf(store, 1), 1);
      await store.deliveries.take([one, delivery('new', 1, { run: run(2) })], noon);
      expect(await runIds(store, 1)).toEqual([2]);
    });

    test('is stored whole or not at all, deliveries and repositories included', async () => {
      const store = await given.open();
      const bad = delivery('bad', 7, { run: run(1, { headBranch: 'a\0b' }) });
      const good = delivery('good', 8, { run: run(2) });
      await expect(store.deliveries.take([good, bad], noon)).rejects.toMatchObject({ code: '22021' });
      expect([await idOf(store, 7), await idOf(store, 8)]).toEqual([0, 0]);
      expect(await store.deliveries.take([good], noon)).toEqual(new Set(['good']));
      expect(await runIds(store, 8)).toEqual([2]);
    });

    test('leaves a known repository as it is, and names an unknown one, untracked', async () => {
      const store = await given.open();
      await store.repositories.track(repository(1, 'new-name'), 'ann', noon);
      await store.deliveries.take([delivery('a', 1, { run: run(1) }), delivery('b', 2, { run: run(2) })], noon);
      expect(await store.repositories.find({ id: 1 })).toMatchObject({ repo: 'new-name', tracked: true });
      expect(await store.repositories.find({ id: 2 })).toMatchObject({ owner: 'Octo', repo: 'repo-2', tracked: false });
    });

    test('of a repository whose name is taken waits until it is seen under it', async () => {
      const store = await given.open();
      await store.repositories.track(repository(1, 'web'), 'ann', noon);
      const heir = { ...delivery('a', 2, { run: run(2) }), repository: repository(2, 'web') };
      await store.deliveries.take([heir], noon);
      expect((await store.repositories.tracked('octo')).map(({ codehostId }) => codehostId)).toEqual([1]);
      await store.repositories.track(repository(2, 'web'), 'ann', noon);
      expect((await store.repositories.tracked('octo')).map(({ codehostId }) => codehostId)).toEqual([2]);
      expect(await runIds(store, 2)).toEqual([2]);
    });

    test('of a job in any order, and in one batch or several, is how far it got', async () => {
      const store = await given.open();
      const open = { conclusion: null, completedAt: null };
      const states = [
        job(1, { ...open, status: 'waiting', runnerName: null, startedAt: noon }),
        job(1, { ...open, status: 'queued', runnerName: null, startedAt: noon }),
        job(1, { ...open, status: 'in_progress', startedAt: noon }),
        job(1),
      ];
      let number = 0;
      await fc.assert(
        fc.asyncProperty(fc.subarray(states, { minLength: 1 }).chain(deliveries), async (calls) => {
          const id = ++number * 100;
          for (const call of calls)
            await store.deliveries.take(
              call.map((one, index) =>
                delivery(`${id}/${calls.indexOf(call)}/${index}`, 1, { job: { ...one, id, runId: id } }),
              ),
              noon,
            );
          const furthest = states.findLast((one) => calls.flat().includes(one)) as WorkflowJob;
          expect(await store.jobs.of(id, 1)).toEqual([{ ...furthest, id, runId: id }]);
        }),
        { numRuns: 40, seed: 7 },
      );
    });

    test('in any order and any split gives the same runs and the same days', async () => {
      const store = await given.open();
      let number = 0;
      const stateAfter = async (calls: WorkflowRun[][]) => {
        const repo = ++number;
        const offset = repo * 1000;
        const own = (one: WorkflowRun) => run(one.id + offset, { ...one, id: one.id + offset });
        for (const [index, call] of calls.entries())
          await store.deliveries.take(
            call.map((one, at) => delivery(`${repo}/${index}/${at}`, 1000 + repo, { run: own(one) })),
            noon,
          );
        await store.runs.recomputeDirty();
        const id = await idOf(store, 1000 + repo);
        const bare = (runs: Awaited<ReturnType<typeof store.runs.recent>>) =>
          unseen(runs).map(({ htmlUrl: _, ...one }) => ({ ...one, id: one.id - offset, runNumber: 0 }));
        return {
          attempts: bare(await store.runs.attempts(id, { since: 0 })),
          days: await store.trends.daily([id], { from: '2026-01-01', to: '2026-12-31', timezone: 'UTC' }),
        };
      };
      const worlds = observations().chain((seen) => fc.tuple(deliveries(seen), deliveries(seen)));
      await fc.assert(
        fc.asyncProperty(worlds, async ([one, other]) => {
          expect(await stateAfter(one)).toEqual(await stateAfter(other));
        }),
        { numRuns: 25, seed: 11 },
      );
    });
  });

  if (given.name === 'postgresql')
    test('the same deliveries at once through two processes are taken once, and nobody waits in a circle', async () => {
      const url = await given.address();
      const stores = [await openTestStore(url), await openTestStore(url)];
      const batch = (round: number) =>
        Array.from({ length: 20 }, (_, index) => {
          const id = round * 100 + index;
          return delivery(`${id}`, 1 + (index % 5), index % 4 ? { run: run(id) } : { job: job(id) });
        });
      for (let round = 1; round <= 15; round++) {
        const all = batch(round);
        const taken = await Promise.all([
          ...stores.map((store) => store.deliveries.take(all, noon)),
          ...stores.map((store) => store.deliveries.take(all.toReversed(), noon)),
        ]);
        expect(taken.flatMap((one) => [...one]).sort()).toEqual(all.map(({ id }) => id).sort());
      }
      for (const store of stores) await store.close();
    });
});
