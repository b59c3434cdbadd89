import type { Context, Reply } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import type { JobDetail } from '../../facts/job-repository.ts';
import { type AttemptOfRun, type JobsOfRuns, readRunJobs } from '../../facts/jobs.ts';
import type { Repository } from '../../metrics/kernel/facts.ts';
import { type Coverage, type CoverageReason, missingBecause, toCoverage } from '../kernel/coverage.ts';
import { noteCanonicalName } from '../kernel/notes.ts';
import type { RunsInput } from '../runs/report.ts';

/** The jobs of the completed ones among some runs, and how complete they are. */
export interface JobReading<Run> {
  attempts: JobsOfRuns<Run>['attempts'];
  underWay: number;
  coverage: Domain<typeof Coverage>;
  source: 'live' | 'mixed';
}

/** The newest runs of a workflow, of a repository that the caller is shown to see. */
export async function visibleRuns(input: RunsInput, context: Context, reply: Reply) {
  const { owner, repo, workflow_id: workflowId, per_page: count } = input;
  const codehost = await context.codehost();
  const [repository, listing] = await Promise.all([
    codehost.repositories.get({ owner, repo }),
    codehost.runs.ofWorkflow({ owner, repo }, workflowId, count),
  ]);
  noteCanonicalName(reply, codehost, { owner, repo });
  return { codehost, repository, listing };
}

/** Jobs of runs of a repository that the caller was shown to see. */
export async function readJobs<Run extends AttemptOfRun>(
  repository: Repository,
  runs: readonly Run[],
  detail: JobDetail,
  context: Context,
): Promise<JobReading<Run>> {
  const { jobs, clock } = context.services;
  const codehost = await context.codehost();
  const { attempts, unread, capped, source } = await readRunJobs({ codehost, jobs, clock }, repository, runs, detail);
  const missing = unread.flatMap(({ reason }) => (reason === 'under_way' ? [] : reason));
  const reasons: CoverageReason[] = missing.map((code) => missingBecause[code] ?? 'sub_fetch_failed');
  return {
    attempts,
    underWay: unread.length - missing.length,
    coverage: toCoverage({
      read: attempts.length,
      expected: attempts.length + missing.length,
      reasons: [...reasons, ...(capped ? (['page_cap'] as const) : [])],
    }),
    source,
  };
}
