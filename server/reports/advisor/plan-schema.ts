import { z } from 'zod';
import { certainties } from '../../advisor/kind.ts';
import { instant, provenance } from '../kernel/instants.ts';
import { Band, predictionReason } from './effect.ts';

/** What several recommendations save together. */
export const PlanTotal = z
  .object({
    recommendations: z.int().meta({
      description: 'Those counted: certain to save something, without ADV-07, which may hide failures.',
    }),
    minutes_before: z.int().meta({
      description: 'Billable minutes of all workflows in 28 unchanged days, of the repositories that are judged.',
    }),
    minutes_saved: Band,
    cost_saved: Band.nullable().meta({
      description:
        'USD at list prices; null where less than 95 % of the minutes have a known price, and without the feature costAnalytics.',
    }),
    reduction_pct: Band.meta({ description: 'Of the minutes of all workflows.' }),
    per: z.literal('28 days'),
  })
  .meta({ id: 'AdvisorPlanTotal' });

export const planStates = ['open', 'in_pull_request', 'merged'] as const;

const rows = z.int().meta({ description: 'Rows that match the other choices and this one.' });

const Facets = z.object({
  repository: z.array(z.object({ value: z.string(), rows })),
  kind: z.array(z.object({ value: z.string(), title: z.string(), rows })),
  state: z.array(z.object({ value: z.enum(planStates), rows })),
});

const PlanRow = z.object({
  owner: z.string(),
  repo: z.string(),
  id: z.string(),
  workflow_path: z.string(),
  anchor: z.string().meta({ description: 'The node of the file, such as jobs.test.strategy.' }),
  kind: z.string(),
  title: z.string(),
  certainty: z.enum(certainties),
  alone: z
    .object({ minutes_saved: Band, cost_saved: Band.nullable() })
    .nullable()
    .meta({ description: 'By itself; null where nothing is predicted, or that runs end earlier or cost less.' }),
  shortens_runs: z.boolean().meta({ description: 'Whether runs are predicted to end earlier.' }),
  costs_less: z.boolean().meta({ description: 'Whether another runner is predicted to cost less.' }),
  marginal: z
    .object({ minutes_saved: z.int(), cost_saved: z.number().nullable() })
    .nullable()
    .meta({ description: 'What it adds to the rows before it; null where it has no part in the total.' }),
  state: z.enum(planStates).meta({ description: 'merged: since the repository was judged.' }),
  href: z.string().meta({ description: 'The page of the recommendation.' }),
});

/** What the recommendations save together; contract of the advisor, section 6.4. */
export const Plan = z
  .object({
    scope: z.object({ org: z.string().nullable(), owner: z.string().nullable(), repo: z.string().nullable() }),
    repositories: z.object({
      seen: z.int().meta({ description: 'Those that the caller can see.' }),
      judged: z.int().meta({ description: 'Those whose history can be replayed.' }),
      without_history: z.int(),
      failed_calibration: z.int(),
    }),
    total: PlanTotal.nullable().meta({ description: 'null where none is certain to save anything.' }),
    rows: z.array(PlanRow).meta({
      description:
        'The largest saving first; the marginals of a repository add up to its total. Then those that have no part in it.',
    }),
    rows_total: z.int().meta({ description: 'Those that match, on all pages.' }),
    security_rows: z.int().meta({ description: 'Those of `rows_total` that are about security; they come last.' }),
    facets: Facets.meta({ description: 'What rows can be filtered by; the total is of all.' }),
    skipped: z.array(z.object({ repo: z.string(), reason: predictionReason })),
    as_of: instant.nullable().meta({ description: 'When the one judged longest ago was; null where none was.' }),
    cost_hidden: z.boolean(),
    hidden_kinds: z.array(z.string()).meta({
      description: 'Kinds not shown because the feature securityScan is not granted.',
    }),
    partial: z.boolean(),
    ...provenance,
  })
  .meta({ id: 'AdvisorPlan' });
