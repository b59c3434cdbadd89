import { Migration } from '@mikro-orm/migrations';

const run = `
  id bigint not null,
  repo_id int not null,
  run_attempt int not null,
  workflow_id bigint not null,
  workflow_name text,
  run_number int not null,
  event text not null,
  status text not null,
  conclusion text,
  head_branch text,
  head_sha text not null,
  actor_id bigint,
  triggering_actor_id bigint,
  created_at timestamptz not null,
  run_started_at timestamptz,
  updated_at timestamptz not null,
  completed_at timestamptz,
  duration_ms bigint,
  queue_wait_ms bigint,
  html_url text,
  synced_at timestamptz not null`;

export class Migration20261121020000_workflow_runs extends Migration {
  override up() {
    this.addSql(`create table accounts (
      id bigint primary key,
      login text not null,
      avatar_url text not null,
      is_bot boolean not null
    )`);
    this.addSql(`create table workflow_runs (${run}, primary key (id))`);
    this.addSql(`create index workflow_runs_by_creation on workflow_runs (repo_id, created_at desc, id desc)
      include (status, conclusion, duration_ms, queue_wait_ms)`);
    this.addSql(`create index workflow_runs_by_workflow on workflow_runs (repo_id, workflow_id, created_at desc)`);
    this.addSql(`create index workflow_runs_by_conclusion on workflow_runs
      (repo_id, conclusion, created_at desc, id desc) where conclusion <> 'success'`);
    this.addSql(`create index workflow_runs_unfinished on workflow_runs (repo_id) where status <> 'completed'`);
    this.addSql(`create table workflow_run_attempts (${run}, primary key (id, run_attempt))`);
    this.addSql(`create index workflow_run_attempts_by_creation on workflow_run_attempts (repo_id, created_at desc)`);
    this.addSql(`create table workflow_jobs (
      id bigint primary key,
      repo_id int not null,
      run_id bigint not null,
      run_attempt int not null,
      name text not null,
      workflow_name text,
      status text not null,
      conclusion text,
      created_at timestamptz,
      started_at timestamptz,
      completed_at timestamptz,
      runner_name text,
      runner_group text,
      labels jsonb not null,
      html_url text not null,
      steps jsonb not null,
      stored_at timestamptz not null
    )`);
    this.addSql(`create index workflow_jobs_by_run on workflow_jobs (run_id, run_attempt)`);
    this.addSql(`create index workflow_jobs_by_age on workflow_jobs using brin (stored_at)`);
  }
}
