import { describe, expect, test } from 'vitest';
import { readRunJobs } from '../../server/facts/jobs.ts';
import type { LiveWorkflowRun, WorkflowJob } from '../../server/metrics/kernel/facts.ts';
import { withDouble } from '../codehost/double.ts';
import { namedNow } from '../codehost-double/named-world.ts';
import { jobsOf, repositoryOf } from '../codehost-double/world.ts';
import { hour, minute } from '../store/world.ts';
import { fork, jobReader, window } from './job-readings.ts';

const platform = withDouble();
const reader = () => jobReader(platform);

const withoutDetails = (job: WorkflowJob) => ({
  ...job,
  createdAt: null,
  runnerName: null,
  runnerGroup: null,
  labels: [],
});
const jobsIn = ({ attempts }: { attempts: { jobs: WorkflowJob[] }[] }) => attempts.flatMap(({ jobs }) => jobs);

describe('jobs of many runs', () => {
  test('of thirty runs cost three requests, and then none', async () => {
    platform.double.addRuns('octo/fork', 30, window);
    const { runs, read } = reader();
    const all = await runs();
    const cold = await read(all);
    expect([cold.requests, cold.graphql, cold.points]).toEqual([3, 3, [5, 5, 5]]);
    expect(cold.attempts.map(({ run }) => run)).toEqual(all);
    expect(cold).toMatchObject({ unread: [], capped: false, source: 'live' });
    const warm = await read(all);
    expect(warm.requests).toBe(0);
    expect(warm.attempts).toEqual(cold.attempts);
  });

  test('are the same by suites and one by one, but for what checks do not tell', async () => {
    platform.double.addRuns('octo/fork', 4, window);
    const one = reader();
    const all = await one.runs();
    const bySuites = await one.read(all);
    const oneByOne = await reader().read(all, 'full');
    expect([bySuites.graphql, oneByOne.graphql, oneByOne.requests]).toEqual([1, 0, 4]);
    expect(jobsIn(bySuites)).toEqual(jobsIn(oneByOne).map(withoutDetails));
    expect(jobsIn(oneByOne)[0]).toMatchObject({ runnerName: 'GitHub Actions 7', labels: ['ubuntu-latest'] });
  });

  test('are read in full where runners are wanted, and serve both from then on', async () => {
    platform.double.addRuns('octo/fork', 4, window);
    const { runs, read } = reader();
    const all = await runs();
    await read(all, 'times');
    expect((await read(all, 'full')).requests).toBe(4);
    expect((await read(all, 'full')).requests).toBe(0);
    const after = await read(all, 'times');
    expect([after.requests, after.attempts.map(({ detail }) => detail)]).toEqual([0, Array(4).fill('full')]);
  });

  test('of one new run are read in full for the same price', async () => {
    const { double } = platform;
    double.addRuns('octo/fork', 12, window);
    const { runs, read } = reader();
    await read(await runs());
    double.putRun('octo/fork', { id: 99, createdAt: namedNow - 10 * minute });
    const { requests, graphql, attempts } = await read(await runs());
    expect([requests, graphql, attempts[0]?.run.id, attempts[0]?.detail]).toEqual([1, 0, 99, 'full']);
  });
});

describe('a run that is started again', () => {
  const again = async (one: ReturnType<typeof reader>) => {
    const { double } = platform;
    double.addRuns('octo/fork', 3, window);
    const before = await one.runs();
    double.rerun('octo/fork', 2, namedNow - 30 * minute);
    return before;
  };

  test('gives each attempt its own jobs', async () => {
    const one = reader();
    const before = await again(one);
    platform.double.completeRun('octo/fork', 2, 'failure', namedNow - 20 * minute);
    const now = await one.read(await one.runs());
    const rerun = now.attempts.find(({ run }) => run.id === 2);
    expect(rerun?.jobs).toMatchObject([{ attempt: 2, conclusion: 'failure' }]);
    // The list is older than the second attempt: its suite by now holds the jobs of both.
    const earlier = await one.read(before);
    expect(earlier.attempts.find(({ run }) => run.id === 2)?.jobs).toMatchObject([
      { attempt: 1, conclusion: 'success' },
    ]);
    expect((await one.read(before)).attempts).toEqual(earlier.attempts);
  });

  test('while the list was read does not lend its new jobs to the attempt before', async () => {
    const one = reader();
    const before = await again(one);
    const { attempts } = await one.read(before);
    expect(attempts.flatMap(({ jobs }) => jobs.map(({ attempt }) => attempt))).toEqual([1, 1, 1]);
    expect(jobsIn({ attempts }).every(({ status }) => status === 'completed')).toBe(true);
  });
});

describe('what is not read', () => {
  test('a run under way is not, and an earlier look at it is not stored as the end', async () => {
    const { double } = platform;
    double.addRuns('octo/fork', 2, window);
    double.putRun('octo/fork', { id: 50, status: 'in_progress', createdAt: namedNow - minute });
    const one = reader();
    const running = await one.read(await one.runs());
    expect(running.unread).toMatchObject([{ run: { id: 50 }, reason: 'under_way' }]);
    expect(running.attempts).toHaveLength(2);
    const { codehost, clock } = platform.as();
    const repository = await codehost.repositories.get(fork);
    expect((await codehost.jobs.ofRun(fork, 50, 1)).items[0]?.status).toBe('in_progress');
    const ended = double.completeRun('octo/fork', 50, 'success', namedNow);
    const source = { codehost, jobs: one.jobRepository, clock };
    const { attempts } = await readRunJobs(source, repository, [ended as LiveWorkflowRun], 'full');
    expect(attempts[0]?.jobs).toMatchObject([{ status: 'completed', completedAt: namedNow }]);
  });

  test('a list that lags behind the end of its run is shown, and not stored for an hour', async () => {
    const { double } = platform;
    const run = double.putRun('octo/fork', { id: 60, createdAt: namedNow - 10 * minute });
    const world = repositoryOf(double.world, 'octo/fork');
    const [job] = jobsOf(world, run);
    if (!job) throw new Error('The run has no job.');
    world.jobs.set('60/1', [{ ...job, status: 'in_progress', conclusion: null, completedAt: null }]);
    const one = reader();
    const all = await one.runs();
    for (const requests of [1, 1]) {
      const read = await one.read(all, 'full');
      expect([read.requests, jobsIn(read).map(({ status }) => status)]).toEqual([requests, ['in_progress']]);
    }
    platform.advance(2 * hour);
    for (const requests of [1, 0]) expect((await one.read(all, 'full')).requests).toBe(requests);
  });

  test('a run that was deleted meanwhile is excluded', async () => {
    platform.double.addRuns('octo/fork', 5, window);
    const one = reader();
    const all = await one.runs();
    platform.double.removeRun('octo/fork', 3);
    for (const detail of ['times', 'full'] as const) {
      const { attempts, unread } = await one.read(all, detail);
      expect(attempts.map(({ run }) => run.id)).toEqual([5, 4, 2, 1]);
      expect(unread.map(({ run, reason }) => [run.id, reason])).toEqual([[3, 'not_found']]);
    }
    const gone = all.filter(({ id }) => id === 3);
    expect(await one.read(gone)).toMatchObject({ attempts: [], unread: [{ reason: 'not_found' }] });
  });

  test('large runs are, in full', async () => {
    const { double } = platform;
    double.addRuns('octo/fork', 3, window);
    const [job] =
      double.world.repositories
        .find(({ facts }) => facts.repo === 'fork')
        ?.jobsOf(double.putRun('octo/fork', { id: 3, createdAt: namedNow - hour })) ?? [];
    if (!job) throw new Error('a run of the double has a job');
    const matrix = Array.from({ length: 120 }, (_, n) => ({ ...job, id: 7000 + n, name: `test (${n})` }));
    double.putJobs('octo/fork', 3, 1, matrix);
    const steps = Array.from({ length: 101 }, (_, n) => ({ ...(job.steps[0] as never as object), number: n + 1 }));
    double.putJobs('octo/fork', 2, 1, [{ ...job, id: 8000, runId: 2, steps: steps as WorkflowJob['steps'] }]);
    const one = reader();
    const { attempts, requests } = await one.read(await one.runs());
    expect(attempts.map(({ run, detail, jobs }) => [run.id, detail, jobs.length])).toEqual([
      [3, 'full', 120],
      [2, 'full', 1],
      [1, 'times', 1],
    ]);
    expect(attempts[1]?.jobs[0]?.steps).toHaveLength(101);
    expect(requests).toBe(1 + 2 + 1);
  });
});
