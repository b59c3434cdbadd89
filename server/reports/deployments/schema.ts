import { z } from 'zod';
import { Interval, TierName } from '../delivery/schema.ts';
import { Coverage } from '../kernel/coverage.ts';
import { instant, provenance } from '../kernel/instants.ts';
import { verdict } from '../kernel/verdict.ts';

/** Where the statuses of a deployment could not be read, it is not known how many succeeded. */
const ofOutcome = z.int().nullable().meta({
  description: 'null, like every figure of outcomes, where the statuses of a counted deployment could not be read.',
});

const Environment = z.object({
  environment: z.string(),
  is_production: z.boolean(),
  is_rest: z.boolean().meta({ description: 'Combines all environments beyond the first twenty.' }),
  total: z.int(),
  success: ofOutcome,
  failed: ofOutcome,
  inconclusive: ofOutcome,
  deploys_per_day: z.number().nullable(),
  failure_rate_pct: z.int().nullable(),
  failure_rate_interval: Interval,
  mttr_hours: z.number().nullable(),
  mttr_median_hours: z.number().nullable(),
  mttr_samples: z.int(),
  open_failure_since: instant.nullable().meta({ description: 'Failing since: first failure of an unresolved streak.' }),
});

export const RecentDeployment = z.object({
  id: z.int(),
  environment: z.string(),
  created_at: instant,
  sha: z.string(),
  ref: z.string().nullable(),
  creator: z
    .string()
    .nullable()
    .meta({ description: 'null for a deleted account, and where `creator_unread` is true.' }),
  creator_is_bot: z.boolean().nullable().meta({ description: 'null where there is no `creator`.' }),
  creator_unread: z.boolean().meta({ description: 'true where an error hid who created it.' }),
  url: z.string().nullable(),
  state: z
    .enum(['error', 'failure', 'in_progress', 'inactive', 'pending', 'queued', 'waiting', 'success'])
    .nullable()
    .meta({ description: 'The newest status.' }),
  status_at: instant.nullable(),
  outcome: z.enum(['success', 'failed', 'inconclusive']).nullable().meta({
    description: 'The result of the complete history; null where the statuses could not be read.',
  }),
  superseded: z.boolean(),
  is_rollback: z.boolean().nullable().meta({ description: 'null when nothing shows it.' }),
});

const DayOfEnvironment = z.object({
  date: z.iso.date(),
  environment: z.string(),
  success: z.int(),
  failed: z.int(),
  inconclusive: z.int(),
  unread: z.int().meta({ description: 'Those whose statuses could not be read.' }),
});

/** Deployments of a repository over 30 days; contract of the platform half, section 2.26. */
export const DeploymentsReport = z
  .object({
    repo: z.string(),
    source: z.enum(['deployments', 'none', 'stale']),
    production_environment: z.string().nullable(),
    production_candidates: z.array(z.string()),
    total_deployments: z.int().meta({ description: 'Of production, as all counts beside it.' }),
    successful: ofOutcome,
    failed: ofOutcome,
    inconclusive: ofOutcome,
    deploys_per_day: z.number().nullable(),
    change_failure_rate_pct: z.int().nullable(),
    mttr_hours: z.number().nullable(),
    mttr_samples: z.int(),
    tiers: z.object({ deployment_frequency: TierName, change_failure_rate: TierName, mttr: TierName }),
    by_environment: z.array(Environment).meta({ description: 'Production first, then by number of deployments.' }),
    recent: z.array(RecentDeployment).meta({ description: 'The newest 15 of the window, of all environments.' }),
    days: z.array(z.iso.date()).meta({ description: 'Days of the window that were read, in the team zone.' }),
    by_day: z.array(DayOfEnvironment).meta({ description: 'Days with a deployment, in the team zone.' }),
    by_day_before: z
      .array(DayOfEnvironment)
      .nullable()
      .meta({ description: 'Of the previous 30 days; null when they are not known from their start on.' }),
    last_7_days: z
      .object({ successful: z.int(), failed: z.int() })
      .nullable()
      .meta({ description: 'Of production; null without any, and when not all are known.' }),
    period_before: z
      .object({
        finished: z.int(),
        failed: z.int().meta({ description: 'Of `finished`.' }),
        deploys_per_day: z.number().nullable(),
        change_failure_rate_pct: z.int().nullable(),
        mttr_hours: z.number().nullable(),
        mttr_samples: z.int(),
        deploys_per_day_verdict: verdict,
        change_failure_rate_verdict: verdict,
        time_to_restore_verdict: verdict,
      })
      .nullable()
      .meta({
        description: 'Of production in the previous 30 days; null when they are not known from their start on.',
      }),
    all_time_count: z.int().nullable().meta({ description: 'null where GitHub’s own count could not be read.' }),
    newest_deployment_at: instant.nullable(),
    newest_deployment_age_days: z.number().nullable(),
    period_days: z.literal(30),
    covers_from: instant.meta({ description: 'The oldest instant of the window from which on all were read.' }),
    partial: z.boolean(),
    coverage: Coverage,
    timezone: z.string(),
    ...provenance,
  })
  .meta({ id: 'DeploymentsReport' });
