import type { Context, Reply } from '../../access/context.ts';
import type { Platform } from '../../codehost/changes/client.ts';
import type { Instant, LiveWorkflowRun, Repository, WorkflowJob } from '../../metrics/kernel/facts.ts';
import { dayMs } from '../../metrics/kernel/window.ts';
import { type CommitOutcome, commitOutcomes, flakyDays } from '../../metrics/runs/flaky.ts';
import { distinctAttempts, isDefaultBranchRun, type MeasuredRun } from '../../metrics/runs/workflow-runs.ts';
import { findStoredAttempts } from '../runs/earlier-attempts.ts';
import { type RunsInput, readWorkflowRuns } from '../runs/report.ts';

/** The newest runs of a workflow with the attempts before their latest ones, as far as those are known. */
export interface ReliabilityReading {
  codehost: Platform;
  repository: Repository;
  /** Whether the caller may be given what is stored: only current answers prove that they see the repository. */
  isProven: boolean;
  /** By their latest attempts. */
  runs: LiveWorkflowRun[];
  /** All known attempts of these runs. */
  attempts: MeasuredRun[];
  /** Of `attempts`, those on the default branch. */
  onDefault: MeasuredRun[];
  commits: CommitOutcome[];
  /** From when on every run on these commits is among `runs`. */
  commitsSince: Instant;
  /** Superseded attempts, known and unknown. */
  earlier: { known: number; unknown: number };
  /** true when the workflow has no older runs. */
  isComplete: boolean;
  now: Instant;
  asOf: Instant;
  source: 'live' | 'mixed';
}

/** Reads the list of runs; everything else comes from what is stored. */
export async function readReliability(input: RunsInput, context: Context, reply: Reply): Promise<ReliabilityReading> {
  const codehost = await context.codehost();
  const { repository, listing } = await readWorkflowRuns(input, context, reply);
  const isProven = !repository.stale && !listing.stale;
  const earlier = isProven ? await earlierAttempts(repository, listing.items, context) : [];
  const attempts = distinctAttempts<MeasuredRun>([...earlier, ...listing.items]);
  const superseded = listing.items.reduce((sum, { attempt }) => sum + attempt - 1, 0);
  const known = attempts.length - listing.items.length;
  const now = listing.stale ? listing.asOf : context.services.clock.now();
  const isComplete = listing.totalCount !== null && listing.totalCount <= listing.items.length;
  const readSince = isComplete ? 0 : (listing.items.at(-1)?.createdAt ?? now);
  return {
    codehost,
    repository,
    isProven,
    attempts,
    now,
    runs: listing.items,
    onDefault: attempts.filter((run) => isDefaultBranchRun(run, repository.defaultBranch)),
    commits: commitOutcomes(attempts, now),
    commitsSince: Math.max(readSince, now - flakyDays * dayMs),
    earlier: { known, unknown: Math.max(0, superseded - known) },
    isComplete,
    asOf: Math.min(listing.asOf, repository.asOf),
    source: context.services.store ? 'mixed' : 'live',
  };
}

/** What the platform has replaced only the database knows; the demo has it at no cost. */
async function earlierAttempts(repository: Repository, runs: readonly LiveWorkflowRun[], context: Context) {
  if (!context.isDemo) return findStoredAttempts(repository, runs, context);
  return sampleAttempts(
    repository,
    runs.filter(({ attempt }) => attempt > 1),
    await context.codehost(),
  );
}

async function sampleAttempts(repository: Repository, rerun: readonly LiveWorkflowRun[], codehost: Platform) {
  const names = rerun.flatMap(({ id, attempt }) =>
    Array.from({ length: attempt - 1 }, (_, index) => ({ id, attempt: index + 1 })),
  );
  const found = await Promise.all(names.map(({ id, attempt }) => codehost.runs.attempt(repository, id, attempt)));
  return found.filter((run) => run !== null);
}

/** The stored jobs of attempts on flaky commits, without a request. */
export async function findStoredJobs(
  { repository, isProven, commits, codehost }: ReliabilityReading,
  { services, isDemo }: Context,
): Promise<{ jobs: WorkflowJob[]; withJobs: number; without: number }> {
  const attempts = commits.filter(({ flaky }) => flaky).flatMap((commit) => commit.attempts);
  if (isDemo) {
    const lists = await Promise.all(attempts.map(({ id, attempt }) => codehost.jobs.ofRun(repository, id, attempt)));
    return { jobs: lists.flatMap(({ items }) => items), withJobs: attempts.length, without: 0 };
  }
  const names = attempts.map(({ id, attempt }) => ({ runId: id, attempt }));
  const stored = isProven && names.length > 0 ? await services.jobs.of(repository, names) : [];
  return {
    jobs: stored.flatMap(({ jobs }) => jobs),
    withJobs: stored.length,
    without: attempts.length - stored.length,
  };
}
