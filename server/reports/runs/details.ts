import { z } from 'zod';
import type { Context, Reply } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import type { Listing } from '../../codehost/client/client.ts';
import { readRunJobs } from '../../facts/jobs.ts';
import { conclusions, type RepositoryName, type WorkflowJob } from '../../metrics/kernel/facts.ts';
import { getSpan, jobDuration, jobQueueWait, jobsInOrder, stepsInOrder } from '../../metrics/runs/jobs.ts';
import { Problem } from '../../platform/problem.ts';
import { instant } from '../kernel/instants.ts';
import { noteCanonicalName, noteListing, noteTotal, readListing } from '../kernel/notes.ts';

const Conclusion = z.enum(conclusions).nullable();
const Ms = z.int().nullable();

const StepItem = z.object({
  number: z.int(),
  name: z.string(),
  status: z.string(),
  conclusion: Conclusion,
  started_at: instant.nullable(),
  completed_at: instant.nullable(),
  duration_ms: Ms,
});

export const JobItem = z
  .object({
    id: z.int(),
    name: z.string(),
    workflow_name: z.string().nullable(),
    status: z.string(),
    conclusion: Conclusion,
    created_at: instant.nullable(),
    started_at: instant.nullable(),
    completed_at: instant.nullable(),
    duration_ms: Ms,
    queue_wait_ms: Ms,
    run_attempt: z.int(),
    runner_name: z.string().nullable(),
    runner_group_name: z.string().nullable(),
    labels: z.array(z.string()),
    html_url: z.string(),
    steps: z.array(StepItem),
  })
  .meta({ id: 'JobItem' });

interface RunDetailsInput extends RepositoryName {
  run_id: number;
  attempt?: number | undefined;
}

/** The jobs of one run: of its latest attempt, or of the requested attempt, which is stored once it has ended. */
export async function runDetails(input: RunDetailsInput, context: Context, reply: Reply) {
  const { attempt, run_id: runId } = input;
  if (attempt !== undefined) return (await readAttempt({ ...input, attempt }, context, reply)).map(jobItem);
  const jobs = await readListing(input, context, reply, (codehost, name) => codehost.jobs.ofRun(name, runId));
  return jobsInOrder(jobs).map(jobItem);
}

async function readAttempt(
  input: RunDetailsInput & { attempt: number },
  context: Context,
  reply: Reply,
): Promise<WorkflowJob[]> {
  const { owner, repo, run_id: runId, attempt } = input;
  const { jobs: jobRepository, clock } = context.services;
  const codehost = await context.codehost();
  const note = (jobs: WorkflowJob[], listing: Omit<Listing<unknown>, 'items' | 'totalCount'>) => {
    noteListing(reply, listing);
    noteTotal(reply, { ...listing, items: jobs, totalCount: null });
    noteCanonicalName(reply, codehost, { owner, repo });
    return jobsInOrder(jobs);
  };
  const now = { partial: false, stale: false, asOf: clock.now() };
  const own = codehost.jobs.recallCompleted({ owner, repo }, runId, attempt);
  if (own) return note(own.items, { ...own, asOf: now.asOf });
  const repository = await codehost.repositories.get({ owner, repo });
  const [stored] = await jobRepository.of(repository, [{ runId, attempt }]);
  if (stored?.detail === 'full') return note(stored.jobs, now);
  const run = await codehost.runs.attempt({ owner, repo }, runId, attempt);
  if (!run) throw new Problem('not_found', 'There is no such attempt of this run.');
  if (run.status !== 'completed') {
    const listing = await codehost.jobs.ofRun({ owner, repo }, runId, attempt);
    return note(listing.items, listing);
  }
  const { attempts, unread, capped } = await readRunJobs(
    { codehost, jobs: jobRepository, clock },
    repository,
    [run],
    'full',
  );
  if (unread.length > 0) throw new Problem('not_found', 'There is no such attempt of this run.');
  return note(
    attempts.flatMap(({ jobs }) => jobs),
    { ...now, partial: capped },
  );
}

const jobItem = (job: WorkflowJob): Domain<typeof JobItem> => ({
  ...job,
  durationMs: jobDuration(job),
  queueWaitMs: jobQueueWait(job),
  runAttempt: job.attempt,
  runnerGroupName: job.runnerGroup,
  steps: stepsInOrder(job).map((step) => ({ ...step, durationMs: getSpan(step) })),
});
