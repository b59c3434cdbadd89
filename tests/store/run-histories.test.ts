import { beforeAll, expect, test } from 'vitest';
import type { WorkflowRun } from '../../server/metrics/kernel/facts.ts';
import type { Store } from '../../server/store/orm.ts';
import { eachDatabase } from '../support/database.ts';
import { day, hour, noon, readBackTo, run, track } from './world.ts';

const readThrough = (store: Store, repoId: number, syncedThrough: number | null) =>
  readBackTo(store, repoId, noon - 90 * day, syncedThrough);

eachDatabase((given) => {
  let store: Store;
  beforeAll(async () => {
    store = await given.open();
  });

  test('the state of tracked repositories changes when a run begins, and when one ends', async () => {
    const web = await track(store);
    const keep = (...runs: WorkflowRun[]) => store.runs.ingest(web, runs, { syncedAt: noon });
    await keep(run(1));
    const mark = async () => (await store.runs.syncStates([1]))[0]?.mark;
    expect(await mark(), 'never read').toBeUndefined();
    await readThrough(store, web, null);
    expect(await mark(), 'never read through').toBeUndefined();
    await readThrough(store, web, noon + hour);
    const [first, ...others] = await store.runs.syncStates([1, 2]);
    expect(first).toEqual({ repoId: web, codehostId: 1, mark: expect.any(String), syncedThrough: noon + hour });
    expect(others).toEqual([]);
    const running = run(2, { createdAt: noon + 1000, status: 'in_progress', conclusion: null });
    await keep(running);
    const begun = await mark();
    await keep(run(2, { createdAt: noon + 1000 }));
    const ended = await mark();
    expect(new Set([first?.mark, begun, ended]).size).toBe(3);
    await keep(run(2, { createdAt: noon + 1000 }));
    expect(await mark()).toBe(ended);
    await store.repositories.untrack(web);
    expect(await store.runs.syncStates([1])).toEqual([]);
  });

  test('passed runs of the default branch are the newest of each active workflow', async () => {
    const [web, api, quiet] = [await track(store, 2), await track(store, 3), await track(store, 4)];
    const made = (id: number, differing: Partial<WorkflowRun> = {}) =>
      run(id, { createdAt: noon - (id % 100) * hour, ...differing });
    const odd: Partial<WorkflowRun>[] = [
      { conclusion: 'failure' },
      { status: 'in_progress', conclusion: null },
      { event: 'pull_request' },
      { event: 'pull_request_target' },
      { headBranch: 'topic' },
      { headBranch: null },
    ];
    const ofWeb = Array.from({ length: 40 }, (_, id) => made(id + 101, { workflowId: 7 + (id % 3), ...odd[id % 8] }));
    const asleep = Array.from({ length: 5 }, (_, id) => run(400 + id, { workflowId: 12, createdAt: noon - 17 * day }));
    const ofApi = Array.from({ length: 4 }, (_, id) => made(500 + id, { headBranch: 'trunk', createdAt: noon }));
    await store.runs.ingest(web, [...ofWeb, ...asleep], { syncedAt: noon });
    await store.runs.ingest(api, ofApi, { syncedAt: noon });
    const repositories = [web, api, quiet].map((repoId) => ({
      repoId,
      defaultBranch: repoId === api ? 'trunk' : 'main',
    }));
    const query = { repositories, activeSince: noon - 14 * day, limit: 3 };
    const found = await store.runs.passedOnDefault(query);
    const ids = (repoId: number) =>
      found
        .get(repoId)
        ?.map(({ id }) => id)
        .sort((a, b) => a - b);
    const passed = ofWeb.filter(
      ({ conclusion, event, headBranch }) => conclusion === 'success' && event === 'push' && headBranch === 'main',
    );
    const newest = [7, 8, 9].flatMap((id) => passed.filter(({ workflowId }) => workflowId === id).slice(0, 3));
    expect(ids(web)).toEqual(newest.map(({ id }) => id).sort((a, b) => a - b));
    expect(ids(api)).toEqual([501, 502, 503]);
    expect(ids(quiet)).toBeUndefined();
    expect(found.get(web)?.[0]).toMatchObject({ workflowName: 'build', durationMs: 600_000 });
    const early = await store.runs.passedOnDefault({ ...query, activeSince: noon - 30 * day, limit: 100 });
    expect(early.get(web)).toHaveLength(passed.length + asleep.length);
  });

  test('builds of pull requests from a branch of the same name take no place of runs of the branch', async () => {
    const web = await track(store, 6);
    const builds = ['pull_request', 'pull_request_target'].flatMap((event, kind) =>
      Array.from({ length: 5 }, (_, index) => run(600 + 10 * kind + index, { event, createdAt: noon - index * hour })),
    );
    const pushed = [1, 2].map((id) => run(650 + id, { createdAt: noon - (id + 10) * hour }));
    await store.runs.ingest(web, [...builds, ...pushed], { syncedAt: noon });
    const query = { since: noon + hour, from: noon - day, branch: 'main', limit: 2 };
    const ids = (runs: readonly WorkflowRun[]) => runs.map(({ id }) => id).sort((a, b) => a - b);
    expect(ids(await store.runs.leadingUp(web, query))).toEqual([651, 652]);
    const repositories = [{ repoId: web, defaultBranch: 'main' }];
    const passed = await store.runs.passedOnDefault({ repositories, activeSince: noon - day, limit: 2 });
    expect(ids(passed.get(web) ?? [])).toEqual([651, 652]);
  });

  test('passed runs are looked for among the newest thousand of a workflow', async () => {
    const web = await track(store, 5);
    const builds = (workflowId: number, count: number) =>
      Array.from({ length: count }, (_, index) =>
        run(workflowId * 10_000 + index, { workflowId, event: 'pull_request' }),
      );
    const passed = [7, 8].map((workflowId) => run(workflowId, { workflowId, createdAt: noon - hour }));
    await store.runs.ingest(web, [...builds(7, 1000), ...builds(8, 999), ...passed], { syncedAt: noon });
    const repositories = [{ repoId: web, defaultBranch: 'main' }];
    const found = await store.runs.passedOnDefault({ repositories, activeSince: noon - day, limit: 100 });
    expect(found.get(web)?.map(({ id }) => id)).toEqual([8]);
  });
});
