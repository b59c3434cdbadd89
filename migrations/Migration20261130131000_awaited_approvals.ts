import { Migration } from '@mikro-orm/migrations';
import { readSql } from '../server/platform/source-files.ts';

/** A run that awaits approval has not ended, so it has neither an end nor a duration. */
export const reopenAwaiting = `with runs as (
    update workflow_runs set completed_at = null, duration_ms = null
    where status = 'completed' and conclusion = 'action_required' and completed_at is not null
    returning repo_id, created_at
  ),
  attempts as (
    update workflow_run_attempts set completed_at = null, duration_ms = null
    where status = 'completed' and conclusion = 'action_required' and completed_at is not null
  )
  insert into dirty_day (repo_id, day)
  select distinct repo_id, greatest((created_at at time zone zone)::date, sealed_before) from runs, rollup_zone`;

export class Migration20261130131000_awaited_approvals extends Migration {
  override name = 'Migration20261130131000_awaited_approvals';

  override up(): void {
    this.addSql(readSql('run-intake'));
    this.addSql(`${reopenAwaiting};`);
  }
}
