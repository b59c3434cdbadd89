import { z } from 'zod';
import { Coverage } from '../kernel/coverage.ts';
import { provenance } from '../kernel/instants.ts';

const ms = z.int().nullable();

const RunnerStatsItem = z
  .object({
    runner_name: z.string().meta({ description: 'The machine when it is your own, otherwise its labels.' }),
    runner_group_name: z.string().nullable().meta({ description: 'null when unknown, or not the same for all jobs.' }),
    kind: z.enum(['hosted', 'larger', 'self_hosted', 'unassigned']).meta({
      description: 'Jobs that no runner took are counted in `unassigned_jobs` and form no row.',
    }),
    os: z.enum(['linux', 'macos', 'windows']).nullable(),
    labels: z.array(z.string()),
    machines: z.int().meta({ description: 'Distinct runner names: of hosted runners every job has its own.' }),
    job_count: z.int(),
    success: z.int(),
    failure: z.int(),
    failure_rate: z.int().nullable().meta({ description: 'Percent of the jobs that passed or failed.' }),
    sample: z.int().meta({ description: 'Durations behind the figures: of jobs that passed or failed.' }),
    avg_duration_ms: ms,
    p95_duration_ms: ms,
    low_sample: z.boolean().meta({ description: 'Fewer than 20 durations: the 95th percentile is unreliable.' }),
    busy_minutes: z.number().meta({ description: 'Time of all jobs on these runners, whatever they came to.' }),
    queue_p50_ms: ms,
    queue_p95_ms: ms,
    queue_sample: z.int(),
    est_cost: z.number().nullable().meta({
      description: 'US dollars at list prices, an estimate; null where the price of a job is not known.',
    }),
  })
  .meta({ id: 'RunnerStatsItem' });

/** Contract of the platform half, section 2.17; samples and `coverage` on top. */
export const RunnerStatsReport = z
  .object({
    runners: z.array(RunnerStatsItem).meta({ description: 'Most jobs first.' }),
    total_runs: z.int().meta({ description: 'Completed runs, the newest `per_page`; fewer where there are fewer.' }),
    fetched_runs: z.int().meta({ description: 'Of these, runs whose jobs were read.' }),
    total_jobs: z.int(),
    unassigned_jobs: z.int().meta({ description: 'Skipped ones, and others that no runner took.' }),
    unique_runners: z.int().meta({ description: 'Rows: own machines, and kinds of hosted ones.' }),
    coverage: Coverage,
    partial: z.boolean(),
    ...provenance,
  })
  .meta({ id: 'RunnerStatsReport' });
