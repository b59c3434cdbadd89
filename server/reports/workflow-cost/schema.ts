import { z } from 'zod';
import { wasteClasses } from '../../metrics/cost/waste.ts';
import { Coverage } from '../kernel/coverage.ts';
import { instant, provenance } from '../kernel/instants.ts';

const usd = z
  .number()
  .nullable()
  .meta({ description: 'USD, estimated; null when no part of it is known, or only free ones.' });
const cost = {
  est_cost: usd,
  minutes: z.number().meta({ description: 'Full minutes of each job.' }),
  jobs: z.int(),
  unknown_jobs: z.int().meta({ description: 'Jobs whose cost is unknown; `est_cost` lacks them.' }),
};

/** The tables of the answer that can be had as CSV, by the name of their field. */
export const costTables = ['runs', 'waste', 'pull_requests'] as const;
export type CostTable = (typeof costTables)[number];

export const WorkflowCostReport = z
  .object({
    table: z.enum(costTables).meta({ description: 'The table that CSV gives.' }),
    repo: z.string(),
    workflow_id: z.int(),
    visibility: z.enum(['public', 'private', 'internal']).meta({ description: 'Standard runners are free in public.' }),
    runs_requested: z.int(),
    runs_costed: z.int(),
    runs_under_way: z.int(),
    total: z.object(cost),
    est_cost_sample: z.int().meta({ description: 'Runs behind the total.' }),
    median_run_cost: usd,
    median_run_cost_sample: z.int().meta({ description: 'Runs whose jobs all have a known price.' }),
    cost_per_pull_request: usd.meta({ description: 'Median, of the runs among those read.' }),
    cost_per_pull_request_sample: z.int(),
    runs: z
      .array(
        z.object({
          run_id: z.int(),
          run_number: z.int(),
          html_url: z.string(),
          display_title: z.string().nullable(),
          head_branch: z.string().nullable(),
          event: z.string(),
          conclusion: z.string().nullable(),
          created_at: instant,
          attempts: z.int().meta({ description: 'Those whose jobs are known.' }),
          ...cost,
        }),
      )
      .meta({ description: 'Newest first.' }),
    pull_requests: z
      .array(
        z.object({
          number: z.int().nullable().meta({ description: 'null for a pull request known by its branch alone.' }),
          head_branch: z.string().nullable(),
          runs: z.int(),
          ...cost,
        }),
      )
      .meta({ description: 'Most expensive first.' }),
    waste: z
      .array(z.object({ class: z.enum(wasteClasses), definition: z.string(), attempts: z.int(), ...cost }))
      .meta({ description: 'An attempt is in one class at most.' }),
    wasted_minutes: z.number(),
    wasted_cost: usd,
    wasted_cost_sample: z.int(),
    attempts_judged: z.int(),
    coverage: Coverage.meta({ description: 'Counted in attempts.' }),
    partial: z.boolean(),
    ...provenance,
  })
  .meta({ id: 'WorkflowCostReport' });
