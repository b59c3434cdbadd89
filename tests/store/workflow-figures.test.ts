import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sumStoredJobs } from '../../migrations/Migration20261125012200_attempt_costs.ts';
import { splitReruns } from '../../migrations/Migration20261130055800_rerun_job_costs.ts';
import { dropUnlisted } from '../../migrations/Migration20261130083000_listed_jobs.ts';
import type { JobDetail } from '../../server/facts/job-repository.ts';
import { priceChanges } from '../../server/metrics/cost/runner-prices.ts';
import { priceJobs } from '../../server/metrics/cost/workflow-spend.ts';
import type { WorkflowJob } from '../../server/metrics/kernel/facts.ts';
import type { Interval } from '../../server/metrics/kernel/intervals.ts';
import { roundTo } from '../../server/metrics/kernel/statistics.ts';
import type { Window } from '../../server/metrics/kernel/window.ts';
import {
  computeFlakyRate,
  computeRunFigures,
  type RunTally,
  tallyRuns,
} from '../../server/metrics/runs/run-figures.ts';
import type { MeasuredRun } from '../../server/metrics/runs/workflow-runs.ts';
import type { Store } from '../../server/store/orm.ts';
import { jobsOf, largerRunnerLabels, moved } from '../metrics/held-cost.ts';
import {
  conclusive,
  isAfter,
  latest,
  naiveDurations,
  naiveFailureRate,
  naiveJobWait,
  naiveRunTime,
  naiveWaits,
  passed,
} from '../metrics/naive.ts';
import { naiveWorkflowSpend } from '../metrics/naive-cost.ts';
import { naiveFraction } from '../metrics/naive-people.ts';
import { aJob, day, randomOf, worlds } from '../metrics/worlds.ts';
import { eachDatabase } from '../support/database.ts';
import { rounds } from '../support/rounds.ts';
import { minute, noon, readBackTo, repository, run, track } from './world.ts';

const now = Date.UTC(2026, 5, 1);
const month: Window = { from: now - 30 * day, to: now };

const options = (zone = 'UTC', publicIds: number[] = []) => ({ priceChanges, zone, publicIds });

/** How the jobs of an attempt came to be stored. */
type Stored = 'read' | 'read without labels' | 'delivered' | 'delivered and listed' | 'not at all';

interface KnownRun {
  run: MeasuredRun;
  jobs: WorkflowJob[];
  stored: Stored;
}

/** Two repositories, the first of them public, with the attempts of a random world and how their jobs are stored. */
function divide(attempts: readonly MeasuredRun[], first: number): [KnownRun[], KnownRun[]] {
  const known = attempts.map((one): KnownRun => {
    const random = randomOf(one.id * 13 + one.attempt);
    const ways = ['read', 'read', 'delivered and listed', 'delivered', 'read without labels', 'not at all'] as const;
    const stored = one.status === 'completed' ? ways[Math.floor(random() * ways.length)] : 'not at all';
    const placed = { ...one, id: one.id + first, headSha: one.headSha.padEnd(40, '0') };
    const jobs = jobsOf(one).map((job) => ({ ...job, id: job.id + first * 1000, runId: placed.id }));
    const jobWaitMs = stored === 'not at all' ? null : naiveJobWait(placed, jobs);
    return { run: { ...placed, jobWaitMs }, jobs, stored: stored ?? 'not at all' };
  });
  return [known.filter(({ run: { id } }) => id % 2 === 0), known.filter(({ run: { id } }) => id % 2 === 1)];
}

async function keep(store: Store, id: number, known: readonly KnownRun[]): Promise<number> {
  const repoId = await track(store, id);
  await store.runs.ingest(
    repoId,
    known.map((one) => one.run),
    { syncedAt: now },
  );
  const storedAs = (way: Stored) => known.filter(({ stored }) => stored === way);
  const attempts = (way: Stored, detail: JobDetail) =>
    storedAs(way).map(({ run: { id: runId, attempt }, jobs }) => ({ runId, attempt, detail, jobs }));
  await store.jobs.attempts.store(repository(id), attempts('read', 'full'), now);
  await store.jobs.attempts.store(repository(id), attempts('read without labels', 'times'), now);
  await store.jobs.put(
    repoId,
    [...storedAs('delivered'), ...storedAs('delivered and listed')].flatMap(({ jobs }) => jobs),
    now,
  );
  await store.jobs.attempts.store(repository(id), attempts('delivered and listed', 'times'), now);
  return repoId;
}

const isIn = ({ createdAt }: MeasuredRun, { from, to }: Window) => createdAt >= from && createdAt <= to;

/** The figures of runs, written straight from their definitions. */
function recount(attempts: MeasuredRun[]) {
  const runs = latest(attempts);
  const durations = naiveDurations(attempts);
  const waits = naiveWaits(runs);
  const known = conclusive(attempts);
  const commits = [...new Set(known.map(({ headSha }) => headSha))];
  const isFlaky = (sha: string) =>
    known.some(
      (bad) =>
        bad.headSha === sha &&
        !passed(bad) &&
        known.some((good) => passed(good) && good.headSha === sha && good.event === bad.event && isAfter(good, bad)),
    );
  const failure = naiveFailureRate(attempts);
  const runTime = naiveRunTime(attempts);
  const flaky = commits.filter(isFlaky).length;
  return {
    runs: runs.length,
    medianMs: naiveFraction(durations, 1, 2, 1, 0),
    p90Ms: naiveFraction(durations, 9, 10, 1, 0),
    durationSample: durations.length,
    failureRate: failure.value,
    failureRateSample: failure.sample,
    queueWaitMs: naiveFraction(waits, 1, 2, 1, 0),
    queueWaitSample: waits.length,
    runTimeMs: runTime.value,
    runTimeSample: runTime.sample,
    commits: commits.length,
    flaky,
  };
}

/** The ends of each interval are those of the metric over the same runs. */
function expectIntervals(found: RunTally, attempts: readonly MeasuredRun[]) {
  const close = (interval: Interval | null) =>
    interval && { low: expect.closeTo(interval.low, 3), high: expect.closeTo(interval.high, 3) };
  const { medianInterval, p90Interval, waitInterval } = tallyRuns(attempts);
  expect(found).toMatchObject({
    medianInterval: close(medianInterval),
    p90Interval: close(p90Interval),
    waitInterval: close(waitInterval),
  });
}

/** The runs that were run again without every earlier attempt stored. */
const countUnread = (known: readonly KnownRun[]): number =>
  latest(known.map((one) => one.run)).filter(
    ({ id, attempt }) =>
      known.filter(({ run }) => run.id === id && run.attempt < attempt && run.status === 'completed').length <
      attempt - 1,
  ).length;

/** The runs of which all jobs of all attempts were listed, and are stored with their labels. */
function costed(known: readonly KnownRun[]): KnownRun[] {
  const isKnown = ({ jobs, stored }: KnownRun) =>
    stored === 'read' || stored === 'delivered and listed' || (stored === 'read without labels' && jobs.length === 0);
  const last = latest(known.map((one) => one.run)).filter(({ status }) => status === 'completed');
  return last.flatMap(({ id }) => {
    const own = known.filter((one) => one.run.id === id);
    return own.every((one) => isKnown(one) && one.run.status === 'completed') ? own : [];
  });
}

eachDatabase((given) => {
  describe('figures of workflows', () => {
    let shared: Promise<Store> | undefined;
    let made = 0;

    test('are those of a recount, by workflow and together, in random worlds', async () => {
      shared ??= given.openForAll();
      const store = await shared;
      await fc.assert(
        fc.asyncProperty(worlds, async (world) => {
          const attempts = world.attempts.map((one) => moved(one, now - world.now));
          const [even, odd] = divide(attempts, 1000 * ++made);
          const repos = new Map([
            [await keep(store, 2 * made, even), even],
            [await keep(store, 2 * made + 1, odd), odd],
          ]);
          const ids = [...repos.keys()];
          const [tally, flakiness, { workflows: jobs, days: costDays }, byDay] = await Promise.all([
            store.workflowFigures.tally(ids, month),
            store.workflowFigures.flakiness(ids, month),
            store.workflowFigures.costs(ids, month, options(world.timezone, ids.slice(0, 1))),
            store.workflowFigures.days(ids, month, world.timezone),
          ]);
          const inWindow = (known: readonly KnownRun[]) => known.filter((one) => isIn(one.run, month));
          const all = inWindow([...even, ...odd]).map((one) => one.run);
          const { commits: _, flaky: __, ...together } = recount(all);
          expect(computeRunFigures(tally.total, null)).toMatchObject(together);
          expectIntervals(tally.total, all);
          const keys = new Set<string>();
          for (const [repoId, known] of repos)
            for (const workflowId of new Set(inWindow(known).map((one) => one.run.workflowId))) {
              const own = inWindow(known).filter((one) => one.run.workflowId === workflowId);
              const { commits, flaky, ...expected } = recount(own.map((one) => one.run));
              const isOwn = (one: { repoId: number; workflowId: number }) =>
                one.repoId === repoId && one.workflowId === workflowId;
              const found = tally.workflows.find(isOwn);
              expect(found && computeRunFigures(found, null)).toMatchObject(expected);
              if (found)
                expectIntervals(
                  found,
                  own.map((one) => one.run),
                );
              expect(found?.workflow).toBe('CI');
              const flakes = flakiness.find(isOwn);
              expect([flakes?.commits ?? 0, flakes?.flaky ?? 0]).toEqual([commits, flaky]);
              if (flakes) expect(flakes.unread).toBe(countUnread(own));
              const priced = costed(own);
              const spend = jobs.find(isOwn);
              expect(spend?.runs ?? 0).toBe(new Set(priced.map((one) => one.run.id)).size);
              if (spend) {
                const isPublic = repoId === ids[0];
                const naive = naiveWorkflowSpend(priced, latest(known.map((one) => one.run)), isPublic, workflowId);
                const { usd, wastedUsd, unknownJobs, minutes } = priceJobs(spend.groups, {
                  isPublic,
                  largerRunnerLabels,
                });
                expect({ usd, wastedUsd, unknownJobs, minutes }).toEqual({
                  usd: naive.mills === null ? null : naive.mills / 1000,
                  wastedUsd: naive.wastedMills === null ? null : naive.wastedMills / 1000,
                  unknownJobs: naive.unknown,
                  minutes: naive.minutes,
                });
              }
              keys.add(`${repoId} ${workflowId}`);
            }
          expect(new Set(tally.workflows.map((one) => `${one.repoId} ${one.workflowId}`))).toEqual(keys);
          const { format } = new Intl.DateTimeFormat('sv-SE', { timeZone: world.timezone, dateStyle: 'short' });
          for (const { date, completed, costed: known, groups } of costDays) {
            const onDay = (one: KnownRun) => format(one.run.createdAt) === date;
            const each = [...repos].map(([repoId, ofRepo]) => {
              const own = inWindow(ofRepo).filter(onDay);
              const priced = costed(own);
              const isPublic = repoId === ids[0];
              const runs = latest(ofRepo.map((one) => one.run));
              const naive = [...new Set(priced.map((one) => one.run.workflowId))].map((id) =>
                naiveWorkflowSpend(priced, runs, isPublic, id),
              );
              const ended = latest(own.map((one) => one.run)).filter(({ status }) => status === 'completed');
              return { naive, completed: ended.length, known: new Set(priced.map((one) => one.run.id)).size };
            });
            const sum = (read: (one: (typeof each)[number]) => number) => each.reduce((all, one) => all + read(one), 0);
            expect([completed, known]).toEqual([sum((one) => one.completed), sum((one) => one.known)]);
            const spent = [true, false].map((isPublic) =>
              priceJobs(
                groups.filter((group) => group.isPublic === isPublic),
                { isPublic, largerRunnerLabels },
              ),
            );
            const naive = each.flatMap((one) => one.naive);
            const mills = (read: (one: (typeof naive)[number]) => number | null) =>
              naive.reduce((all, one) => all + (read(one) ?? 0), 0) / 1000;
            const usd = (read: (one: (typeof spent)[number]) => number | null) =>
              spent.reduce((all, one) => all + (read(one) ?? 0), 0);
            expect(usd((one) => one.usd)).toBeCloseTo(
              mills((one) => one.mills),
              6,
            );
            expect(usd((one) => one.wastedUsd)).toBeCloseTo(
              mills((one) => one.wastedMills),
              6,
            );
            expect(usd((one) => one.minutes)).toBe(naive.reduce((all, one) => all + one.minutes, 0));
          }
          const completedOn = latest(all).filter(({ status }) => status === 'completed');
          expect(costDays.map(({ date }) => date)).toEqual(
            [...new Set(completedOn.map(({ createdAt }) => format(createdAt)))].sort(),
          );
          const dated = latest(all).map((one) => ({ date: format(one.createdAt), run: one }));
          const days = [...Map.groupBy(dated, ({ date }) => date)]
            .map(([date, of]) => {
              const runs = of.map((one) => one.run);
              const { medianMs, p90Ms, durationSample, queueWaitMs, runTimeMs } = recount(runs);
              const ended = conclusive(runs);
              const good = ended.filter(passed).length;
              const completed = runs.filter(({ status }) => status === 'completed').length;
              const counts = { completed, timed: durationSample, passed: good, failed: ended.length - good };
              return { date, ...counts, medianMs, p90Ms, waitMs: queueWaitMs, runTimeMs: runTimeMs ?? 0 };
            })
            .sort((a, b) => (a.date < b.date ? -1 : 1));
          const round = (value: number | null) => (value === null ? null : roundTo(value, 0));
          expect(
            byDay.map((one) => ({
              ...one,
              medianMs: round(one.medianMs),
              p90Ms: round(one.p90Ms),
              waitMs: round(one.waitMs),
            })),
          ).toEqual(days);
          const newest = await store.workflowFigures.runs(ids, month, 1000);
          expect(newest.map(({ id }) => id).toSorted()).toEqual(
            latest(all)
              .map(({ id }) => id)
              .toSorted(),
          );
          expect(newest.every(({ id, repoId }) => repos.get(repoId)?.some((one) => one.run.id === id))).toBe(true);
        }),
        { numRuns: rounds('FIGURE_RUNS', 4, 150) },
      );
    });

    test('jobs that were stored before they were summed are summed in the same way', async () => {
      const { store, database } = await given.openRaw();
      const [world] = fc.sample(worlds, { numRuns: 1, seed: 11 });
      if (!world) throw new Error('There is no world.');
      const known = divide(
        world.attempts.map((one) => moved(one, now - world.now)),
        1000,
      );
      const ids = [await keep(store, 1, known[0]), await keep(store, 2, known[1])];
      const ask = async () => (await store.workflowFigures.costs(ids, month, options())).workflows;
      const summed = await ask();
      expect(summed.some(({ groups }) => groups.some(({ minutes }) => minutes > 0))).toBe(true);
      await database.query('delete from attempt_costs');
      expect(await ask()).toEqual([]);
      await database.query(sumStoredJobs);
      for (const statement of splitReruns) await database.query(statement);
      await database.query(dropUnlisted(`'-infinity'`));
      const inOrder = (all: Awaited<ReturnType<typeof ask>>) =>
        all
          .flatMap(({ groups, ...workflow }) => groups.map((group) => JSON.stringify({ ...workflow, ...group })))
          .sort();
      expect(inOrder(await ask())).toEqual(inOrder(summed));
    });

    test('cost what they did when their jobs are deleted, and nothing when a run is', async () => {
      const store = await given.open();
      const repoId = await track(store);
      await store.runs.ingest(repoId, [run(1), run(2)], { syncedAt: noon });
      const attempts = [1, 2].map((id) => ({
        runId: id,
        attempt: 1,
        detail: 'full' as const,
        jobs: [aJob({ id, runId: id, createdAt: noon, startedAt: noon, completedAt: noon + day })],
      }));
      await store.jobs.attempts.store(repository(1), attempts, noon);
      const ask = async () =>
        (await store.workflowFigures.costs([repoId], { from: 0, to: noon }, options())).workflows[0]?.runs;
      expect(await ask()).toBe(2);
      const purged = await store.purge(noon + 121 * day, { runDays: 400, mayContinue: () => true });
      const { workflow_jobs, job_readings, attempt_costs } = purged.rows;
      expect([workflow_jobs, job_readings, attempt_costs]).toEqual([2, 2, undefined]);
      expect(await ask()).toBe(2);
      await store.runs.gone(repoId, 1);
      expect(await ask()).toBe(1);
      const later = await store.purge(noon + 402 * day, { runDays: 400, mayContinue: () => true });
      expect([later.rows.workflow_runs, later.rows.attempt_costs]).toEqual([1, 1]);
    });

    test('that events brought cost nothing until a list shows that none is missing', async () => {
      const store = await given.open();
      const repoId = await track(store);
      await store.runs.ingest(repoId, [run(1)], { syncedAt: noon });
      const job = (id: number, status = 'completed') =>
        aJob({ id, runId: 1, status, createdAt: noon, startedAt: noon, completedAt: noon + minute });
      const ask = async () => (await store.workflowFigures.costs([repoId], { from: 0, to: noon }, options())).days;
      const list = (...jobs: WorkflowJob[]) =>
        store.jobs.attempts.store(repository(1), [{ runId: 1, attempt: 1, detail: 'full', jobs }], noon);
      await store.jobs.put(repoId, [job(1)], noon);
      expect(await ask()).toMatchObject([{ completed: 1, costed: 0, groups: [] }]);
      expect(await store.runs.withoutCosts(repoId, 0, 10)).toEqual([{ runId: 1, attempt: 1 }]);
      await list(job(1), job(2));
      expect(await ask()).toMatchObject([{ completed: 1, costed: 1, groups: [{ jobs: 2, minutes: 2 }] }]);
      expect(await store.runs.withoutCosts(repoId, 0, 10)).toEqual([]);
      await store.jobs.put(repoId, [job(3)], noon);
      expect(await ask()).toMatchObject([{ completed: 1, costed: 0, groups: [] }]);
      await list(job(1), job(2), job(3));
      expect(await ask()).toMatchObject([{ completed: 1, costed: 1, groups: [{ jobs: 3, minutes: 3 }] }]);
    });

    test('that events brought before they had to be listed cost what they did where no list can follow', async () => {
      const { store, database } = await given.openRaw();
      const repoId = await track(store);
      const today = Date.now();
      const ages = [1, 82, 84, 100];
      const runs = ages.map((days, index) => run(index + 1, { createdAt: today - days * day }));
      await store.runs.ingest(repoId, runs, { syncedAt: today });
      const jobs = runs.map(({ id, createdAt }) =>
        aJob({ id, runId: id, createdAt, startedAt: createdAt, completedAt: createdAt + minute }),
      );
      await store.jobs.put(repoId, jobs, today);
      await database.query(sumStoredJobs);
      for (const statement of splitReruns) await database.query(statement);
      const summed = async () => {
        const { days } = await store.workflowFigures.costs([repoId], { from: 0, to: today }, options());
        return days.flatMap(({ costed, groups }) => (costed > 0 ? groups.map(({ minutes }) => minutes) : []));
      };
      expect(await summed()).toEqual([1, 1, 1, 1]);
      await database.query(dropUnlisted());
      expect(await summed()).toEqual([1, 1]);
      const due = await store.runs.withoutCosts(repoId, today - 90 * day, 10);
      expect(due.map(({ runId }) => runId)).toEqual([1, 2]);
    });

    test('of nothing are nothing', async () => {
      const store = await given.open();
      const repo = await track(store);
      for (const ids of [[], [repo]]) {
        const { total, workflows } = await store.workflowFigures.tally(ids, month);
        expect(computeRunFigures(total, total)).toMatchObject({ runs: 0, medianMs: null, failureRate: null });
        expect(workflows).toEqual([]);
        expect(await store.workflowFigures.days(ids, month, 'UTC')).toEqual([]);
        expect(await store.workflowFigures.costs(ids, month, options())).toEqual({ workflows: [], days: [] });
        expect(await store.workflowFigures.storedWindows(ids)).toEqual(new Map());
      }
    });

    test('take a workflow by its newest name, and a repository from when it was read', async () => {
      const store = await given.open();
      const [first, second] = [await track(store, 1), await track(store, 2)];
      const named = (id: number, createdAt: number, workflowName: string | null) =>
        run(id, { createdAt, workflowName });
      const runs = [
        named(1, now - 3 * day, 'Build'),
        named(2, now - 2 * day, 'Build and test'),
        named(3, now - day, null),
      ];
      await store.runs.ingest(first, runs, { syncedAt: now });
      await readBackTo(store, first, now - 90 * day, now);
      const { workflows } = await store.workflowFigures.tally([first, second], month);
      expect(workflows.map(({ workflow, runs: count }) => [workflow, count])).toEqual([['Build and test', 3]]);
      const stored = await store.workflowFigures.storedWindows([first, second]);
      expect([...stored]).toEqual([[first, { from: now - 90 * day, to: now }]]);
      expect(await store.runs.knownFrom(first)).toBe(now - 90 * day);
    });

    test('take a repository from where a forward pass was interrupted', async () => {
      const store = await given.open();
      const repoId = await track(store);
      const pass = { kind: 'forward', from: now - 9 * day, page: 1, through: now, afterwards: null } as const;
      const known = { syncedThrough: now - 8 * day, backfilledTo: now - 90 * day, deepAt: null };
      for (const [readDownTo, from, to] of [
        [now - day, now - day, now],
        [now + day, now - 90 * day, now - 8 * day],
      ] as const) {
        await store.cursors.put(repoId, { ...known, resume: { ...pass, readDownTo } });
        expect((await store.workflowFigures.storedWindows([repoId])).get(repoId)).toEqual({ from, to });
        expect(await store.runs.knownFrom(repoId)).toBe(from);
      }
    });

    test('a job is priced as of its own day, and one run again counts once all its attempts are stored', async () => {
      const store = await given.open();
      const repoId = await track(store);
      const newYear = Date.UTC(2026, 0, 1);
      const around: Window = { from: newYear - day, to: newYear + day };
      const lasting = (id: number, createdAt: number, attempt = 1) =>
        run(id, { createdAt, attempt, conclusion: attempt === 1 && id === 3 ? 'failure' : 'success' });
      const attempts = [
        lasting(1, newYear - 60_000),
        lasting(2, newYear + 60_000),
        lasting(3, newYear + 60_000),
        lasting(3, newYear + 60_000, 2),
      ];
      await store.runs.ingest(repoId, attempts, { syncedAt: now });
      const job = (id: number, { id: runId, attempt, createdAt }: MeasuredRun) =>
        aJob({ id, runId, attempt, createdAt, startedAt: createdAt, completedAt: createdAt + 600_000 });
      const readJobs = (index: number) => {
        const one = attempts[index] as MeasuredRun;
        const jobs = [job(index + 1, one)];
        return store.jobs.attempts.store(
          repository(1),
          [{ runId: one.id, attempt: one.attempt, detail: 'full', jobs }],
          now,
        );
      };
      const ask = async () => {
        const [spend] = (await store.workflowFigures.costs([repoId], around, options())).workflows;
        const { usd, wastedUsd } = priceJobs(spend?.groups ?? [], { isPublic: false });
        return [spend?.runs, usd, wastedUsd];
      };
      await readJobs(0);
      expect(await ask()).toEqual([1, 0.08, 0]);
      await readJobs(1);
      await readJobs(3);
      expect(await ask()).toEqual([2, 0.14, 0]);
      await readJobs(2);
      expect(await ask()).toEqual([3, 0.26, 0.06]);
    });
  });

  test('a rate needs ten commits', () => {
    expect([computeFlakyRate({ commits: 9, flaky: 9 }), computeFlakyRate({ commits: 10, flaky: 1 })]).toEqual([
      null,
      10,
    ]);
  });
});
