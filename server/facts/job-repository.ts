import { LRUCache } from 'lru-cache';
import type { Instant, Repository, WorkflowJob } from '../metrics/kernel/facts.ts';

/** One attempt of a run, by what the platform knows it by. */
export interface AttemptName {
  runId: number;
  attempt: number;
}

/** All jobs of one completed attempt, which never change. */
export interface AttemptJobs extends AttemptName {
  /** `times`: read from checks, which have neither runner nor labels nor enqueue time. `full`: all of it. */
  detail: JobDetail;
  jobs: WorkflowJob[];
}

export type JobDetail = 'times' | 'full';

/** Where the jobs of completed attempts rest: the database, or a bounded memory without one. */
export interface JobRepository {
  isDatabase: boolean;
  /** Those of the attempts that are stored, in any order. */
  of(repository: Repository, attempts: readonly AttemptName[]): Promise<AttemptJobs[]>;
  /** Keeps them; what was read in full stays when it is read again without. */
  store(repository: Repository, attempts: readonly AttemptJobs[], now: Instant): Promise<void>;
}

/** Jobs of this process, of at most `maxItems` jobs and steps; the least recently used attempts are evicted first. */
export function memoryJobRepository(maxItems = 200_000): JobRepository {
  const entries = new LRUCache<string, AttemptJobs>({
    maxSize: maxItems,
    sizeCalculation: ({ jobs }) => jobs.reduce((sum, { steps }) => sum + 1 + steps.length, 1),
  });
  const toKey = ({ id }: Repository, { runId, attempt }: AttemptName) => `${id} ${runId} ${attempt}`;
  return {
    isDatabase: false,
    of: async (repository, attempts) => attempts.flatMap((one) => entries.get(toKey(repository, one)) ?? []),
    async store(repository, attempts) {
      for (const one of attempts) {
        const key = toKey(repository, one);
        if (one.detail === 'full' || entries.peek(key)?.detail !== 'full') entries.set(key, one);
      }
    },
  };
}
