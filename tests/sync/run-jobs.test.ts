import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { priceChanges } from '../../server/metrics/cost/runner-prices.ts';
import type { LiveWorkflowRun, Repository } from '../../server/metrics/kernel/facts.ts';
import { openServiceToken } from '../../server/platform/service-token.ts';
import type { Store } from '../../server/store/orm.ts';
import { shareJobReads, syncRunJobs } from '../../server/sync/run-jobs.ts';
import { jobsOf, repositoryOf } from '../codehost-double/world.ts';
import { aDatabase } from '../support/a-database.ts';
import { type Service, startService } from '../support/service.ts';
import { day, hour, minute, repoIdOf } from './stage.ts';

/** What the platform does not have is remembered by the process, so that ids are of one suite alone. */
let number = 0;

aDatabase((given) => {
  describe('jobs of runs', () => {
    let service: Service;
    let store: Store;
    let name = '';

    beforeAll(async () => {
      service = await startService({
        DATABASE_URL: await given.migrated(),
        SCHEDULER: 'external',
        CODEHOST_TOKEN: 'token-ann',
      });
      store = service.app.services.store as Store;
    });
    afterAll(() => service?.close());
    beforeEach(() => {
      // The free report of the quota is believed for half a minute.
      service.clock.advance(hour);
      name = `octo/jobs-${++number}`;
      service.double.addRepository({ name, facts: { id: 71_000 + number } });
      service.double.requests.length = 0;
    });

    const now = () => service.clock.now();
    const repository = (): Repository => repositoryOf(service.double.world, name).facts;
    const addRuns = (count: number, firstId: number) =>
      service.double.addRuns(name, count, { from: now() - 20 * day, to: now() - hour, firstId });
    const storeRuns = async () => {
      const runs = [...repositoryOf(service.double.world, name).runs.values()].flat();
      const repoId = await store.repositories.track(repository(), 'ann', now());
      await store.runs.ingest(repoId, runs, { syncedAt: now() });
      return repoId;
    };
    const codehost = () => {
      const { env, connect } = service.app.services;
      if (!env.CODEHOST_TOKEN) throw new Error('There is no token.');
      return connect(openServiceToken(env.CODEHOST_TOKEN), { background: true });
    };
    const read = async (repoId: number, limit = 60, mayContinue = () => true) => {
      service.double.requests.length = 0;
      const options = { codehost: codehost(), store, clock: service.clock, limit, mayContinue };
      return syncRunJobs(repoId, repository(), options);
    };
    const requested = (operation: string) =>
      service.double.requests.filter((one) => one.operation === operation && one.path.includes(name)).length;
    const jobLists = () => requested('actions/list-jobs-for-workflow-run-attempt');
    const costed = async (repoId: number) => {
      const options = { priceChanges, zone: 'UTC', publicIds: [] };
      const { workflows } = await store.workflowFigures.costs([repoId], { from: 0, to: now() }, options);
      return Object.fromEntries(workflows.map(({ workflowId, runs }) => [workflowId, runs]));
    };

    test('cost a request for each attempt the first time, within the limit, and none when nothing is new', async () => {
      addRuns(100, 1_000_000);
      const repoId = await storeRuns();
      expect(await read(repoId)).toBe(60);
      expect(jobLists()).toBe(60);
      expect(service.double.requests.length).toBeLessThanOrEqual(62);
      expect(await read(repoId)).toBe(40);
      expect(jobLists()).toBe(40);
      expect(await read(repoId)).toBe(0);
      expect(service.double.requests).toEqual([]);
      const sums = Object.values(await costed(repoId));
      expect(sums.reduce((sum, runs) => sum + runs, 0)).toBe(100);
    });

    test('that webhooks brought are listed once the run has ended, and never again, so that a lost one is not missed', async () => {
      const ids = Array.from({ length: 5 }, (_, index) => 6_000_001 + index);
      for (const id of ids) service.double.putRun(name, { id, workflowId: 1, createdAt: now() - hour });
      const repoId = await storeRuns();
      const world = repositoryOf(service.double.world, name);
      const jobs = ids.flatMap((id) => {
        const [job] = jobsOf(world, world.runs.get(id)?.at(-1) as LiveWorkflowRun);
        if (!job) throw new Error('The run has no job.');
        const both = [job, { ...job, id: job.id + 1_000_000_000, name: 'deploy' }];
        world.jobs.set(`${id}/1`, both);
        return both;
      });
      // One event of the last run is lost.
      await store.jobs.put(repoId, jobs.slice(0, -1), now());
      expect(await costed(repoId)).toEqual({});
      expect(await read(repoId)).toBe(5);
      expect(jobLists()).toBe(5);
      // Whatever else is read in the background, of runs it is these lists alone.
      const ofRuns = () => service.double.requests.filter(({ path }) => path.startsWith(`/repos/${name}/actions/runs`));
      expect(ofRuns()).toHaveLength(5);
      const options = { priceChanges, zone: 'UTC', publicIds: [] };
      const { workflows } = await store.workflowFigures.costs([repoId], { from: 0, to: now() }, options);
      expect(workflows.map(({ runs, groups }) => [runs, groups.reduce((sum, one) => sum + one.jobs, 0)])).toEqual([
        [5, 10],
      ]);
      expect(await read(repoId)).toBe(0);
      expect(ofRuns()).toEqual([]);
    });

    test('are those of the newest runs, as many of each workflow', async () => {
      for (const [workflowId, runs] of [
        [1, 30],
        [2, 4],
        [3, 1],
      ] as const)
        for (let place = 0; place < runs; place++)
          service.double.putRun(name, {
            id: workflowId * 1000 + place,
            workflowId,
            createdAt: now() - (place + 1) * hour,
          });
      const repoId = await storeRuns();
      expect(await read(repoId, 9)).toBe(9);
      expect(await costed(repoId)).toEqual({ 1: 4, 2: 4, 3: 1 });
      const { runs } = repositoryOf(service.double.world, name);
      const stored = await store.jobs.attempts.of(
        repository(),
        [...runs.keys()].map((runId) => ({ runId, attempt: 1 })),
      );
      expect(stored.map(({ runId }) => runId).toSorted((a, b) => a - b)).toEqual([
        1000, 1001, 1002, 1003, 2000, 2001, 2002, 2003, 3000,
      ]);
    });

    test('are of every attempt, and of runs that have ended within 90 days', async () => {
      service.double.putRun(name, { id: 1, workflowId: 1, createdAt: now() - hour, conclusion: 'failure' });
      service.double.rerun(name, 1, now() - minute, { status: 'completed', conclusion: 'success' });
      service.double.putRun(name, { id: 2, workflowId: 2, createdAt: now() - hour, status: 'in_progress' });
      service.double.putRun(name, { id: 3, workflowId: 3, createdAt: now() - 91 * day });
      const repoId = await storeRuns();
      expect(await read(repoId)).toBe(2);
      expect(await costed(repoId)).toEqual({ 1: 1 });
    });

    test('that the platform does not have are not requested again that day', async () => {
      addRuns(6, 2_000_000);
      const repoId = await storeRuns();
      repositoryOf(service.double.world, name).runs.delete(2_000_003);
      expect(await read(repoId)).toBe(5);
      expect(jobLists()).toBe(6);
      expect(await read(repoId)).toBe(0);
      expect(jobLists()).toBe(0);
    });

    test('are not read while the platform fails, nor once time is up; what was read stays', async () => {
      addRuns(12, 3_000_000);
      const repoId = await storeRuns();
      service.double.fault(
        { path: `/repos/${name}/actions/runs/3000005/attempts/1/jobs` },
        { kind: 'status', status: 403 },
      );
      const first = await read(repoId);
      expect(first).toBeLessThan(12);
      expect(await read(repoId, 60, () => false)).toBe(0);
      expect(jobLists()).toBe(0);

      expect(await read(repoId)).toBe(12 - first);
    });

    test('of which one has not ended although its run has are listed once more', async () => {
      for (const id of [8_000_001, 8_000_002])
        service.double.putRun(name, { id, workflowId: 1, createdAt: now() - hour });
      const repoId = await storeRuns();
      const world = repositoryOf(service.double.world, name);
      const late = (id: number) => {
        const [job] = jobsOf(world, world.runs.get(id)?.at(-1) as LiveWorkflowRun);
        if (!job) throw new Error('The run has no job.');
        world.jobs.set(`${id}/1`, [{ ...job, status: 'in_progress', conclusion: null, completedAt: null }]);
        return () => world.jobs.set(`${id}/1`, [job]);
      };
      const end = late(8_000_001);
      late(8_000_002);
      expect(await read(repoId)).toBe(0);
      end();
      expect(await read(repoId), 'what is still the same stays so').toBe(2);
      expect(await costed(repoId)).toEqual({ 1: 2 });
      const stored = await store.jobs.attempts.of(repository(), [{ runId: 8_000_001, attempt: 1 }]);
      expect(stored).toMatchObject([{ jobs: [{ status: 'completed' }] }]);
    });

    test('wait where the platform does not say what is left of the quota', async () => {
      addRuns(4, 7_000_000);
      const repoId = await storeRuns();
      service.double.fault({ path: '/rate_limit', times: 3 }, { kind: 'status', status: 502 });
      expect(await read(repoId)).toBe(0);
      service.clock.advance(hour);
      expect(await read(repoId)).toBe(4);
    });

    test('leave four fifths of the quota to everything else', async () => {
      addRuns(8, 4_000_000);
      const repoId = await storeRuns();
      service.double.budgets.setRemaining('ann', 'core', 3999);
      expect(await read(repoId)).toBe(0);
      expect(jobLists()).toBe(0);
      service.clock.advance(2 * hour);
      expect(await read(repoId)).toBe(8);
    });

    test('come behind the synchronization of a person, which does not wait for them', async () => {
      addRuns(20, 5_000_000);
      const repo = name.split('/')[1];
      const answer = await service.ask('POST', `/api/db/sync?owner=octo&repo=${repo}`, { as: 'token-ann' });
      expect(answer.body).toMatchObject({ partial: false, results: [{ status: 'ok', total_in_db: 20 }] });
      expect(jobLists()).toBe(0);
      const repoId = await repoIdOf(store, name);
      const sum = async () => Object.values(await costed(repoId)).reduce((all, runs) => all + runs, 0);
      await expect.poll(sum, { interval: 50 }).toBe(20);
      expect(jobLists()).toBe(20);
    });
  });
});

test('many repositories share 600 reads', () => {
  expect([0, 1, 10, 20, 100, 200, 1000].map(shareJobReads)).toEqual([60, 60, 60, 30, 6, 3, 3]);
});
