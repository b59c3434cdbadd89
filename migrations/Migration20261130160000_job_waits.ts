import { Migration } from '@mikro-orm/migrations';
import { readSection, readSql } from '../server/platform/source-files.ts';

/** What stored jobs tell of the waits of their runs. */
export const fillJobWaits = `with named as materialized (select distinct run_id, run_attempt from workflow_jobs),
  runs as (
    update workflow_runs r set job_wait_ms = waited.ms, queue_wait_ms = waited.ms
    from named join workflow_runs s on s.id = named.run_id and s.run_attempt = named.run_attempt
    cross join lateral (select attempt_job_wait_ms(s.id, s.run_attempt, s.run_started_at) as ms offset 0) waited
    where r.id = s.id and r.repo_id = s.repo_id and r.created_at = s.created_at and waited.ms is not null
    returning r.repo_id, r.created_at
  ),
  superseded as (
    update workflow_run_attempts r set job_wait_ms = waited.ms, queue_wait_ms = waited.ms
    from named join workflow_run_attempts s on s.id = named.run_id and s.run_attempt = named.run_attempt
    cross join lateral (select attempt_job_wait_ms(s.id, s.run_attempt, s.run_started_at) as ms offset 0) waited
    where r.id = s.id and r.repo_id = s.repo_id and r.run_attempt = s.run_attempt and waited.ms is not null
  )
  insert into dirty_day (repo_id, day)
  select distinct repo_id, greatest((created_at at time zone zone)::date, sealed_before) from runs, rollup_zone`;

export class Migration20261130160000_job_waits extends Migration {
  override name = 'Migration20261130160000_job_waits';

  override up(): void {
    this.addSql(`alter table "workflow_runs" add "job_wait_ms" bigint null;`);
    this.addSql(`alter table "workflow_run_attempts" add "job_wait_ms" bigint null;`);
    this.addSql(readSql('run-intake'));
    // Before runs are updated, of which traces were never requested.
    this.addSql(readSection('schema', 'otlp_outbox'));
    this.addSql(`${fillJobWaits};`);
  }
}
