import type { Context } from '../../access/context.ts';
import type { RecordedAttempt } from '../../advisor/history.ts';
import type { LongestPassing } from '../../advisor/kind.ts';
import type { Platform } from '../../codehost/changes/client.ts';
import { readFacts } from '../../facts/facts.ts';
import { wasTaken } from '../../metrics/cost/job-cost.ts';
import { attemptCost } from '../../metrics/cost/run-cost.ts';
import type { Instant, LiveWorkflowRun, Repository, WorkflowJob } from '../../metrics/kernel/facts.ts';
import { getOutcome } from '../../metrics/kernel/outcome.ts';
import { dayMs } from '../../metrics/kernel/window.ts';
import { getSpan, listOwnJobs } from '../../metrics/runs/jobs.ts';
import type { StoredAttempt } from '../../store/recorded-attempts.ts';
import { ifReadable } from '../kernel/coverage.ts';

/** Far above what a repository does in 90 days, so that a reading has an end. */
const maxAttempts = 50_000;

/**
 * Attempts of runs created since then, as far as they are stored, oldest arrival first, with the times of the named
 * steps; nothing is requested of the platform. The caller must have proved that the repository may be seen.
 */
export async function readHistory(
  codehost: Platform,
  repository: Repository,
  { since, stepNames }: { since: Instant; stepNames: readonly string[] },
  { services: { store }, isDemo }: Pick<Context, 'services' | 'isDemo'>,
): Promise<RecordedAttempt[]> {
  return isDemo
    ? inOrder(await readSample(codehost, repository, since))
    : readStored(repository, { since, stepNames }, store);
}

const inOrder = (attempts: RecordedAttempt[]): RecordedAttempt[] =>
  attempts.sort((one, other) => one.arrivedAt - other.arrivedAt || one.runId - other.runId);

/** The same of what is stored alone. */
export async function readStored(
  repository: Pick<Repository, 'id' | 'htmlUrl'>,
  { since, stepNames }: { since: Instant; stepNames: readonly string[] },
  store: Context['services']['store'],
) {
  const known = await store?.repositories.find(repository);
  if (!store || !known) return [];
  const attempts = await store.recordedAttempts.list(known.id, since, { limit: maxAttempts, stepNames });
  return inOrder(attempts.map((one) => toRecorded(one, repository)));
}

/** The longest passing jobs of all that is stored of a repository; nothing is requested of the platform. */
export async function readLongestPassing(
  codehost: Platform,
  repository: Repository,
  { services: { store }, isDemo }: Pick<Context, 'services' | 'isDemo'>,
): Promise<LongestPassing[]> {
  if (isDemo) return longestIn(await readSample(codehost, repository, 0));
  const known = await store?.repositories.find(repository);
  return store && known ? store.recordedAttempts.longestPassing(known.id) : [];
}

function longestIn(attempts: readonly RecordedAttempt[]): LongestPassing[] {
  const longest = new Map<string, LongestPassing>();
  for (const { workflowId, jobs } of attempts)
    for (const job of jobs ?? []) {
      const { name } = job;
      const minutes = getOutcome(job) === 'pass' ? (getSpan(job) ?? 0) / 60_000 : 0;
      const key = `${workflowId} ${name}`;
      if (minutes > (longest.get(key)?.minutes ?? 0)) longest.set(key, { workflowId, name, minutes });
    }
  return [...longest.values()];
}

function toRecorded(stored: StoredAttempt, { htmlUrl }: Pick<Repository, 'htmlUrl'>): RecordedAttempt {
  const { status, createdAt, runStartedAt, updatedAt, completedAt, ...rest } = stored;
  return {
    ...rest,
    htmlUrl: stored.htmlUrl ?? `${htmlUrl}/actions/runs/${stored.runId}`,
    arrivedAt: stored.attempt === 1 ? createdAt : (runStartedAt ?? createdAt),
    endedAt: status === 'completed' ? (lastEnd(stored) ?? completedAt ?? updatedAt) : null,
  };
}

const lastEnd = ({ jobs }: StoredAttempt): Instant | null =>
  jobs?.reduce<Instant | null>((end, job) => Math.max(end ?? 0, job.completedAt ?? 0) || null, null) ?? null;

/** An attempt with the creation of its run. */
interface Sample {
  createdAt: Instant;
  recorded: RecordedAttempt;
}

/** The sample world has its whole history; it is made when it is looked at first, once for everybody. */
const samples = new WeakMap<Platform['runs'], Map<number, Promise<Sample[]>>>();

async function readSample(codehost: Platform, repository: Repository, since: Instant): Promise<RecordedAttempt[]> {
  const known = samples.get(codehost.runs) ?? new Map<number, Promise<Sample[]>>();
  samples.set(codehost.runs, known);
  const attempts = known.get(repository.id) ?? makeSample(codehost, repository);
  known.set(repository.id, attempts);
  return (await attempts).flatMap(({ createdAt, recorded }) => (createdAt >= since ? recorded : []));
}

async function makeSample({ runs, jobs }: Platform, repository: Repository): Promise<Sample[]> {
  const { items } = await runs.recent(repository, 0, maxAttempts / 100);
  return Promise.all(
    items.flatMap((run) =>
      Array.from({ length: run.attempt }, async (_, index) => {
        const attempt = (await runs.attempt(repository, run.id, index + 1)) ?? run;
        const listing =
          attempt.status === 'completed' ? await jobs.ofCompleted(repository, run.id, attempt.attempt) : null;
        return { createdAt: run.createdAt, recorded: fromSample(attempt, listing?.items ?? null) };
      }),
    ),
  );
}

const fromSample = (run: LiveWorkflowRun, jobs: readonly WorkflowJob[] | null): RecordedAttempt => ({
  runId: run.id,
  attempt: run.attempt,
  runNumber: run.runNumber,
  workflowId: run.workflowId,
  event: run.event,
  headBranch: run.headBranch,
  headSha: run.headSha,
  conclusion: run.conclusion,
  htmlUrl: run.htmlUrl,
  arrivedAt: run.attempt === 1 ? run.createdAt : (run.startedAt ?? run.createdAt),
  endedAt: run.status === 'completed' ? run.updatedAt : null,
  jobs: jobs && listOwnJobs(run, jobs).map((job) => ({ ...job, isTaken: wasTaken(job) })),
  billedMinutes: jobs && attemptCost(run, jobs, { isPublic: false }).minutes,
});

/** When deployments of the repository were created since then; null where they cannot be read. */
export async function readDeployments(
  codehost: Platform,
  repository: Repository,
  from: Instant,
  { services }: Pick<Context, 'services'>,
): Promise<Instant[] | null> {
  const source = { codehost, factRepository: services.facts, clock: services.clock };
  const read = await ifReadable(readFacts(source, repository, 'deployments', { since: from, maxAgeMs: dayMs }));
  return read && !read.partial && !read.stale ? read.items.map(({ createdAt }) => createdAt) : null;
}
