import type { Context, Reply } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import type { LiveWorkflowRun } from '../../metrics/kernel/facts.ts';
import { criticalPath, criticalPathDefinition } from '../../metrics/runs/critical-path.ts';
import { jobsByName, stepsByName, toWaterfall } from '../../metrics/runs/job-stats.ts';
import { newestFirst } from '../../metrics/runs/workflow-runs.ts';
import { noteListing } from '../kernel/notes.ts';
import type { RunsInput } from '../runs/report.ts';
import { type JobReading, readJobs, visibleRuns } from './reading.ts';
import type { JobStatsReport, JobTable } from './schema.ts';

type Answer = Domain<typeof JobStatsReport>;

export interface JobStatsInput extends RunsInput {
  table: JobTable;
}

/** Jobs and steps of the completed ones among the newest runs of a workflow, each run by its latest attempt. */
export async function jobStatsReport(input: JobStatsInput, context: Context, reply: Reply): Promise<Answer> {
  const { repository, listing } = await visibleRuns(input, context, reply);
  const { attempts, underWay, coverage, source } = await readJobs(repository, listing.items, 'times', context);
  noteListing(reply, { ...listing, partial: !coverage.complete });
  const jobs = attempts.flatMap((one) => one.jobs);
  return {
    table: input.table,
    jobs: jobsByName(jobs),
    steps: stepsByName(jobs),
    waterfall: computeNewestWaterfall(attempts),
    criticalPath: { definition: criticalPathDefinition, ...criticalPath(attempts) },
    runsRequested: input.per_page,
    runsSampled: attempts.length,
    runsUnderWay: underWay,
    coverage,
    partial: !coverage.complete,
    generatedAt: listing.asOf,
    dataSource: source,
  };
}

type Attempts = JobReading<LiveWorkflowRun>['attempts'];

const maxBars = 20;

function computeNewestWaterfall(attempts: Attempts): Answer['waterfall'] {
  const jobsByRun = new Map(attempts.map(({ run, jobs }) => [run, jobs]));
  return newestFirst([...jobsByRun.keys()])
    .slice(0, maxBars)
    .map((run) => ({
      runId: run.id,
      runNumber: run.runNumber,
      runAttempt: run.attempt,
      jobs: toWaterfall(run, jobsByRun.get(run) ?? []),
    }));
}
