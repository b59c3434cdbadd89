import type { DeliveryPlan } from './delivery-plans.ts';

/** Something that happens to one run of a workflow, counted from the newest one. */
export type Incident =
  | 'passed'
  | 'running'
  | 'queued'
  | 'failed'
  | 'timed_out'
  | 'cancelled'
  | 'fixed_by_rerun'
  | 'failed_again'
  | 'queue_spike'
  | 'slow_outlier';

/** Of a workflow whose newest runs all passed, so that no default branch fails. */
export const passedLately = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [index, 'passed' as const]));

/** A job of a workflow: in which stage it runs (stages wait for each other) and on what machine. */
export interface JobPlan {
  name: string;
  stage: number;
  labels: string[];
  steps: string[];
}

/** A recommended change of a workflow file that was merged, and what came of it. */
export interface MergedChange {
  /** Id of the kind of recommendation. */
  kind: string;
  daysAgo: number;
  /** Whether a commit has no second run since, where that is what changed. */
  works: boolean;
  /** Since when work takes so many times as long, for a reason of its own. */
  slower: { daysAgo: number; factor: number } | null;
}

export interface WorkflowPlan {
  name: string;
  path: string;
  state: string;
  /** Events that start it, equally likely; one that is named twice is twice as likely. */
  events: string[];
  /** Runs of a usual working day; a `nightly` one runs once every night instead. */
  perDay: number;
  nightly: boolean;
  /** Seconds of work; `warmSeconds` when the cache was found. */
  seconds: number;
  warmSeconds: number | null;
  spread: number;
  failureRate: number;
  /** How often somebody cancels a run. */
  cancelRate: number;
  /** How often a failed run is tried again. */
  rerunRate: number;
  jobs: JobPlan[];
  /** Whether it always fails in its last stage. */
  failsLast: boolean;
  /** What happens to the n-th newest run. */
  incidents: Record<number, Incident>;
  /** How often a run for a pull request is followed by one for a newer commit while it may still run. */
  pushedAgainRate: number;
  /** Whether a commit of a pull request also has a run for its push. */
  runsTwice: boolean;
  /** Name of the workflow beside which it runs, for every commit of its pull requests; null for one of its own pace. */
  beside: string | null;
  merged: MergedChange | null;
}

/** One repository of the sample organization, and how it behaves. */
export interface RepositoryPlan {
  repo: string;
  description: string | null;
  language: string | null;
  stars: number;
  private: boolean;
  archived: boolean;
  fork: boolean;
  empty: boolean;
  openIssues: number;
  openPullRequests: number;
  /** Days before now on which its last run happened; null for no runs at all. */
  quietSince: number | null;
  workflows: WorkflowPlan[];
  /** Names of the checks that pull requests to the default branch need. */
  requiredChecks: readonly string[];
  /** Names of the files at its root; null where they are not told. */
  rootFiles: readonly string[] | null;
  delivery: DeliveryPlan;
}

const hosted = ['ubuntu-24.04'];
const own = ['self-hosted', 'linux', 'x64'];

const job = (name: string, stage: number, steps: string[], labels = hosted): JobPlan => ({
  name,
  stage,
  labels,
  steps,
});

export const buildAndTest: JobPlan[] = [
  job('lint', 1, ['Check out', 'Install packages', 'Lint']),
  job('build', 1, ['Check out', 'Install packages', 'Build']),
  job('test (1)', 2, ['Check out', 'Install packages', 'Run tests']),
  job('test (2)', 2, ['Check out', 'Install packages', 'Run tests']),
  job('package', 3, ['Check out', 'Pack', 'Upload artifact']),
];

export const appTests: JobPlan[] = [
  job('lint', 1, ['Check out', 'Lint']),
  job('build', 1, ['Check out', 'Build']),
  job('test (1)', 2, ['Check out', 'Run tests']),
  job('test (2)', 2, ['Check out', 'Run tests']),
];

export const deploySteps: JobPlan[] = [
  job('deploy to staging', 1, ['Fetch artifact', 'Roll out', 'Smoke test'], own),
  job('deploy to production', 2, ['Fetch artifact', 'Roll out', 'Smoke test'], own),
];

export const oneJob = (name: string): JobPlan[] => [job(name, 1, ['Check out', 'Install packages', name])];

/** A workflow with calm defaults, with these changes. */
export const workflowPlan = (parts: Partial<WorkflowPlan> & { name: string; path: string }): WorkflowPlan => ({
  state: 'active',
  events: ['push', 'pull_request'],
  perDay: 6,
  nightly: false,
  seconds: 300,
  warmSeconds: null,
  spread: 0.12,
  failureRate: 0.05,
  cancelRate: 0.03,
  rerunRate: 0.1,
  jobs: buildAndTest,
  failsLast: false,
  incidents: {},
  pushedAgainRate: 0,
  runsTwice: false,
  beside: null,
  merged: null,
  ...parts,
});
