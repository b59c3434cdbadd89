import { Migration } from '@mikro-orm/migrations';
import { readSection, readSql } from '../server/platform/source-files.ts';

/** Made from the entities; the rest is what they cannot express. */
export class Migration20261123000000_baseline extends Migration {
  override up() {
    this.addSql(
      `create table "accounts" ("id" bigint not null, "login" text not null, "avatar_url" text not null, "is_bot" boolean not null, primary key ("id"))`,
    );

    this.addSql(
      `create table "ai_cache" ("key" text not null, "payload" jsonb not null, "created_at" timestamptz not null, "expires_at" timestamptz not null, primary key ("key"))`,
    );
    this.addSql(`create index "ai_cache_by_expiry" on "ai_cache" ("expires_at")`);

    this.addSql(
      `create table "ai_usage_daily" ("day" date not null, "prompt_tokens" bigint not null default '0', "completion_tokens" bigint not null default '0', "reserved" bigint not null default '0', "calls" int not null default 0, primary key ("day"))`,
    );

    this.addSql(
      `create table "alert_due" ("repo_id" int not null, "since" timestamptz not null, primary key ("repo_id"))`,
    );

    this.addSql(
      `create table "alert_rules" ("id" serial primary key, "scope" text not null, "scope_kind" text not null, "scope_key" text not null, "metric" text not null, "threshold" double precision not null, "window_hours" int not null, "min_sample" int null, "channel" text not null, "destination" text null, "enabled" boolean not null, "muted_until" timestamptz null, "owner_note" text null, "delivery_failing_since" timestamptz null, "created_by" text not null, "created_at" timestamptz not null, "updated_by" text not null, "updated_at" timestamptz not null)`,
    );
    this.addSql(`create index "alert_rules_enabled" on "alert_rules" ("scope_key") where enabled`);
    this.addSql(
      `create unique index alert_rules_once on alert_rules (scope_key, metric, threshold, window_hours, channel, coalesce(destination, ''))`,
    );

    this.addSql(
      `create table "alert_events" ("id" bigserial primary key, "rule_id" int null, "scope" text not null, "scope_key" text not null, "repo_id" int null, "metric" text not null, "threshold" double precision not null, "window_hours" int not null, "value" double precision null, "sample_size" int not null, "source" text not null, "computed_at" timestamptz not null, "fired_at" timestamptz not null, "details" jsonb not null, "channel" text not null, "destination" text null, "delivery_status" text not null, "delivery_attempts" int not null default 0, "delivery_error" text null, "digest_id" bigint null, "digest_sent_at" timestamptz null, "resolved_at" timestamptz null, "is_test" boolean not null)`,
    );
    this.addSql(`create index "alert_events_newest" on "alert_events" ("fired_at" DESC, "id" DESC)`);
    this.addSql(`create index "alert_events_of_scope" on "alert_events" ("scope_key", "fired_at" DESC, "id" DESC)`);
    this.addSql(`create index "alert_events_open" on "alert_events" ("rule_id", "repo_id") where resolved_at is null`);
    this.addSql(`create index "alert_events_pending" on "alert_events" ("id") where delivery_status = 'pending'`);
    this.addSql(
      `create index "alert_events_batched" on "alert_events" ("destination") where delivery_status = 'batched'`,
    );

    this.addSql(
      `create table "alert_rule_state" ("rule_id" int not null, "repo_id" int not null, "last_fired_at" timestamptz null, "last_evaluated_at" timestamptz not null, "last_value" double precision null, "last_sample" int not null, "breaching" boolean not null, "incomplete" text null, "judged" boolean not null default false, primary key ("rule_id", "repo_id"))`,
    );

    this.addSql(
      `create table "audit_log" ("id" bigint not null, "at" timestamptz not null, "category" text not null, "action" text not null, "actor_id" bigint null, "actor_login" text not null, "target_type" text not null, "target" text not null, "before" jsonb null, "after" jsonb null, "request_id" text null, "note" text null, "previous_hash" bytea null, "hash" bytea not null, primary key ("id"))`,
    );
    this.addSql(`create index "audit_log_by_category" on "audit_log" ("category", "id" DESC)`);

    this.addSql(
      `create table "branch_commits" ("repo_id" int not null, "sha" text not null, "author_id" bigint null, "author_name" text not null, "authored_at" timestamptz not null, "committed_at" timestamptz not null, "parents" int not null, "additions" int null, "deletions" int null, "changed_files" int null, primary key ("repo_id", "sha"))`,
    );
    this.addSql(`create index "branch_commits_by_time" on "branch_commits" ("repo_id", "committed_at" DESC)`);

    this.addSql(
      `create table "cached_answers" ("key" text not null, "value" jsonb not null, "made_at" timestamptz not null, "expires_at" timestamptz not null, primary key ("key"))`,
    );

    this.addSql(
      `create table "deployment_facts" ("repo_id" int not null, "id" bigint not null, "environment" text not null, "created_at" timestamptz not null, "sha" text not null, "ref" text null, "creator_id" bigint null, "statuses" jsonb not null, "url" text null, primary key ("repo_id", "id"))`,
    );
    this.addSql(`create index "deployment_facts_by_time" on "deployment_facts" ("repo_id", "created_at" DESC)`);

    this.addSql(
      `create table "digest_sends" ("id" bigserial primary key, "kind" text not null, "slot" text not null, "rule_id" int null, "destination" text not null, "status" text not null, "attempts" int not null default 0, "events" int not null, "error" text null, "started_at" timestamptz not null, "finished_at" timestamptz null)`,
    );
    this.addSql(`create index "digest_sends_open" on "digest_sends" ("kind") where status = 'claimed'`);
    this.addSql(
      `create unique index "digest_sends_weekly" on "digest_sends" ("rule_id", "slot") where kind = 'leadership'`,
    );

    this.addSql(`create table "dirty_day" ("id" bigserial primary key, "repo_id" int not null, "day" date not null)`);
    this.addSql(`create index "dirty_day_by_repo" on "dirty_day" ("repo_id", "day")`);

    this.addSql(
      `create table "distinct_pairs" ("a_key" text collate "C" not null, "b_key" text collate "C" not null, "a" text not null, "b" text not null, "created_by" text not null, "created_at" timestamptz not null, primary key ("a_key", "b_key"))`,
    );

    this.addSql(
      `create table "filed_issues" ("operation_id" uuid not null, "codehost_id" bigint not null, "idempotency_key" text null, "request_hash" text not null, "subject_hash" text not null, "claimed_at" bigint not null, "lease_until" bigint not null, "number" int null, "html_url" text null, "issue_created_at" bigint null, primary key ("operation_id"))`,
    );
    this.addSql(`create index "filed_issues_by_age" on "filed_issues" ("claimed_at")`);
    this.addSql(
      `alter table "filed_issues" add constraint "filed_issues_codehost_id_idempotency_key_unique" unique ("codehost_id", "idempotency_key")`,
    );

    this.addSql(
      `create table "group_permissions" ("group_name" text not null, "flag" text not null, "granted" boolean not null, "updated_by" text not null, "updated_at" timestamptz not null, primary key ("group_name", "flag"))`,
    );

    this.addSql(
      `create table "identity_links" ("alias_key" text collate "C" not null, "alias" text not null, "primary_key" text collate "C" not null, "primary_login" text not null, "created_by" text not null, "created_at" timestamptz not null, primary key ("alias_key"))`,
    );
    this.addSql(`create index "identity_links_by_primary" on "identity_links" ("primary_key")`);

    this.addSql(
      `create table "issue_facts" ("repo_id" int not null, "number" int not null, "created_at" timestamptz not null, "updated_at" timestamptz not null, "closed_at" timestamptz null, "close_reason" text null, "closed_by_bot" boolean not null, "author_id" bigint null, "labels" jsonb not null, "assignees" jsonb not null, "comments" int not null, "html_url" text not null, primary key ("repo_id", "number"))`,
    );
    this.addSql(
      `create index issue_facts_by_end on issue_facts (repo_id, coalesce(closed_at, 'infinity'::timestamptz) desc)`,
    );

    this.addSql(
      `create table "job_leases" ("job" text not null, "holder" text not null, "acquired_at" timestamptz not null, "expires_at" timestamptz not null, primary key ("job"))`,
    );

    this.addSql(
      `create table "job_runs" ("id" bigserial primary key, "job" text not null, "slot" text not null, "trigger" text not null, "started_at" timestamptz not null, "finished_at" timestamptz null, "status" text not null, "summary" jsonb not null, "resume_at" timestamptz null)`,
    );
    this.addSql(`create index "job_runs_by_slot" on "job_runs" ("job", "slot")`);
    this.addSql(`create index "job_runs_by_start" on "job_runs" ("job", "started_at" DESC)`);

    this.addSql(
      `create table "mail_status" ("id" boolean not null default true, "last_success_at" timestamptz null, "last_error" text null, "last_error_at" timestamptz null, primary key ("id"))`,
    );

    this.addSql(
      `create table "org_day" ("owner_key" text not null, "day" date not null, "total" int not null, "success" int not null, "failure" int not null, "cancelled" int not null, "skipped" int not null, "timed_out" int not null, "action_required" int not null, "neutral" int not null, "stale" int not null, "startup_failure" int not null, "duration_n" int not null, "duration_sum" bigint not null, "queue_n" int not null, "queue_sum" bigint not null, "p95_ms" bigint null, "hist_b" smallint[] not null, "hist_n" int[] not null, primary key ("owner_key", "day"))`,
    );

    this.addSql(
      `create table "org_member" ("repo_id" int not null, "owner_key" text not null, primary key ("repo_id"))`,
    );
    this.addSql(`create index "org_member_by_owner" on "org_member" ("owner_key")`);

    this.addSql(
      `create table "org_membership_cache" ("codehost_id" bigint not null, "org_key" text collate "C" not null, "role" text not null, "checked_at" timestamptz not null, primary key ("codehost_id", "org_key"))`,
    );

    this.addSql(
      `create table "pr_facts" ("repo_id" int not null, "number" int not null, "author_id" bigint null, "state" text not null, "is_draft" boolean not null, "created_at" timestamptz not null, "updated_at" timestamptz not null, "closed_at" timestamptz null, "merged_at" timestamptz null, "merged_by_id" bigint null, "base_branch" text not null, "head_branch" text not null, "head_sha" text null, "labels" jsonb not null, "additions" int not null, "deletions" int not null, "changed_files" int not null, "commit_count" int not null, "first_commit_at" timestamptz null, "is_revert" boolean not null, "reviews" jsonb not null, "reviews_truncated" boolean not null, "clock" jsonb not null, "html_url" text not null, "commits_synced_at" timestamptz null, "commits_truncated" boolean not null default false, primary key ("repo_id", "number"))`,
    );
    this.addSql(`create index pr_facts_by_end on pr_facts (repo_id, coalesce(merged_at, closed_at) desc)`);
    this.addSql(
      `create index "pr_facts_commits_due" on "pr_facts" ("repo_id", "merged_at" DESC) where merged_at is not null and commits_synced_at is null`,
    );

    this.addSql(
      `create table "commit_facts" ("repo_id" int not null, "pr_number" int not null, "sha" text not null, "position" int not null, "merged_at" timestamptz not null, "author_id" bigint null, "author_name" text not null, "authored_at" timestamptz not null, "is_merge" boolean not null, "additions" int null, "deletions" int null, "changed_files" int null, primary key ("repo_id", "pr_number", "sha"))`,
    );
    this.addSql(
      `create index "commit_facts_by_merge" on "commit_facts" ("repo_id", "merged_at" DESC) include ("pr_number", "author_id", "is_merge", "additions", "deletions", "changed_files")`,
    );

    this.addSql(
      `create table "rate_limits" ("key" text not null, "hits" bigint[] not null, "updated_at" timestamptz not null, primary key ("key"))`,
    );

    this.addSql(
      `create table "release_facts" ("repo_id" int not null, "tag" text not null, "published_at" timestamptz not null, "is_prerelease" boolean not null, "is_draft" boolean not null, "html_url" text not null, primary key ("repo_id", "tag"))`,
    );
    this.addSql(`create index "release_facts_by_time" on "release_facts" ("repo_id", "published_at" DESC)`);

    this.addSql(
      `create table "repos" ("id" serial primary key, "codehost_repo_id" bigint not null, "owner" text not null, "name" text not null, "owner_key" text not null, "name_key" text not null, "html_url" text not null, "private" boolean not null, "default_branch" text null, "archived" boolean not null, "tracked" boolean not null, "tracked_by" text null, "tracked_at" timestamptz null, "unreachable_since" timestamptz null, "last_error_code" text null, "first_run_at" timestamptz null)`,
    );
    this.addSql(`alter table "repos" add constraint "repos_codehost_repo_id_unique" unique ("codehost_repo_id")`);
    this.addSql(
      `alter table "repos" add constraint "repos_owner_key_name_key_unique" unique ("owner_key", "name_key")`,
    );

    this.addSql(
      `create table "job_readings" ("run_id" bigint not null, "run_attempt" int not null, "repo_id" int not null, "detail" text not null, "jobs" int not null, "read_at" timestamptz not null, primary key ("run_id", "run_attempt"))`,
    );
    this.addSql(`create index "job_readings_by_age" on "job_readings" using brin ("read_at")`);
    this.addSql(`create index "job_readings_by_repo" on "job_readings" ("repo_id")`);

    this.addSql(
      `create table "fact_sync_state" ("repo_id" int not null, "kind" text not null, "floor" timestamptz not null, "through" timestamptz not null, "capped" boolean not null, "total" int null, "newest_at" timestamptz null, "open_count" int null, "head" text null, primary key ("repo_id", "kind"))`,
    );

    this.addSql(
      `create table "alert_rule_days" ("rule_id" int not null, "day" date not null, "repo_id" int not null, "highest" double precision not null, primary key ("rule_id", "day", "repo_id"))`,
    );
    this.addSql(`create index "alert_rule_days_by_age" on "alert_rule_days" using brin ("day")`);

    this.addSql(
      `create table "repo_day" ("repo_id" int not null, "day" date not null, "total" int not null, "success" int not null, "failure" int not null, "cancelled" int not null, "skipped" int not null, "timed_out" int not null, "action_required" int not null, "neutral" int not null, "stale" int not null, "startup_failure" int not null, "duration_n" int not null, "duration_sum" bigint not null, "queue_n" int not null, "queue_sum" bigint not null, "p95_ms" bigint null, "hist_b" smallint[] not null, "hist_n" int[] not null, primary key ("repo_id", "day"))`,
    );

    this.addSql(
      `create table "rollup_zone" ("one" boolean not null default true, "zone" text not null, "rebuild_through" bigint not null, "kept_from" timestamptz not null default '-infinity', "sealed_before" date not null default '-infinity', primary key ("one"))`,
    );

    this.addSql(
      `create table "sessions" ("id_hash" bytea not null, "codehost_id" bigint not null, "login" text not null, "created_at" timestamptz not null, "expires_at" timestamptz not null, "revoked_at" timestamptz null, "revoke_reason" text null, "last_seen_at" timestamptz not null, "user_agent_short" text not null, "token_hash" bytea null, primary key ("id_hash"))`,
    );
    this.addSql(`create index "sessions_live" on "sessions" ("codehost_id") where revoked_at is null`);

    this.addSql(
      `create table "settings" ("key" text not null, "value" jsonb not null, "secret_sealed" text null, "secret_hint" text null, "updated_by" text not null, "updated_at" timestamptz not null, "version" int not null, primary key ("key"))`,
    );

    this.addSql(
      `create table "sync_cursors" ("repo_id" int not null, "kind" text not null, "synced_through" timestamptz null, "backfilled_to" timestamptz null, "deep_at" timestamptz null, "resume" jsonb null, "last_started_at" timestamptz null, "last_finished_at" timestamptz null, "last_status" text null, "last_error" text null, primary key ("repo_id", "kind"))`,
    );
    this.addSql(
      `create index "sync_cursors_by_last_finish" on "sync_cursors" ("kind", "last_finished_at" nulls FIRST)`,
    );

    this.addSql(
      `create table "users" ("codehost_id" bigint not null, "login" text not null, "login_key" text collate "C" not null, "name" text null, "avatar_url" text not null, "first_seen_at" timestamptz not null, "last_seen_at" timestamptz not null, "last_denied_at" timestamptz null, "last_denied_code" text null, primary key ("codehost_id"))`,
    );
    this.addSql(`create index "users_by_login" on "users" ("login_key")`);
    this.addSql(`create index "users_by_last_seen" on "users" ("last_seen_at" DESC, "login_key")`);

    this.addSql(
      `create table "user_groups" ("codehost_id" bigint not null, "group_name" text not null, "granted_by" text not null, "granted_at" timestamptz not null, primary key ("codehost_id", "group_name"))`,
    );
    this.addSql(`create index "user_groups_by_name" on "user_groups" ("group_name")`);

    this.addSql(
      `create table "webhook_deliveries" ("delivery_id" text not null, "event" text not null, "action" text null, "repo_key" text null, "received_at" timestamptz not null, primary key ("delivery_id"))`,
    );
    this.addSql(`create index "webhook_deliveries_by_age" on "webhook_deliveries" using brin ("received_at")`);

    this.addSql(
      `create table "workflow_jobs" ("id" bigint not null, "repo_id" int not null, "run_id" bigint not null, "run_attempt" int not null, "name" text not null, "workflow_name" text null, "status" text not null, "conclusion" text null, "created_at" timestamptz null, "started_at" timestamptz null, "completed_at" timestamptz null, "runner_name" text null, "runner_group" text null, "labels" jsonb not null, "html_url" text not null, "steps" jsonb not null, "stored_at" timestamptz not null, "detail" text not null default 'full', primary key ("id"))`,
    );
    this.addSql(`create index "workflow_jobs_by_run" on "workflow_jobs" ("run_id", "run_attempt")`);
    this.addSql(`create index "workflow_jobs_by_age" on "workflow_jobs" using brin ("stored_at")`);

    this.addSql(
      `create table "workflow_runs" ("id" bigint not null, "repo_id" int not null, "run_attempt" int not null, "workflow_id" bigint not null, "workflow_name" text null, "run_number" int not null, "event" text not null, "status" text not null, "conclusion" text null, "head_branch" text null, "head_sha" text not null, "actor_id" bigint null, "triggering_actor_id" bigint null, "created_at" timestamptz not null, "run_started_at" timestamptz null, "updated_at" timestamptz not null, "completed_at" timestamptz null, "duration_ms" bigint null, "queue_wait_ms" bigint null, "html_url" text null, "synced_at" timestamptz not null, primary key ("id", "repo_id"))`,
    );
    this.addSql(
      `create index workflow_runs_by_creation on workflow_runs (repo_id, created_at desc, id desc) include (status, conclusion, duration_ms, queue_wait_ms)`,
    );
    this.addSql(
      `create index "workflow_runs_by_workflow" on "workflow_runs" ("repo_id", "workflow_id", "created_at" DESC)`,
    );
    this.addSql(
      `create index workflow_runs_by_conclusion on workflow_runs (repo_id, conclusion, created_at desc, id desc) where (conclusion <> 'success')`,
    );
    this.addSql(`create index "workflow_runs_unfinished" on "workflow_runs" ("repo_id") where status <> 'completed'`);

    this.addSql(
      `create table "workflow_run_attempts" ("id" bigint not null, "run_attempt" int not null, "repo_id" int not null, "workflow_id" bigint not null, "workflow_name" text null, "run_number" int not null, "event" text not null, "status" text not null, "conclusion" text null, "head_branch" text null, "head_sha" text not null, "actor_id" bigint null, "triggering_actor_id" bigint null, "created_at" timestamptz not null, "run_started_at" timestamptz null, "updated_at" timestamptz not null, "completed_at" timestamptz null, "duration_ms" bigint null, "queue_wait_ms" bigint null, "html_url" text null, "synced_at" timestamptz not null, primary key ("id", "run_attempt", "repo_id"))`,
    );
    this.addSql(
      `create index "workflow_run_attempts_by_creation" on "workflow_run_attempts" ("repo_id", "created_at" DESC)`,
    );

    this.addSql(
      `alter table "alert_rules" add constraint "alert_rules_scope_kind_check" check ("scope_kind" in ('repo', 'org'))`,
    );
    this.addSql(
      `alter table "alert_rules" add constraint "alert_rules_channel_check" check ("channel" in ('browser', 'email', 'digest', 'slack'))`,
    );

    this.addSql(
      `alter table "alert_events" add constraint "alert_events_rule_id_foreign" foreign key ("rule_id") references "alert_rules" ("id") on delete set null`,
    );
    this.addSql(
      `alter table "alert_events" add constraint "alert_events_source_check" check ("source" in ('sync', 'webhook', 'cron', 'test'))`,
    );
    this.addSql(
      `alter table "alert_events" add constraint "alert_events_delivery_status_check" check ("delivery_status" in ('none', 'pending', 'sent', 'failed', 'batched'))`,
    );

    this.addSql(
      `alter table "alert_rule_state" add constraint "alert_rule_state_rule_id_foreign" foreign key ("rule_id") references "alert_rules" ("id") on delete cascade`,
    );

    this.addSql(
      `alter table "digest_sends" add constraint "digest_sends_rule_id_foreign" foreign key ("rule_id") references "alert_rules" ("id") on delete set null`,
    );
    this.addSql(
      `alter table "digest_sends" add constraint "digest_sends_kind_check" check ("kind" in ('daily', 'leadership'))`,
    );
    this.addSql(
      `alter table "digest_sends" add constraint "digest_sends_status_check" check ("status" in ('claimed', 'sent', 'failed', 'missed'))`,
    );

    this.addSql(`alter table "distinct_pairs" add constraint "distinct_pairs_check" check (a_key < b_key)`);

    this.addSql(
      `alter table "group_permissions" add constraint "group_permissions_group_name_check" check ("group_name" in ('devops', 'security', 'dev', 'pm'))`,
    );

    this.addSql(`alter table "identity_links" add constraint "identity_links_check" check (alias_key <> primary_key)`);

    this.addSql(`alter table "mail_status" add constraint "mail_status_id_check" check (id)`);

    this.addSql(
      `alter table "job_readings" add constraint "job_readings_repo_id_foreign" foreign key ("repo_id") references "repos" ("id") on delete cascade`,
    );

    this.addSql(
      `alter table "fact_sync_state" add constraint "fact_sync_state_repo_id_foreign" foreign key ("repo_id") references "repos" ("id") on delete cascade`,
    );

    this.addSql(
      `alter table "alert_rule_days" add constraint "alert_rule_days_rule_id_foreign" foreign key ("rule_id") references "alert_rules" ("id") on delete cascade`,
    );
    this.addSql(
      `alter table "alert_rule_days" add constraint "alert_rule_days_repo_id_foreign" foreign key ("repo_id") references "repos" ("id") on delete cascade`,
    );

    this.addSql(`alter table "rollup_zone" add constraint "rollup_zone_one_check" check (one)`);

    this.addSql(
      `alter table "sync_cursors" add constraint "sync_cursors_repo_id_foreign" foreign key ("repo_id") references "repos" ("id") on delete cascade`,
    );

    this.addSql(
      `alter table "user_groups" add constraint "user_groups_codehost_id_foreign" foreign key ("codehost_id") references "users" ("codehost_id")`,
    );
    this.addSql(
      `alter table "user_groups" add constraint "user_groups_group_name_check" check ("group_name" in ('admin', 'devops', 'security', 'dev', 'pm'))`,
    );
    this.addSql(readSection('schema', 'baseline'));
    this.addSql(readSql('run-intake'));
  }
}
