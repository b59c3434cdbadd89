import { z } from 'zod';
import { conclusions } from '../../metrics/kernel/facts.ts';
import { Coverage } from '../kernel/coverage.ts';
import { provenance } from '../kernel/instants.ts';

const ms = z.int().nullable();
const outcomes = {
  runs: z.int().meta({ description: 'Those that passed or failed.' }),
  success: z.int(),
  failure: z.int().meta({ description: 'Timeouts and failed starts among them.' }),
};
const durations = {
  sample: z.int().meta({ description: 'Durations behind the figures: of those that passed or failed.' }),
  avg_ms: ms,
  p50_ms: ms,
  p90_ms: ms,
  p95_ms: ms,
  max_ms: ms,
};

const JobStatsItem = z
  .object({
    name: z.string().meta({ description: 'Full name: jobs of a matrix stand apart.' }),
    group: z.string().meta({ description: 'The same for all jobs of a matrix: the name before its parameters.' }),
    ...outcomes,
    cancelled: z.int(),
    skipped: z.int(),
    ...durations,
    low_sample: z.boolean().meta({ description: 'Fewer than 20 durations: the 95th percentile is unreliable.' }),
    queue_p50_ms: ms.meta({ description: 'Wait for a runner; null where GitHub does not report it.' }),
    queue_p95_ms: ms,
    queue_sample: z.int().meta({ description: 'Waits behind the two: those of jobs that were read in full.' }),
  })
  .meta({ id: 'JobStatsItem' });

const StepStatsItem = z
  .object({ job: z.string(), step: z.string(), number: z.int(), ...outcomes, ...durations })
  .meta({ id: 'StepStatsItem' });

const WaterfallRun = z
  .object({
    run_id: z.int(),
    run_number: z.int(),
    run_attempt: z.int(),
    jobs: z
      .array(
        z.object({
          name: z.string(),
          conclusion: z.enum(conclusions).nullable(),
          start_offset_ms: z.int().meta({ description: 'From the start of the attempt to the start of the job.' }),
          duration_ms: z.int().meta({ description: 'Start to end, whatever it came to.' }),
          queue_wait_ms: ms,
        }),
      )
      .meta({ description: 'By start; jobs whose times are not known, or of an earlier attempt, are excluded.' }),
  })
  .meta({ id: 'WaterfallRun' });

const CriticalPath = z
  .object({
    definition: z.string(),
    runs: z.int().meta({ description: 'Sampled runs in which a job took time.' }),
    jobs: z
      .array(
        z.object({
          name: z.string(),
          runs_on_path: z.int(),
          share_pct: z.int().meta({ description: 'Of those runs, how many had it on their path.' }),
          median_ms: z.int().meta({ description: 'Time it took on the path, over the runs that had it there.' }),
        }),
      )
      .meta({ description: 'The job most often on the path first.' }),
  })
  .meta({ id: 'CriticalPath' });

/** The tables of the answer that can be had as CSV. */
export const jobTables = ['jobs', 'steps', 'critical_path'] as const;
export type JobTable = (typeof jobTables)[number];

/**
 * Contract of the platform half, section 2.8; `table`, `group`, `p90_ms`, `queue_sample`, `critical_path`,
 * `runs_under_way` on top.
 */
export const JobStatsReport = z
  .object({
    table: z.enum(jobTables).meta({ description: 'The table that CSV gives.' }),
    jobs: z.array(JobStatsItem).meta({ description: 'By name, the longest on average first.' }),
    steps: z.array(StepStatsItem).meta({ description: 'By job, name and number, the longest on average first.' }),
    waterfall: z.array(WaterfallRun).meta({ description: 'The newest 20 sampled runs, newest first.' }),
    critical_path: CriticalPath,
    runs_requested: z.int(),
    runs_sampled: z.int().meta({ description: 'Completed runs among them whose jobs were read.' }),
    runs_under_way: z.int().meta({ description: 'Excluded from every figure.' }),
    coverage: Coverage,
    partial: z.boolean(),
    ...provenance,
  })
  .meta({ id: 'JobStatsReport' });
