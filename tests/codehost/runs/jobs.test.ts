import { describe, expect, it } from 'vitest';
import { clientOf, platformOfEachTest } from '../platform.ts';

const platform = platformOfEachTest((_seen, answer) => answer.json(404, {}));

const web = { owner: 'octo', repo: 'web' };

describe('jobs', () => {
  const wireJob = (over: object = {}) => ({
    id: 1,
    run_id: 100,
    run_attempt: 2,
    name: 'build',
    workflow_name: 'CI',
    status: 'completed',
    conclusion: 'failure',
    created_at: '2026-03-10T10:00:00Z',
    started_at: '2026-03-10T10:00:09Z',
    completed_at: '2026-03-10T10:01:00Z',
    runner_name: 'runner-1',
    runner_group_name: 'Default',
    labels: ['ubuntu-latest'],
    html_url: 'https://example.test/job/1',
    steps: [
      {
        number: 1,
        name: 'Set up',
        status: 'completed',
        conclusion: 'success',
        started_at: '2026-03-10T10:00:10Z',
        completed_at: null,
      },
    ],
    ...over,
  });
  const answerJobs = (jobs: object[]) => {
    platform.handler = (_seen, answer) => answer.json(200, { total_count: jobs.length, jobs });
  };

  it('are facts with their steps', async () => {
    answerJobs([wireJob(), wireJob({ id: 2, runner_name: '', started_at: null, steps: undefined, status: 'queued' })]);
    const { items } = await clientOf(platform.url).codehost.jobs.ofRun(web, 100);
    expect(items[0]).toEqual({
      id: 1,
      runId: 100,
      attempt: 2,
      name: 'build',
      workflowName: 'CI',
      status: 'completed',
      conclusion: 'failure',
      createdAt: Date.parse('2026-03-10T10:00:00Z'),
      startedAt: Date.parse('2026-03-10T10:00:09Z'),
      completedAt: Date.parse('2026-03-10T10:01:00Z'),
      runnerName: 'runner-1',
      runnerGroup: 'Default',
      labels: ['ubuntu-latest'],
      htmlUrl: 'https://example.test/job/1',
      steps: [
        {
          number: 1,
          name: 'Set up',
          status: 'completed',
          conclusion: 'success',
          startedAt: Date.parse('2026-03-10T10:00:10Z'),
          completedAt: null,
        },
      ],
    });
    expect(items[1]).toMatchObject({ runnerName: null, startedAt: null, steps: [] });
    expect(platform.requests[0]?.url).toBe('/repos/octo/web/actions/runs/100/jobs?per_page=100&page=1&filter=latest');
  });

  it.each([
    { what: 'an ended attempt', jobs: [wireJob()], attempt: 2, later: 30 * 86_400_000, asked: 1 },
    { what: 'the latest attempt, ended', jobs: [wireJob()], attempt: undefined, later: 59_999, asked: 1 },
    { what: 'the latest attempt, a minute later', jobs: [wireJob()], attempt: undefined, later: 60_000, asked: 2 },
    {
      what: 'a running job',
      jobs: [wireJob({ status: 'queued', completed_at: null })],
      attempt: 2,
      later: 10_000,
      asked: 2,
    },
    {
      what: 'a job that just ended',
      jobs: [wireJob({ completed_at: '2026-03-10T11:59:00Z' })],
      attempt: 2,
      later: 10_000,
      asked: 2,
    },
    { what: 'no jobs yet', jobs: [], attempt: 2, later: 10_000, asked: 2 },
  ])('$what is requested $asked times', async ({ jobs, attempt, later, asked }) => {
    answerJobs(jobs);
    const { codehost, clock, sent } = clientOf(platform.url);
    await codehost.jobs.ofRun(web, 100, attempt);
    clock.advance(later);
    await codehost.jobs.ofRun(web, 100, attempt);
    expect(sent).toHaveLength(asked);
  });
});
