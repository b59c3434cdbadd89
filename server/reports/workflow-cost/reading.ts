import type { Context, Reply } from '../../access/context.ts';
import type { Platform } from '../../codehost/changes/client.ts';
import { type AttemptCost, attemptCost, type CostedRun } from '../../metrics/cost/run-cost.ts';
import { type JudgedAttempt, judgeAttempts } from '../../metrics/cost/waste.ts';
import type { LiveWorkflowRun, Repository } from '../../metrics/kernel/facts.ts';
import { type JobReading, readJobs, visibleRuns } from '../jobs/reading.ts';
import { type CoverageReason, toCoverage, toReason } from '../kernel/coverage.ts';
import { noteListing } from '../kernel/notes.ts';
import { largerRunnerLabels } from '../runners/report.ts';
import { findStoredAttempts } from '../runs/earlier-attempts.ts';
import type { RunsInput } from '../runs/report.ts';

/** The newest runs of a workflow with every completed attempt of theirs, and what each cost. */
export interface CostReading {
  repository: Repository;
  attempts: AttemptCost[];
  judged: JudgedAttempt[];
  jobs: Pick<JobReading<LiveWorkflowRun>, 'coverage' | 'underWay' | 'source'>;
  asOf: number;
}

/** One request for each attempt that is not stored yet: only the list of its jobs has the labels. */
export async function readCosts(input: RunsInput, context: Context, reply: Reply): Promise<CostReading> {
  const { codehost, repository, listing } = await visibleRuns(input, context, reply);
  const runs = listing.items;
  const earlier = await earlierAttempts(codehost, repository, runs, context);
  const { attempts: read, ...jobs } = await readJobs(repository, [...runs, ...earlier.attempts], 'full', context);
  const { coverage } = jobs;
  const reasons = [...coverage.reasons, ...earlier.failures];
  const combined = toCoverage({ ...coverage, expected: (coverage.expected ?? 0) + earlier.failures.length, reasons });
  noteListing(reply, { ...listing, partial: !combined.complete });
  const pricing = {
    isPublic: repository.visibility === 'public',
    largerRunnerLabels: largerRunnerLabels(context.services.env),
  };
  const attempts = read.map(({ run, jobs: ofRun }) => attemptCost(run, ofRun, pricing));
  return {
    repository,
    attempts,
    judged: judgeAttempts(attempts, runs),
    jobs: { ...jobs, coverage: combined },
    asOf: listing.asOf,
  };
}

/** Attempts that are not stored and that one answer reads, the newest first: as many as a synchronization does. */
const maxUnstored = 50;

/**
 * What was run before the latest attempts: stored ones cost nothing, others a request each, once. One that is gone is
 * left out; one that cannot be read, or is one too many, is a gap.
 */
async function earlierAttempts(
  { runs: { attempt: read } }: Platform,
  repository: Repository,
  runs: readonly LiveWorkflowRun[],
  context: Context,
) {
  const stored = new Map(
    (await findStoredAttempts(repository, runs, context))
      .filter(({ status }) => status === 'completed')
      .map((one) => [`${one.id} ${one.attempt}`, one]),
  );
  const wanted = runs.flatMap(({ id, attempt: latest, pullRequests }) =>
    Array.from({ length: latest - 1 }, (_, index) => ({ id, number: latest - 1 - index, pullRequests })),
  );
  const known = wanted.flatMap(({ id, number, pullRequests }): CostedRun[] => {
    const own = stored.get(`${id} ${number}`);
    return own ? [{ ...own, pullRequests }] : [];
  });
  const unstored = wanted.filter(({ id, number }) => !stored.has(`${id} ${number}`));
  const failures: CoverageReason[] = unstored.slice(maxUnstored).map(() => 'page_cap');
  const found = await Promise.all(
    unstored.slice(0, maxUnstored).map(({ id, number }) =>
      read(repository, id, number).catch((error: unknown) => {
        failures.push(toReason(error));
        return null;
      }),
    ),
  );
  return { attempts: [...known, ...found.filter((one) => one !== null)], failures };
}
