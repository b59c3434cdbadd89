import type { Codehost, SuiteOfRun } from '../codehost/client/client.ts';
import { transient } from '../codehost/client/reader.ts';
import type { Instant, Repository, WorkflowJob, WorkflowRun } from '../metrics/kernel/facts.ts';
import { hourMs } from '../metrics/kernel/window.ts';
import type { Clock } from '../platform/clock.ts';
import { Problem, type ProblemCode } from '../platform/problem.ts';
import type { AttemptJobs, AttemptName, JobDetail, JobRepository } from './job-repository.ts';

/** Where jobs come from: what is stored, else the platform as the caller sees it. */
export interface JobSource {
  codehost: Pick<Codehost, 'jobs'>;
  jobs: JobRepository;
  clock: Clock;
}

/** One attempt of a run; with its check suite its jobs can be read together with those of others. */
export type AttemptOfRun = WorkflowRun & { checkSuiteId?: string | null };

export interface JobsOfRuns<Run> {
  /** Completed attempts with all their jobs, in the order requested. */
  attempts: { run: Run; detail: JobDetail; jobs: WorkflowJob[] }[];
  /** The others: under way, or rejected with this code; `gone` and `not_found` when deleted meanwhile. */
  unread: { run: Run; reason: 'under_way' | ProblemCode }[];
  /** true when a run had more jobs than are read of one. */
  capped: boolean;
  /** `mixed` where a database keeps what the platform reported. */
  source: 'live' | 'mixed';
}

/**
 * The jobs of many run attempts. What is stored costs nothing; of the rest, first attempts that need no more than times
 * come ten in a request, others one by one, and all are stored: a completed attempt never changes, once its jobs have
 * ended as well. Where check suites
 * cannot be read, five attempts come one by one, and the rest with later questions. The caller must have proved that
 * the repository may be seen. Throws the platform's problem when it gave none.
 */
export async function readRunJobs<Run extends AttemptOfRun>(
  source: JobSource,
  repository: Repository,
  runs: readonly Run[],
  detail: JobDetail,
): Promise<JobsOfRuns<Run>> {
  const { jobs: jobRepository, clock } = source;
  const completed = runs.filter(({ status }) => status === 'completed');
  const stored = await jobRepository.of(repository, completed.map(toAttemptName));
  const known = new Map(stored.filter((one) => suffices(one, detail)).map((one) => [toKey(one), one]));
  // Lists may hold an attempt twice.
  const byKey = new Map(completed.map((run) => [toKey(toAttemptName(run)), run]));
  const missing = [...byKey].flatMap(([key, run]) => (known.has(key) ? [] : run));
  const { bySuite, withoutSuites } = await readSuites(source, repository, detail === 'times' ? missing : []);
  const inSuites = new Set(bySuite.map(toKey));
  const rest = missing.filter((run) => !inSuites.has(toKey(toAttemptName(run))));
  const { found, failed, capped } = await readEach(source, repository, rest, withoutSuites);
  const read = [...bySuite, ...found];
  const isOver = (one: AttemptJobs) => hasSettled(byKey.get(toKey(one)), one, clock.now());
  await jobRepository.store(repository, read.filter(isOver), clock.now());
  for (const one of [...read, ...capped]) known.set(toKey(one), one);
  if (known.size === 0) throwFirst(failed);
  return {
    attempts: completed.flatMap((run) => {
      const one = known.get(toKey(toAttemptName(run)));
      return one ? [{ run, detail: one.detail, jobs: one.jobs }] : [];
    }),
    unread: [
      ...runs.flatMap((run) => (run.status === 'completed' ? [] : { run, reason: 'under_way' as const })),
      ...failed.map(({ run, problem }) => ({ run, reason: problem.code })),
    ],
    capped: capped.length > 0,
    source: jobRepository.isDatabase ? 'mixed' : 'live',
  };
}

/** The list of jobs may lag behind the end of its run, for a moment. */
const settlingMs = hourMs;

const hasSettled = (run: WorkflowRun | undefined, { jobs }: AttemptJobs, now: Instant): boolean =>
  (run?.updatedAt ?? 0) < now - settlingMs || jobs.every(({ status }) => status === 'completed');

const toAttemptName = ({ id, attempt }: WorkflowRun): AttemptName => ({ runId: id, attempt });
const toKey = ({ runId, attempt }: AttemptName) => `${runId} ${attempt}`;
const suffices = (one: AttemptJobs, detail: JobDetail) => detail === 'times' || one.detail === 'full';

/** One request for one run gives more when only its jobs are requested. */
const minSuites = 2;

/** Jobs of those runs whose suites list them: of none when checks cannot be read. */
async function readSuites({ codehost }: JobSource, repository: Repository, runs: readonly AttemptOfRun[]) {
  // The suite of a run that was started again holds jobs of several attempts, and does not distinguish them.
  const suites = runs.flatMap(({ attempt, checkSuiteId, ...run }): SuiteOfRun[] =>
    attempt === 1 && checkSuiteId ? [{ ...run, checkSuiteId }] : [],
  );
  const bySuite: AttemptJobs[] = [];
  if (suites.length < minSuites) return { bySuite, withoutSuites: null };
  try {
    const read = await codehost.jobs.ofSuites(repository, suites);
    for (const [runId, jobs] of read.jobs) bySuite.push({ runId, attempt: 1, detail: 'times', jobs });
    return { bySuite, withoutSuites: read.problem };
  } catch (error) {
    if (!(error instanceof Problem) || error.code === 'unauthenticated') throw error;
    return { bySuite, withoutSuites: error };
  }
}

interface FailedRun<Run> {
  run: Run;
  problem: Problem;
}

/** Attempts that are read one by one, a request each, where suites would have given ten in one. */
const maxWithoutSuites = 5;

/** Requests one run after the other, several at a time, and no more once the platform cannot be reached. */
async function readEach<Run extends AttemptOfRun>(
  { codehost }: JobSource,
  repository: Repository,
  runs: readonly Run[],
  /** Why suites could not be read, where they were requested. */
  withoutSuites: Problem | null,
) {
  const found: AttemptJobs[] = [];
  const capped: AttemptJobs[] = [];
  const failed: FailedRun<Run>[] = [];
  let stopped: Problem | null = null;
  const readOne = async (run: Run) => {
    try {
      if (stopped) throw stopped;
      const listing = await codehost.jobs.ofCompleted(repository, run.id, run.attempt);
      (listing.partial ? capped : found).push({ ...toAttemptName(run), detail: 'full', jobs: listing.items });
    } catch (error) {
      if (!(error instanceof Problem) || error.code === 'unauthenticated') throw error;
      if (transient.has(error.code)) stopped = error;
      failed.push({ run, problem: error });
    }
  };
  const waiting = withoutSuites ? runs.slice(0, maxWithoutSuites) : [...runs];
  if (withoutSuites) {
    for (const run of runs.slice(maxWithoutSuites)) failed.push({ run, problem: withoutSuites });
    const first = waiting.shift();
    if (first) await readOne(first);
  }
  const readOn = async () => {
    for (let run = waiting.shift(); run; run = waiting.shift()) await readOne(run);
  };
  await Promise.all(Array.from({ length: atOnce }, readOn));
  return { found, capped, failed: failed };
}

/** As many as a token has places for. */
const atOnce = 8;

/** Runs that were deleted are no reason to answer nothing. */
function throwFirst(failed: readonly FailedRun<unknown>[]): void {
  const worst = failed.find(({ problem }) => problem.code !== 'not_found' && problem.code !== 'gone');
  if (worst) throw worst.problem;
}
