import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Codehost } from '../../server/codehost/client/client.ts';
import { Problem } from '../../server/platform/problem.ts';
import type { Store } from '../../server/store/orm.ts';
import { syncRuns } from '../../server/sync/workflow-runs.ts';
import { namedNow, namedWorld } from '../codehost-double/named-world.ts';
import { repositoryOf } from '../codehost-double/world.ts';
import { changesOf } from '../codehost-double/world-changes.ts';
import { eachDatabase } from '../support/database.ts';
import { rounds } from '../support/rounds.ts';
import { day, hour, minute, platformRuns, rollupsAndRecount, runsOf, second, storedRuns } from './stage.ts';

const name = 'octo/api';

type Step =
  | { do: 'burst'; runs: number; spacing: number; running: boolean }
  | { do: 'late'; runs: number; hoursAgo: number }
  | { do: 'end'; share: number }
  | { do: 're-run'; which: number; ends: boolean }
  | { do: 'sync'; pages: number; stopAfter: number | null; how: 'time' | 'quota' | 'kill' };

/** What happens to a repository while it is synchronized now and then, and how long after the step before. */
const steps = fc.array(
  fc.tuple(
    fc.oneof(
      fc.constantFrom(10 * second, 5 * minute, 7 * hour),
      fc.integer({ min: 1, max: 50 }).map((hours) => hours * hour),
    ),
    fc.oneof<fc.Arbitrary<Step>[]>(
      fc.record({
        do: fc.constant('burst'),
        runs: fc.constantFrom(1, 7, 110, 230),
        spacing: fc.constantFrom(0, second, 20 * minute),
        running: fc.boolean(),
      }),
      fc.record({ do: fc.constant('late'), runs: fc.integer({ min: 1, max: 9 }), hoursAgo: fc.nat(48) }),
      fc.record({ do: fc.constant('end'), share: fc.integer({ min: 1, max: 3 }) }),
      fc.record({ do: fc.constant('re-run'), which: fc.nat(500), ends: fc.boolean() }),
      ...Array.from({ length: 3 }, () =>
        fc.record({
          do: fc.constant('sync' as const),
          pages: fc.integer({ min: 1, max: 4 }),
          stopAfter: fc.option(fc.nat(6)),
          how: fc.constantFrom('time' as const, 'quota' as const, 'kill' as const),
        }),
      ),
    ),
  ),
  { minLength: 3, maxLength: 25 },
);

/** A repository, a store of it, and a clock. */
async function stage(store: Store, number: number) {
  const world = namedWorld();
  const repository = repositoryOf(world, name);
  repository.runs.clear();
  repository.facts = { ...repository.facts, id: 50_000 + number };
  const repoId = await store.repositories.track(repository.facts, 'ann', namedNow);
  return { world, repository, store, repoId, now: namedNow, nextId: number * 100_000 + 1 };
}

type Stage = Awaited<ReturnType<typeof stage>>;

function change(stage: Stage, step: Step) {
  const { putRun, completeRun, rerun } = changesOf(stage.world);
  const latest = [...stage.repository.runs.values()].map((attempts) => attempts.at(-1));
  const open = latest.filter((run) => run?.status !== 'completed');
  if (step.do === 'burst')
    for (let i = 0; i < step.runs; i++) {
      const createdAt = stage.now - (step.runs - i) * step.spacing;
      // Few are running at a time: a call asks for at most 50 of them.
      const status = step.running && i % 40 === 0 && open.length < 20 ? 'in_progress' : 'completed';
      putRun(name, { id: stage.nextId++, createdAt, status });
    }
  if (step.do === 'late')
    for (let i = 0; i < step.runs; i++)
      putRun(name, { id: stage.nextId++, createdAt: stage.now - step.hoursAgo * hour - i * second });
  if (step.do === 'end')
    for (const [i, run] of open.entries())
      if (run && i % step.share === 0 && (run.startedAt ?? 0) > stage.now - 35 * day)
        completeRun(name, run.id, 'failure', stage.now);
  if (step.do === 're-run') {
    // What ended last is most likely to be run again.
    const ended = latest
      .flatMap((run) => (run?.status === 'completed' && run.createdAt > stage.now - 30 * day ? [run] : []))
      .toSorted((a, b) => b.updatedAt - a.updatedAt);
    const run = ended[(step.which % 2 ? step.which : step.which % 5) % Math.max(1, ended.length)];
    if (run) rerun(name, run.id, stage.now, step.ends ? { status: 'completed', conclusion: 'success' } : {});
  }
}

class Killed extends Error {}

/** One call, which may be stopped after a number of requests: by the clock, by the quota, or between any two writes. */
async function call(stage: Stage, { pages, stopAfter, how }: Extract<Step, { do: 'sync' }>) {
  let requests = 0;
  const isOver = () => stopAfter !== null && requests > stopAfter;
  const runs = runsOf(stage.repository, () => {
    requests++;
    if (how === 'quota' && isOver()) throw new Problem('upstream_rate_limited', 'The limit is used up.');
  });
  const put: Store['cursors']['put'] = async (...cursor) => {
    if (how === 'kill' && isOver()) throw new Killed();
    await stage.store.cursors.put(...cursor);
  };
  const store: Store = { ...stage.store, cursors: { ...stage.store.cursors, put } };
  const options = {
    codehost: { runs } as Codehost,
    store,
    clock: { now: () => stage.now },
    backfillDays: 90,
    maxPages: pages,
    refreshAfterMs: 0,
    mayContinue: () => !(how === 'time' && isOver()),
  };
  const synced = store.leases.hold(`runs:${stage.repoId}`, 'a', (lost, fence) =>
    syncRuns(stage.repoId, { owner: 'octo', repo: 'api' }, { ...options, lost, fence }),
  );
  return synced.catch((error: unknown) => {
    if (error instanceof Killed) return null;
    throw error;
  });
}

/** Runs that were seen running and have ended since. */
async function endedUnseen({ store, repoId, repository }: Stage) {
  const running = (await store.runs.recent(repoId, { limit: 100_000 })).filter((run) => run.status !== 'completed');
  return running.filter(({ id }) => repository.runs.get(id)?.at(-1)?.status === 'completed');
}

async function untilComplete(stage: Stage, pages = 3) {
  for (let calls = 0; calls < 100; calls++) {
    stage.now += 20 * second;
    const done = await call(stage, { do: 'sync', pages, stopAfter: null, how: 'time' });
    if (done?.complete) return;
  }
  throw new Error('It never came to an end.');
}

eachDatabase((given) => {
  describe('any world, read in any pieces', () => {
    test('ends as the platform has it, and stays so', async () => {
      let number = 0;
      const store = await given.open();
      await store.rollups.rebuild('UTC');
      await fc.assert(
        fc.asyncProperty(steps, async (all) => {
          const staged = await stage(store, ++number);
          for (const [pause, step] of all) {
            staged.now += pause;
            if (step.do === 'sync') await call(staged, step);
            else change(staged, step);
          }
          await untilComplete(staged);
          expect(await endedUnseen(staged)).toEqual([]);
          // Late re-runs are found within a week.
          staged.now += 8 * day;
          await untilComplete(staged);
          expect(await storedRuns(store, staged.repoId)).toEqual(platformRuns(staged.repository));
          const { daily, recounted } = await rollupsAndRecount(store, staged.repoId);
          expect(daily).toEqual(recounted);
          staged.now += minute;
          const again = await call(staged, { do: 'sync', pages: 10, stopAfter: null, how: 'time' });
          expect(again?.changed).toBe(0);
        }),
        { numRuns: rounds('WORLDS', 2, 40) },
      );
    });
  });
});
