import type { Instant, JobStep, WorkflowJob } from '../../server/metrics/kernel/facts.ts';

/**
 * Jobs of run 5011 of octo/web. `build` waited 45 s: it says it started when it was created, but its first step
 * began later. `test` failed nothing and ran on an own machine; `publish` was skipped and never had a runner.
 */
export function webJobs(start: Instant): WorkflowJob[] {
  const at = (seconds: number) => start + seconds * 1000;
  return [
    job(501_101, 'build', {
      createdAt: at(0),
      startedAt: at(0),
      completedAt: at(105),
      steps: [
        step(1, 'Set up job', at(45), at(47)),
        step(2, 'Check out', at(47), at(50)),
        step(3, 'Build', at(50), at(104)),
        step(4, 'Complete job', at(104), at(105)),
      ],
    }),
    job(501_102, 'test', {
      createdAt: at(0),
      startedAt: at(6),
      completedAt: at(96),
      runnerName: 'shelf-1',
      runnerGroup: 'Default',
      labels: ['self-hosted', 'linux'],
      steps: [step(1, 'Set up job', at(6), at(8)), step(2, 'Test', at(8), at(96))],
    }),
    job(501_103, 'publish', {
      createdAt: at(106),
      startedAt: at(106),
      completedAt: at(106),
      conclusion: 'skipped',
      runnerName: null,
      runnerGroup: null,
      labels: [],
      steps: [],
    }),
  ];
}

const job = (id: number, name: string, parts: Partial<WorkflowJob>): WorkflowJob => ({
  id,
  runId: 5011,
  attempt: 1,
  name,
  workflowName: 'CI',
  status: 'completed',
  conclusion: 'success',
  createdAt: null,
  startedAt: null,
  completedAt: null,
  runnerName: 'GitHub Actions 12',
  runnerGroup: 'GitHub Actions',
  labels: ['ubuntu-24.04'],
  htmlUrl: `https://codehost.example/octo/web/actions/runs/5011/job/${id}`,
  steps: [],
  ...parts,
});

const step = (number: number, name: string, startedAt: Instant, completedAt: Instant): JobStep => ({
  number,
  name,
  status: 'completed',
  conclusion: 'success',
  startedAt,
  completedAt,
});
