import { describe, expect, test } from 'vitest';
import { memoryJobRepository } from '../../server/facts/job-repository.ts';
import { readRunJobs } from '../../server/facts/jobs.ts';
import { withDouble } from '../codehost/double.ts';
import { errorOf } from '../codehost/platform.ts';
import { fork, jobReader, window } from './job-readings.ts';

const platform = withDouble();
const reader = () => jobReader(platform);

describe('when the platform refuses', () => {
  test('checks, jobs are read one by one', async () => {
    platform.double.addRuns('octo/fork', 4, window);
    const one = reader();
    const all = await one.runs();
    platform.double.fault({ path: '/graphql' }, { kind: 'graphql_error', type: 'FORBIDDEN' });
    const { attempts, requests } = await one.read(all);
    expect([attempts.length, requests]).toEqual([4, 5]);
    expect(attempts.every(({ detail }) => detail === 'full')).toBe(true);
  });

  test('checks for good, five runs a question are read one by one, until all are stored', async () => {
    platform.double.addRuns('octo/fork', 16, window);
    const one = reader();
    const all = await one.runs();
    platform.double.fault({ path: '/graphql', times: 99 }, { kind: 'graphql_error', type: 'FORBIDDEN' });
    for (const [read, left] of [
      [5, 11],
      [10, 6],
      [15, 1],
      [16, 0],
    ]) {
      const { attempts, unread, requests } = await one.read(all);
      expect([attempts.length, unread.length]).toEqual([read, left]);
      expect(new Set(unread.map(({ reason }) => reason))).toEqual(new Set(left ? ['upstream_forbidden'] : []));
      expect(requests).toBeLessThanOrEqual(3 + 5);
    }
  });

  test('GraphQL alone, because it is too slow, jobs are read one by one', async () => {
    platform.double.addRuns('octo/fork', 5, window);
    const one = reader();
    const all = await one.runs();
    platform.double.fault({ path: '/graphql', times: 9 }, { kind: 'status', status: 502 });
    const { attempts, graphql, requests } = await one.read(all);
    expect([attempts.length, graphql, requests]).toEqual([5, 0, 3 + 5]);
  });

  test('GraphQL alone, because its quota is spent, the other way is still open', async () => {
    const { double } = platform;
    double.addRuns('octo/fork', 4, window);
    const one = reader();
    const all = await one.runs();
    const { codehost, clock } = platform.as();
    const repository = await codehost.repositories.get(fork);
    double.budgets.setRemaining('ann', 'graphql', 20);
    await codehost.repositories.states([fork]);
    double.requests.length = 0;
    const { attempts } = await readRunJobs({ codehost, jobs: one.jobRepository, clock }, repository, all, 'times');
    expect([attempts.length, double.requests.filter(({ graphql }) => graphql).length]).toEqual([4, 0]);
  });

  test('everything, it is not requested run by run; what is stored is still reported', async () => {
    const { double } = platform;
    double.addRuns('octo/fork', 20, window);
    const one = reader();
    const all = await one.runs();
    await one.read(all.slice(0, 5));
    const { codehost, clock } = platform.as();
    const repository = await codehost.repositories.get(fork);
    const source = { codehost, jobs: one.jobRepository, clock };
    double.fault({ path: /./, times: 500 }, { kind: 'status', status: 503 });
    for (const detail of ['times', 'full'] as const) {
      double.requests.length = 0;
      const error = readRunJobs({ ...source, jobs: memoryJobRepository() }, repository, all, detail);
      expect((await errorOf(error)).code).toBe('upstream_unavailable');
      // Two batches of suites, halved once and again, then one run; or as many runs at once as there are places.
      expect(double.requests.length).toBeLessThanOrEqual(detail === 'times' ? 2 * 3 + 3 : 8 * 3);
    }
    const { attempts, unread } = await readRunJobs(source, repository, all, 'times');
    expect(attempts).toHaveLength(5);
    expect(new Set(unread.map(({ reason }) => reason))).toEqual(new Set(['upstream_unavailable']));
    expect(unread).toHaveLength(15);
  });

  test('because the quota is spent, no further run is requested', async () => {
    platform.double.addRuns('octo/fork', 30, window);
    const one = reader();
    const all = await one.runs();
    platform.double.budgets.setRemaining('ann', 'core', 58);
    const { attempts, unread } = await one.read(all, 'full');
    expect(attempts.length).toBeGreaterThan(0);
    expect(attempts.length + unread.length).toBe(30);
    expect(new Set(unread.map(({ reason }) => reason))).toEqual(new Set(['upstream_rate_limited']));
    // What was read is stored all the same.
    platform.double.budgets.setRemaining('ann', 'core', 5000);
    expect((await one.read(all, 'full')).requests).toBe(unread.length);
  });

  test('the token, that is reported', async () => {
    platform.double.addRuns('octo/fork', 4, window);
    const one = reader();
    const all = await one.runs();
    platform.double.fault({ path: '/repos/octo/fork/actions/*', times: 20 }, { kind: 'status', status: 401 });
    expect((await errorOf(one.read(all, 'full'))).code).toBe('unauthenticated');
  });
});
