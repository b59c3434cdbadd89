import fc from 'fast-check';
import {
  type Conclusion,
  conclusions,
  type Instant,
  type JobStep,
  runStatuses,
  type WorkflowJob,
} from '../../server/metrics/kernel/facts.ts';
import type { MeasuredRun } from '../../server/metrics/runs/workflow-runs.ts';

export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/** A passed push to main that took a minute; say only what differs. */
export function aRun(differences: Partial<MeasuredRun> = {}): MeasuredRun {
  const createdAt = differences.createdAt ?? Date.UTC(2026, 2, 6, 10);
  const id = differences.id ?? 1;
  return {
    id,
    attempt: 1,
    workflowId: 7,
    workflowName: 'CI',
    runNumber: id,
    displayTitle: null,
    event: 'push',
    status: 'completed',
    conclusion: 'success',
    headBranch: 'main',
    headSha: `sha-${id}`,
    actor: null,
    triggeringActor: null,
    createdAt,
    startedAt: createdAt,
    updatedAt: (differences.startedAt ?? createdAt) + minute,
    htmlUrl: `https://codehost.example/runs/${id}`,
    ...differences,
  };
}

/** Runs a minute apart, oldest first, with these conclusions. */
export function runsEnding(...endings: (Conclusion | null)[]): MeasuredRun[] {
  const start = Date.UTC(2026, 2, 6, 10);
  return endings.map((conclusion, index) => aRun({ id: index + 1, conclusion, createdAt: start + index * minute }));
}

export function aJob(differences: Partial<WorkflowJob> = {}): WorkflowJob {
  const createdAt = differences.createdAt ?? Date.UTC(2026, 2, 6, 10);
  return {
    id: 1,
    runId: 1,
    attempt: 1,
    name: 'build',
    workflowName: 'CI',
    status: 'completed',
    conclusion: 'success',
    createdAt,
    startedAt: createdAt,
    completedAt: createdAt + minute,
    runnerName: 'runner 1',
    runnerGroup: 'GitHub Actions',
    labels: ['ubuntu-24.04'],
    htmlUrl: 'https://codehost.example/jobs/1',
    steps: [],
    ...differences,
  };
}

export function aStep(differences: Partial<JobStep> = {}): JobStep {
  return {
    number: 1,
    name: 'Set up job',
    status: 'completed',
    conclusion: 'success',
    startedAt: null,
    completedAt: null,
    ...differences,
  };
}

/** Numbers from 0 to below 1, the same for the same seed. */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export interface World {
  now: Instant;
  timezone: string;
  attempts: MeasuredRun[];
}

const zones = ['Asia/Saigon', 'Europe/Berlin', 'America/St_Johns', 'Pacific/Auckland', 'UTC'];

/** Attempts of up to 36 runs in 45 days, in no order, with re-runs, ties and unfinished ones. */
export const worlds: fc.Arbitrary<World> = fc
  .record({
    now: fc.integer({ min: Date.UTC(2025, 0, 1), max: Date.UTC(2027, 0, 1) }),
    timezone: fc.constantFrom(...zones),
    runs: fc.array(
      fc.record({
        age: fc.integer({ min: 0, max: 45 * 24 }),
        sha: fc.integer({ min: 1, max: 18 }),
        event: fc.constantFrom('push', 'pull_request', 'schedule'),
        headBranch: fc.constantFrom('main', 'main', 'topic', null),
        workflowId: fc.constantFrom(7, 7, 7, 8),
        attempts: fc.array(endings(), { minLength: 1, maxLength: 3 }),
      }),
      { maxLength: 36, size: 'max' },
    ),
    order: fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
  })
  .map(({ now, timezone, runs, order }) => {
    const attempts = runs.flatMap((run, index) =>
      run.attempts.map((ending, attemptIndex) => {
        const createdAt = now - run.age * hour;
        const startedAt = createdAt + attemptIndex * 5 * hour;
        return aRun({
          ...ending,
          id: index + 1,
          attempt: attemptIndex + 1,
          workflowId: run.workflowId,
          event: run.event,
          headBranch: run.headBranch,
          headSha: `sha-${run.sha}`,
          createdAt,
          startedAt,
          updatedAt: startedAt + ending.took,
        });
      }),
    );
    const keys = new Map(attempts.map((attempt) => [attempt, order.next().value ?? 0]));
    return { now, timezone, attempts: attempts.toSorted((a, b) => (keys.get(a) ?? 0) - (keys.get(b) ?? 0)) };
  });

function endings() {
  const took = fc.constantFrom(0, 45 * second, minute, 2 * hour);
  const completed = fc.record({
    status: fc.constant('completed' as const),
    conclusion: fc.constantFrom<Conclusion | null>('success', 'success', 'failure', null, ...conclusions),
    took,
  });
  const open = fc.record({ status: fc.constantFrom(...runStatuses), conclusion: fc.constant(null), took });
  return fc.oneof({ weight: 6, arbitrary: completed }, { weight: 1, arbitrary: open });
}
