import type { z } from 'zod';
import type { Context, Reply } from '../../access/context.ts';
import { toWire } from '../../domain/wire.ts';
import type { LiveWorkflowRun } from '../../metrics/kernel/facts.ts';
import { criticalPath, criticalPathDefinition } from '../../metrics/runs/critical-path.ts';
import { jobsByName, stepsByName, toWaterfall } from '../../metrics/runs/job-stats.ts';
import { newestFirst } from '../../metrics/runs/workflow-runs.ts';
import { noteListing } from '../kernel/notes.ts';
import type { RunsInput } from '../runs/report.ts';
import { type JobReading, readJobs, visibleRuns } from './reading.ts';
import type { JobStatsReport, JobTable } from './schema.ts';

type Answer = z.input<typeof JobStatsReport>;

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
    jobs: toWire(jobsByName(jobs)),
    steps: toWire(stepsByName(jobs)),
    waterfall: computeNewestWaterfall(attempts),
    critical_path: { definition: criticalPathDefinition, ...toWire(criticalPath(attempts)) },
    runs_requested: input.per_page,
    runs_sampled: attempts.length,
    runs_under_way: underWay,
    coverage,
    partial: !coverage.complete,
    generated_at: listing.asOf,
    data_source: source,
  };
}

type Attempts = JobReading<LiveWorkflowRun>['attempts'];

const maxBars = 20;

function computeNewestWaterfall(attempts: Attempts): Answer['waterfall'] {
  const jobsByRun = new Map(attempts.map(({ run, jobs }) => [run, jobs]));
  return newestFirst([...jobsByRun.keys()])
    .slice(0, maxBars)
    .map((run) => ({
      run_id: run.id,
      run_number: run.runNumber,
      run_attempt: run.attempt,
      jobs: toWire(toWaterfall(run, jobsByRun.get(run) ?? [])),
    }));
}
