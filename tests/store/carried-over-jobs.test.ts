import { expect, test } from 'vitest';
import { attemptMinutes } from '../../server/advisor/replay/days.ts';
import { attemptCost, runCosts } from '../../server/metrics/cost/run-cost.ts';
import { priceChanges } from '../../server/metrics/cost/runner-prices.ts';
import { priceJobs } from '../../server/metrics/cost/workflow-spend.ts';
import type { WorkflowJob } from '../../server/metrics/kernel/facts.ts';
import { readStored } from '../../server/reports/advisor/history.ts';
import type { Store } from '../../server/store/orm.ts';
import { aJob } from '../metrics/worlds.ts';
import { eachDatabase } from '../support/database.ts';
import { hour, minute, noon, repository, run, track } from './world.ts';

const pricing = { isPublic: false };
const first = run(1, { conclusion: 'failure' });
const again = run(1, { attempt: 2, startedAt: noon + hour, updatedAt: noon + 2 * hour });
const lasting = (id: number, attempt: number, startedAt: number, minutes: number) =>
  aJob({ id, runId: 1, attempt, createdAt: startedAt, startedAt, completedAt: startedAt + minutes * minute });
const ofFirst = [lasting(1, 1, noon, 5), lasting(2, 1, noon, 10)];
/** The job of five minutes passed, and is listed with its old times. */
const ofAgain = [lasting(3, 2, noon, 5), lasting(4, 2, noon + hour, 10)];

const list = (store: Store, ...attempts: WorkflowJob[][]) =>
  store.jobs.attempts.store(
    repository(1),
    attempts.map((jobs, index) => ({ runId: 1, attempt: index + 1, detail: 'full', jobs })),
    noon,
  );

eachDatabase((given) => {
  test.each([
    ['before the re-run itself', true],
    ['after it', false],
  ])('a job that a re-run only lists costs nothing again, stored %s', async (_, jobsFirst) => {
    const store = await given.open();
    const repoId = await track(store);
    if (!jobsFirst) await store.runs.ingest(repoId, [first, again], { syncedAt: noon });
    await list(store, ofFirst, ofAgain);
    if (jobsFirst) await store.runs.ingest(repoId, [first, again], { syncedAt: noon });
    const [computed] = runCosts([attemptCost(first, ofFirst, pricing), attemptCost(again, ofAgain, pricing)]);
    const window = { from: noon - hour, to: noon + hour };
    const options = { priceChanges, zone: 'UTC', publicIds: [] };
    const { workflows, days } = await store.workflowFigures.costs([repoId], window, options);
    for (const { groups } of [...workflows, ...days]) {
      const { jobs, minutes, usd } = priceJobs(groups, pricing);
      expect({ jobs, minutes, estCost: usd }).toEqual({ jobs: 3, minutes: 25, estCost: computed?.estCost });
    }
    expect([computed?.jobs, computed?.minutes, workflows[0]?.runs, days[0]?.costed]).toEqual([3, 25, 1, 1]);
    // What the advisor replays is what was summed, or it would predict nothing.
    const history = await readStored(repository(1), { since: noon - hour, stepNames: [] }, store);
    expect(history.map((one) => [one.attempt, one.billedMinutes, attemptMinutes(one)])).toEqual([
      [1, 15, 15],
      [2, 10, 10],
    ]);
  });

  test('a re-run of which nothing was run again is stored, costs nothing, and was cancelled in the queue', async () => {
    const store = await given.open();
    const repoId = await track(store);
    const cancelled = { ...again, conclusion: 'cancelled' as const };
    await store.runs.ingest(repoId, [first, cancelled], { syncedAt: noon });
    await list(store, ofFirst, [lasting(3, 2, noon, 5)]);
    const { workflows } = await store.workflowFigures.costs(
      [repoId],
      { from: noon - hour, to: noon + hour },
      {
        priceChanges,
        zone: 'UTC',
        publicIds: [],
      },
    );
    expect(workflows).toMatchObject([{ runs: 1, groups: [{ jobs: 2, minutes: 15, isWasted: false }] }]);
    expect(attemptCost(cancelled, [lasting(3, 2, noon, 5)], pricing)).toMatchObject({
      jobs: 0,
      began: false,
      estCost: 0,
    });
  });
});
