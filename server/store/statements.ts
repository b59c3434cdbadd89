import { readStatements } from '../platform/source-files.ts';

/** The statements that read stored runs. */
export const runStatements = readStatements('runs', [
  'page',
  'newest_runs',
  'all_attempts',
  'attempts_by_workflow',
  'superseded_attempts',
  'unfinished_runs',
  'successful_runs',
  'missing_attempts',
  'attempts_without_costs',
  'active_repositories',
]);

/** The statements that count stored runs by workflow. */
export const workflowStatements = readStatements('workflows', [
  'workflow_figures',
  'workflow_days',
  'workflow_flakiness',
  'workflow_costs',
  'stored_windows',
  'runs_of_window',
  'window_outcomes',
  'window_durations',
  'window_waits',
  'longest_passing_jobs',
]);

/** The statements that store runs, webhook deliveries and jobs. */
export const intakeStatements = readStatements('intake', [
  'insert_accounts',
  'upsert_runs',
  'insert_deliveries',
  'delete_run',
  'upsert_jobs',
  'delete_other_jobs',
  'upsert_job_readings',
  'delete_attempt_costs',
  'insert_attempt_costs',
  'renew_job_waits',
  'jobs_of_attempts',
]);

/** The statements that read facts, and how far repositories have been read, and that find things by name. */
export const readingStatements = readStatements('readings', [
  'runs_known_from',
  'run_versions',
  'pull_requests_since',
  'commits_since',
  'issues_since',
  'deployments_since',
  'releases_since',
  'repository_readings',
  'workflows_named',
  'authors_named',
  'logins_among',
]);

/** The statements about commits of merged pull requests. */
export const commitStatements = readStatements('habits', [
  'working_habits',
  'commit_shas',
  'habit_coverage',
  'insert_commits',
  'merged_commits',
  'commit_coverage',
]);

/** Callers, requests, leases, jobs, and what alert rules found. */
export const serviceStatements = readStatements('service', [
  'find_caller_by_session',
  'find_caller_by_account',
  'find_access_token',
  'outdated_shares',
  'note_open',
  'accept_request',
  'count_requests',
  'merge_requests',
  'acquire_lease',
  'renew_lease',
  'fence_lease',
  'abort_orphaned_runs',
  'job_histories',
  'rule_statuses',
  'rule_days',
  'put_rule_state',
  'put_due',
  'due_repositories',
  'claim_daily_digests',
  'claim_weekly_digest',
  'miss_weekly_digests',
  'skip_message_ids',
  'versions_of_scopes',
  'merge_changes',
]);

/** The statements that send traces of runs. */
export const otlpStatements = readStatements('otlp', ['otlp_claim', 'otlp_attempts', 'otlp_jobs', 'otlp_without_jobs']);

/** The statements that note what became of spans. */
export const outcomeStatements = readStatements('otlp-outcomes', [
  'otlp_accept',
  'otlp_pause',
  'otlp_renew',
  'otlp_release',
  'otlp_give_up',
  'otlp_forget',
  'otlp_park',
  'otlp_resend',
  'otlp_drop',
  'otlp_delete_leftovers',
  'otlp_depth',
  'otlp_created_at_rank',
]);

/** The statements of backfills of traces. */
export const backfillStatements = readStatements('otlp-backfill', [
  'otlp_backfill_start',
  'otlp_backfill_due',
  'otlp_backfill_step',
  'otlp_backfill_end',
  'otlp_backfill_list',
  'otlp_backfill_stored',
]);

/** What `/metrics` shows of what is stored. */
export const monitoringStatements = readStatements('monitoring', [
  'service_metrics',
  'queue_metrics',
  'exported_values',
]);

/** The statements that delete what is stored no longer. */
export const retentionStatements = readStatements('retention', [
  'seal_days',
  'workflow_runs',
  'workflow_run_attempts',
  'attempt_costs',
  'attempt_logs',
  'action_downloads',
  'repo_day',
  'commit_facts',
  'repositories_with_old_facts',
  'job_readings',
  'workflow_jobs',
  'webhook_deliveries',
  'merge_queue_notices',
  'pr_marks',
  'ai_comparisons',
  'job_runs',
  'alert_rule_days',
  'alert_events',
  'digest_sends',
  'ref_ledger',
  'use_days',
  'action_releases',
  'advised_refs',
  'advisory_readings',
  'action_refs',
  'action_files',
  'sessions',
  'access_tokens',
  'shares',
  'otlp_sent',
]);
