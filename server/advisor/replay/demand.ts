import type { RecordedAttempt } from '../history.ts';

/** What a change is measured per, chosen so that the change itself cannot move it; contract, section 5.3. */
export interface Demand {
  /** Plural, such as `pull-request updates`. */
  label: string;
  /** How many attempts of any workflow of the repository, on so many days, come to. */
  count(attempts: readonly RecordedAttempt[], days: number): number;
}

const countDistinct = (attempts: readonly RecordedAttempt[], keyOf: (attempt: RecordedAttempt) => string): number =>
  new Set(attempts.map(keyOf)).size;

/** Commits that pull requests came to. */
export const pullRequestUpdates: Demand = {
  label: 'pull-request updates',
  count: (attempts) =>
    countDistinct(
      attempts.filter(({ event }) => event === 'pull_request'),
      ({ headBranch, headSha }) => `${headSha} ${headBranch}`,
    ),
};

/** Commits that other branches than the default one came to. */
export const branchPushes = (defaultBranch: string): Demand => ({
  label: 'pushes to branches',
  count: (attempts) =>
    countDistinct(
      attempts.filter(({ event, headBranch }) => event === 'push' && headBranch !== defaultBranch),
      ({ headBranch, headSha }) => `${headSha} ${headBranch}`,
    ),
});

/** Commits that pull requests or branches came to. */
export const updates: Demand = {
  label: 'updates',
  count: (attempts) =>
    countDistinct(
      attempts.filter(({ event }) => event === 'pull_request' || event === 'push'),
      ({ event, headBranch, headSha }) => `${event} ${headSha} ${headBranch}`,
    ),
};

export const commits: Demand = {
  label: 'commits',
  count: (attempts) => countDistinct(attempts, ({ headSha }) => headSha),
};

export const calendarDays: Demand = { label: 'days', count: (_attempts, days) => days };

/** Jobs of a workflow that a runner took. */
export const startedJobs = (workflowId: number | null, isOne: (name: string) => boolean): Demand => ({
  label: 'started jobs',
  count: (attempts) =>
    attempts
      .filter((one) => one.workflowId === workflowId)
      .reduce((sum, { jobs }) => sum + (jobs ?? []).filter(({ name, isTaken }) => isTaken && isOne(name)).length, 0),
});

/** Run attempts of a workflow with a job that a runner took. */
export const startedRuns = (workflowId: number | null): Demand => ({
  label: 'runs',
  count: (attempts) =>
    attempts.filter((one) => one.workflowId === workflowId && (one.jobs ?? []).some(({ isTaken }) => isTaken)).length,
});
