import type { z } from 'zod';
import type { Context, Reply } from '../access/context.ts';
import { criticalPath, criticalPathDefinition } from '../metrics/critical-path.ts';
import type { LiveWorkflowRun } from '../metrics/facts.ts';
import { jobsByName, type NamedJobFigures, type StepFigures, stepsByName, waterfallOf } from '../metrics/job-stats.ts';
import type { DurationFigures } from '../metrics/jobs.ts';
import { newestFirst } from '../metrics/workflow-runs.ts';
import { iso } from './instants.ts';
import { type JobReading, readJobs, visibleRuns } from './job-stats-reading.ts';
import type { JobStatsReport, JobTable } from './job-stats-schema.ts';
import { noteListing } from './notes.ts';
import type { RunsInput } from './workflow-runs.ts';

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
    jobs: jobsByName(jobs).map(jobItem),
    steps: stepsByName(jobs).map(stepItem),
    waterfall: waterfallOfNewest(attempts),
    critical_path: criticalPathItem(attempts),
    runs_requested: input.per_page,
    runs_sampled: attempts.length,
    runs_under_way: underWay,
    coverage,
    partial: !coverage.complete,
    generated_at: iso(listing.asOf),
    data_source: source,
  };
}

type Attempts = JobReading<LiveWorkflowRun>['attempts'];

const mostBars = 20;

function waterfallOfNewest(attempts: Attempts): Answer['waterfall'] {
  const jobsOf = new Map(attempts.map(({ run, jobs }) => [run, jobs]));
  return newestFirst([...jobsOf.keys()])
    .slice(0, mostBars)
    .map((run) => ({
      ...{ run_id: run.id, run_number: run.runNumber, run_attempt: run.attempt },
      jobs: waterfallOf(run, jobsOf.get(run) ?? []).map((job) => ({
        ...{ name: job.name, conclusion: job.conclusion },
        ...{ start_offset_ms: job.startOffsetMs, duration_ms: job.durationMs, queue_wait_ms: job.queueWaitMs },
      })),
    }));
}

function criticalPathItem(attempts: Attempts): Answer['critical_path'] {
  const { runs, jobs } = criticalPath(attempts);
  return {
    definition: criticalPathDefinition,
    runs,
    jobs: jobs.map(({ name, runsOnPath, sharePct, medianMs }) => ({
      ...{ name, runs_on_path: runsOnPath, share_pct: sharePct, median_ms: medianMs },
    })),
  };
}

const durations = ({ sample, avgMs, p50Ms, p95Ms, maxMs }: DurationFigures) => ({
  ...{ sample, avg_ms: avgMs, p50_ms: p50Ms, p95_ms: p95Ms, max_ms: maxMs },
});

const jobItem = (one: NamedJobFigures): Answer['jobs'][number] => ({
  ...{ name: one.name, group: one.group, runs: one.runs, success: one.success, failure: one.failure },
  ...{ cancelled: one.cancelled, skipped: one.skipped },
  ...durations(one),
  low_sample: one.lowSample,
  ...{ queue_p50_ms: one.queueP50Ms, queue_p95_ms: one.queueP95Ms, queue_sample: one.queueSample },
});

const stepItem = (one: StepFigures): Answer['steps'][number] => ({
  ...{ job: one.job, step: one.step, number: one.number },
  ...{ runs: one.runs, success: one.success, failure: one.failure },
  ...durations(one),
});
