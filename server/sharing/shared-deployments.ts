import { z } from 'zod';
import { DeploymentsReport, RecentDeployment } from '../reports/deployments/schema.ts';

/** What is known of a deployment without who made it, and without its branch, which may be called after somebody. */
const SharedDeployment = RecentDeployment.pick({
  id: true,
  environment: true,
  created_at: true,
  sha: true,
  state: true,
  status_at: true,
  outcome: true,
  superseded: true,
  is_rollback: true,
}).transform((deployment) => ({
  ...deployment,
  ref: null,
  creator: null,
  creator_is_bot: null,
  creator_unread: false,
  url: null,
}));

export const SharedDeployments = DeploymentsReport.pick({
  repo: true,
  source: true,
  production_environment: true,
  production_candidates: true,
  total_deployments: true,
  successful: true,
  failed: true,
  inconclusive: true,
  deploys_per_day: true,
  change_failure_rate_pct: true,
  mttr_hours: true,
  mttr_samples: true,
  tiers: true,
  by_environment: true,
  days: true,
  by_day: true,
  last_7_days: true,
  period_before: true,
  all_time_count: true,
  newest_deployment_at: true,
  newest_deployment_age_days: true,
  period_days: true,
  covers_from: true,
  partial: true,
  coverage: true,
  timezone: true,
  generated_at: true,
  data_source: true,
}).extend({ recent: z.array(SharedDeployment) });
