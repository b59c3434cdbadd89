import { describe, expect, test } from 'vitest';
import { type AttemptJobs, type JobRepository, memoryJobRepository } from '../../server/facts/job-repository.ts';
import type { WorkflowJob } from '../../server/metrics/kernel/facts.ts';
import { aJob, aStep } from '../metrics/worlds.ts';
import { noon, repository } from '../store/world.ts';
import { eachDatabase } from '../support/database.ts';

const web = repository(1);
const day = 86_400_000;

const job = (id: number, rest: Partial<WorkflowJob> = {}): WorkflowJob =>
  aJob({ id, runId: 5, name: `job ${id} (ü\u0001)`, runnerGroup: null, steps: [aStep({ startedAt: noon })], ...rest });

/** The same job as its check reports it. */
const withoutDetails = (one: WorkflowJob): WorkflowJob => ({
  ...one,
  createdAt: null,
  runnerName: null,
  runnerGroup: null,
  labels: [],
});

const attempt = (jobs: WorkflowJob[], rest: Partial<AttemptJobs> = {}): AttemptJobs => ({
  runId: 5,
  attempt: 1,
  detail: 'full',
  jobs,
  ...rest,
});

const first = { runId: 5, attempt: 1 };

function keepsTheContract(open: () => Promise<JobRepository>): void {
  test('what was stored is what is got, and nothing else', async () => {
    const factRepository = await open();
    expect(await factRepository.of(web, [first])).toEqual([]);
    const two = [job(1), job(2, { conclusion: 'skipped', startedAt: null, completedAt: null, runnerName: null })];
    const again = attempt([job(3, { attempt: 2 })], { attempt: 2 });
    await factRepository.store(web, [attempt(two), again], noon);
    expect(await factRepository.of(web, [first, { runId: 6, attempt: 1 }])).toEqual([attempt(two)]);
    expect(await factRepository.of(web, [{ runId: 5, attempt: 2 }])).toEqual([again]);
    expect(await factRepository.of(web, [])).toEqual([]);
  });

  test('another repository has none of it', async () => {
    const factRepository = await open();
    await factRepository.store(web, [attempt([job(1)])], noon);
    await factRepository.store(repository(2), [attempt([job(9, { runId: 7 })], { runId: 7 })], noon);
    expect(await factRepository.of(repository(2), [first])).toEqual([]);
  });

  test('an attempt without jobs is known to have none', async () => {
    const factRepository = await open();
    await factRepository.store(web, [attempt([])], noon);
    expect(await factRepository.of(web, [first])).toEqual([attempt([])]);
  });

  test('a reading in full takes the place of one without runners, and stays', async () => {
    const factRepository = await open();
    const times = attempt([withoutDetails(job(1)), withoutDetails(job(2))], { detail: 'times' });
    await factRepository.store(web, [times], noon);
    expect(await factRepository.of(web, [first])).toEqual([times]);
    const full = attempt([job(1), job(2)]);
    await factRepository.store(web, [full], noon + 1);
    expect(await factRepository.of(web, [first])).toEqual([full]);
    await factRepository.store(web, [times], noon + 2);
    expect(await factRepository.of(web, [first])).toEqual([full]);
  });

  test('many attempts are stored at once', async () => {
    const factRepository = await open();
    const many = Array.from({ length: 35 }, (_, n) => attempt([job(n, { runId: n })], { runId: n }));
    await factRepository.store(web, many, noon);
    const found = await factRepository.of(web, many);
    expect(found.toSorted((a, b) => a.runId - b.runId)).toEqual(many);
  });
}

describe('in memory', () => {
  keepsTheContract(async () => memoryJobRepository());

  test('the attempts longest not requested go, and one that is too large is not stored', async () => {
    const factRepository = memoryJobRepository(9);
    const of = (runId: number, count: number) =>
      attempt(
        Array.from({ length: count }, (_, n) => job(n, { runId })),
        { runId },
      );
    await factRepository.store(web, [of(1, 1), of(2, 1), of(3, 1)], noon);
    await factRepository.of(web, [{ runId: 1, attempt: 1 }]);
    await factRepository.store(web, [of(4, 1), of(5, 9)], noon);
    const left = await factRepository.of(
      web,
      [1, 2, 3, 4, 5].map((runId) => ({ runId, attempt: 1 })),
    );
    expect(left.map(({ runId }) => runId)).toEqual([1, 3, 4]);
  });
});

eachDatabase((given) => {
  keepsTheContract(async () => (await given.open()).jobs.attempts);

  test('what an event reported for a job is not lost to a reading without runners', async () => {
    const store = await given.open();
    const repoId = await store.repositories.known(web);
    const early = job(1, { status: 'in_progress', conclusion: null, completedAt: null, steps: [] });
    await store.jobs.put(repoId, [early], noon);
    await store.jobs.attempts.store(web, [attempt([withoutDetails(job(1))], { detail: 'times' })], noon + 1);
    expect(await store.jobs.attempts.of(web, [first])).toEqual([attempt([job(1)], { detail: 'times' })]);
  });

  test('single jobs that events brought are no whole attempt, and later ones change nothing that has ended', async () => {
    const store = await given.open();
    const repoId = await store.repositories.known(web);
    await store.jobs.put(repoId, [job(1), job(9)], noon);
    expect(await store.jobs.attempts.of(web, [first])).toEqual([]);
    await store.jobs.attempts.store(web, [attempt([job(1), job(2)])], noon);
    expect(await store.jobs.attempts.of(web, [first])).toEqual([attempt([job(1), job(2)])]);
    await store.jobs.put(repoId, [job(2, { status: 'queued', conclusion: null, startedAt: null })], noon + 1);
    expect(await store.jobs.attempts.of(web, [first])).toEqual([attempt([job(1), job(2)])]);
  });

  test('is reported whole or not at all, and forgotten after 120 days', async () => {
    const { store, database } = await given.openRaw();
    await store.jobs.attempts.store(web, [attempt([job(1), job(2)])], noon);
    const purge = (at: number) => store.purge(at, { runDays: 400, mayContinue: () => true });
    expect((await purge(noon + 119 * day)).rows).toEqual({});
    expect(await store.jobs.attempts.of(web, [first])).toHaveLength(1);
    await database.query('delete from workflow_jobs where id = 2');
    expect(await store.jobs.attempts.of(web, [first])).toEqual([]);
    await store.jobs.attempts.store(web, [attempt([job(1), job(2)])], noon);
    expect(await store.jobs.attempts.of(web, [first])).toHaveLength(1);
    expect((await purge(noon + 121 * day)).rows).toEqual({ job_readings: 1, workflow_jobs: 2 });
    expect(await store.jobs.attempts.of(web, [first])).toEqual([]);
  });

  test('goes with its run', async () => {
    const store = await given.open();
    const repoId = await store.repositories.known(web);
    await store.jobs.attempts.store(web, [attempt([]), attempt([job(3, { attempt: 2 })], { attempt: 2 })], noon);
    await store.runs.gone(repoId, 5);
    expect(await store.jobs.attempts.of(web, [first, { runId: 5, attempt: 2 }])).toEqual([]);
  });

  test('readings of the same attempts at the same time do not wait for each other in a circle', async () => {
    const store = await given.open();
    const ids = Array.from({ length: 25 }, (_, n) => n);
    const readings = ids.map((n) => attempt([job(n, { runId: n }), job(100 + n, { runId: n })], { runId: n }));
    await Promise.all([
      store.jobs.attempts.store(web, readings, noon),
      store.jobs.attempts.store(web, readings.toReversed(), noon),
      store.jobs.attempts.store(web, readings, noon),
    ]);
    expect(await store.jobs.attempts.of(web, readings)).toHaveLength(25);
  });
});
