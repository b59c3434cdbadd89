import type { JobStep } from '../../server/metrics/kernel/facts.ts';
import type { AttemptFacts, SpanOptions } from '../../server/otlp/attempt-spans.ts';
import type { JobFacts } from '../../server/otlp/job-spans.ts';

/** An instant of the day that the test vectors are of. */
export const at = (time: string, day = '2026-11-27') => Date.parse(`${day}T${time}Z`);

/** Numbers of the contract's test vectors. */
export const facts: AttemptFacts = {
  host: 'github.com',
  repoId: 1296269,
  runId: 30433642,
  attempt: 1,
  owner: 'octo',
  repo: 'hello',
  workflowId: 7,
  workflowName: 'Build',
  runNumber: 12,
  event: 'pull_request',
  conclusion: 'success',
  headBranch: 'topic',
  headSha: 'a'.repeat(40),
  actor: 'mona',
  createdAt: at('10:00:00'),
  startedAt: at('10:00:01'),
  completedAt: at('10:01:05'),
};

export const job: JobFacts = {
  id: 399444496,
  runId: 30433642,
  attempt: 1,
  name: 'test',
  workflowName: 'Build',
  status: 'completed',
  conclusion: 'success',
  createdAt: at('10:00:02'),
  startedAt: at('10:00:04'),
  completedAt: at('10:01:00'),
  runnerName: 'runner-1',
  runnerGroup: 'Default',
  labels: ['ubuntu-latest'],
  htmlUrl: 'https://github.com/octo/hello/actions/runs/30433642/job/399444496',
  steps: [],
  detail: 'full',
};

export const step: JobStep = {
  number: 3,
  name: 'Run tests',
  status: 'completed',
  conclusion: 'success',
  startedAt: at('10:00:10'),
  completedAt: at('10:00:20'),
};

export const options: SpanOptions = {
  webUrl: 'https://github.com',
  serviceName: '{owner}/{repo}',
  includeActor: false,
};
