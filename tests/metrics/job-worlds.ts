import fc from 'fast-check';
import { type Conclusion, conclusions, type JobStep, type WorkflowJob } from '../../server/metrics/kernel/facts.ts';
import type { MeasuredRun } from '../../server/metrics/runs/workflow-runs.ts';
import { aJob, aRun, aStep, second } from './worlds.ts';

/** A run with the jobs of its latest attempt. */
export interface RunWithJobs {
  run: MeasuredRun;
  jobs: WorkflowJob[];
}

const start = Date.UTC(2026, 2, 6, 10);

const ending = fc.constantFrom<Conclusion | null>('success', 'success', 'success', 'failure', null, ...conclusions);
const offset = fc.oneof({ weight: 9, arbitrary: fc.integer({ min: -90, max: 900 }) }, fc.constant(null));
const length = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(0, 5, 30, 60, 60, 90, 300) },
  fc.constantFrom(null, -7),
);
/** Jobs of one stage often end and begin at the same moment. */
const stage = fc.constantFrom(0, 60, 120, 180);

const jobs = fc.record({
  name: fc.constantFrom('build', 'lint', 'test (20, linux)', 'test (22, linux)', 'ship / push (eu)', 'ship / push'),
  status: fc.constantFrom('completed', 'completed', 'completed', 'completed', 'in_progress'),
  conclusion: ending,
  waited: fc.constantFrom(0, 3, 40, -2, null),
  begins: fc.oneof(offset, stage),
  lasts: length,
  runnerName: fc.constantFrom('Hosted 1', 'Hosted 2', 'shelf-1', 'shelf-2', null),
  runnerGroup: fc.constantFrom('GitHub Actions', 'Default', 'Large ones', null),
  labels: fc.constantFrom<string[][]>(
    ['ubuntu-latest'],
    ['ubuntu-24.04'],
    ['windows-2022'],
    ['macos-14-xlarge'],
    ['big-box', 'Linux'],
    [],
    ['self-hosted', 'Linux', 'x64'],
    ['linux', 'self-hosted'],
  ),
  steps: fc.array(
    fc.record({
      number: fc.integer({ min: 1, max: 3 }),
      name: fc.constantFrom('Set up', 'Work'),
      ending,
      lasts: length,
    }),
    { maxLength: 3 },
  ),
});

type JobParts = typeof jobs extends fc.Arbitrary<infer Parts> ? Parts : never;

/** Up to ten runs with up to eight jobs, with ties, gaps, clocks that differ and jobs taken over by a re-run. */
export const jobWorlds: fc.Arbitrary<RunWithJobs[]> = fc
  .array(fc.record({ begins: fc.constantFrom(0, 0, 100, null), jobs: fc.array(jobs, { maxLength: 8 }) }), {
    maxLength: 10,
  })
  .map((runs) =>
    runs.map((made, index) => {
      const at = start + index * 3_600_000;
      const run = aRun({ id: index + 1, createdAt: at, startedAt: seconds(at, made.begins) });
      return { run, jobs: made.jobs.map((parts, number) => toJob(parts, at, run.id, run.id * 100 + number)) };
    }),
  );

const seconds = (at: number | null, more: number | null) => (at === null || more === null ? null : at + more * second);

function toJob(parts: JobParts, at: number, runId: number, id: number): WorkflowJob {
  const { name, status, conclusion, runnerName, runnerGroup, labels } = parts;
  const startedAt = seconds(at, parts.begins);
  return {
    ...aJob({ id, runId, name, status, conclusion, runnerName, runnerGroup, labels }),
    createdAt: parts.waited === null ? null : seconds(startedAt, -parts.waited),
    startedAt,
    completedAt: seconds(startedAt, parts.lasts),
    steps: parts.steps.map((step) => toStep(step, startedAt)),
  };
}

function toStep(step: JobParts['steps'][number], at: number | null): JobStep {
  const { number, name, ending: conclusion, lasts } = step;
  return aStep({ number, name, conclusion, startedAt: at, completedAt: seconds(at, lasts) });
}
