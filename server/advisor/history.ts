import type { Conclusion, Instant, JobStep, WorkflowJob } from '../metrics/kernel/facts.ts';

type JobFact =
  | 'id'
  | 'name'
  | 'status'
  | 'conclusion'
  | 'createdAt'
  | 'startedAt'
  | 'completedAt'
  | 'labels'
  | 'runnerGroup';

/** A job as the advisor reads it. */
export interface RecordedJob extends Pick<WorkflowJob, JobFact> {
  /** Whether a runner took it; else it is not billed. */
  isTaken: boolean;
  /** Those whose times a kind looks at; perhaps others, too. */
  steps: readonly RecordedStep[];
}

/** A step of a job, named as runs name it. */
export type RecordedStep = Pick<JobStep, 'name' | 'conclusion' | 'startedAt' | 'completedAt'>;

/** An attempt of a run as the advisor reads it: never who caused it. */
export interface RecordedAttempt {
  runId: number;
  attempt: number;
  runNumber: number;
  workflowId: number;
  event: string;
  headBranch: string | null;
  headSha: string;
  conclusion: Conclusion | null;
  htmlUrl: string;
  /** When it was caused: creation of the run, or start of the re-run. */
  arrivedAt: Instant;
  /** null while it is under way. */
  endedAt: Instant | null;
  /** null where not all of them are stored with labels and queue times. */
  jobs: readonly RecordedJob[] | null;
  /** Of all jobs, as summed when they were stored; null where not all of them are. */
  billedMinutes: number | null;
  /** Of a replayed attempt: what its jobs no longer waited for, as `test lint`; left out where nothing was changed so. */
  withoutNeeds?: readonly string[];
}

/** What is stored of a repository, oldest arrival first. */
export interface RepositoryHistory {
  defaultBranch: string;
  attempts: readonly RecordedAttempt[];
}

/** A branch as a group of runs: of `event`, on this branch. null for a run without a branch. */
export function groupKey({ workflowId, event, headBranch }: RecordedAttempt): string | null {
  return headBranch === null ? null : JSON.stringify([workflowId, event, headBranch]);
}

/** First attempts that a newer run of the same workflow, event and branch was created before the end of, with it. */
export function findSuperseded(attempts: readonly RecordedAttempt[]): Superseded[] {
  const groups = Map.groupBy(
    attempts.filter(({ attempt }) => attempt === 1),
    (one) => groupKey(one),
  );
  groups.delete(null);
  return [...groups.values()].flatMap((group) => {
    const inOrder = group.toSorted((one, other) => one.arrivedAt - other.arrivedAt || one.runId - other.runId);
    return inOrder.flatMap((older, index) => {
      const newer = inOrder[index + 1];
      const isReplaced = newer !== undefined && (older.endedAt === null || newer.arrivedAt < older.endedAt);
      return isReplaced ? [{ older, at: newer.arrivedAt }] : [];
    });
  });
}

export interface Superseded {
  older: RecordedAttempt;
  /** Creation of the newer run. */
  at: Instant;
}
