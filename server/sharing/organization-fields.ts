import type { z } from 'zod';
import type { OrgOverview } from '../reports/organization/report.ts';
import type { ScorecardReport } from '../reports/scorecard/report.ts';
import { coverageFields, runSummaryFields } from './common-fields.ts';
import { hidden, type SharedFields } from './fields.ts';

/** Without descriptions, and without what the maker of the link is to a repository. */
const repositoryFields = {
  id: true,
  name: true,
  owner: true,
  full_name: true,
  html_url: hidden,
  language: true,
  private: true,
  visibility: true,
  stargazers_count: true,
  updated_at: true,
  pushed_at: true,
  archived: true,
  fork: true,
  owner_type: true,
} as const;

export const organizationFields: SharedFields<z.output<typeof OrgOverview>> = {
  org: true,
  total_repos: true,
  archived_repos: true,
  active_repos: true,
  active_scope: true,
  repos_attempted: true,
  repos_failed: true,
  limit: true,
  aggregate: {
    window_days: true,
    total_runs: true,
    uncounted_repos: true,
    pooled_success_rate: true,
    pooled_success_rate_sample: true,
    pooled_passed_runs: true,
    avg_success_rate: true,
    avg_success_rate_sample: true,
  },
  before: {
    active_repos: true,
    total_runs: true,
    pooled_success_rate: true,
    pooled_success_rate_sample: true,
    pooled_passed_runs: true,
  },
  verdicts: { pooled_success_rate: true },
  repos: {
    repo: repositoryFields,
    summary: runSummaryFields,
    workflow_count: true,
    runs_30d: true,
    partial: true,
  },
  partial: true,
  coverage: coverageFields,
  generated_at: true,
  data_source: true,
};

/** How many people know a repository is a number; who they are is not part of the answer. */
const scoreFields = {
  owner: true,
  repo: true,
  composite_score: true,
  risk_band: true,
  dora_level: true,
  delivery_source: true,
  delivery_tiers: { deployment_frequency: true, lead_time: true, change_failure_rate: true, time_to_restore: true },
  tier_score: true,
  overall_bus_factor: true,
  bus_factor_score: true,
  critical_modules: true,
  trend: true,
  reasons: true,
  partial: true,
  partial_reasons: true,
} as const;

export const healthFields: SharedFields<z.output<typeof ScorecardReport>> = {
  org: true,
  limit: true,
  selection: true,
  repos: scoreFields,
  repos_eligible: true,
  repos_attempted: true,
  repos_analysed: true,
  bands: { at_risk: true, watch: true, healthy: true, insufficient_data: true },
  median_score: true,
  skipped: { repo: true, reason: true },
  computing: true,
  next_repo: true,
  computed_at: true,
  partial: true,
  coverage: coverageFields,
  generated_at: true,
  data_source: true,
};
