import { Migration } from '@mikro-orm/migrations';

/**
 * Pull requests that ended in the last 90 days are read once more where a merge queue was seen: they were stored without
 * what it did with them. The pass is what a reading beside stored pull requests is (`server/sync/pull-request-pass.ts`).
 */
export class Migration20261129182500_merge_queue_backfill extends Migration {
  override name = 'Migration20261129182500_merge_queue_backfill';

  override up(): void | Promise<void> {
    this.addSql(
      `update "sync_cursors" set "resume" = jsonb_build_object('startedAt', moment.at, 'until', moment.at - 7776000000, 'floor', moment.at - 7776000000, 'after', null, 'beside', round(date_part('epoch', state."floor") * 1000)) from "fact_sync_state" state, (select round(date_part('epoch', now() - interval '1 minute') * 1000) as at) moment where "sync_cursors"."kind" = 'prs' and "sync_cursors"."resume" is null and state."repo_id" = "sync_cursors"."repo_id" and state."kind" = 'pull_requests' and exists (select from "workflow_runs" run where run."repo_id" = "sync_cursors"."repo_id" and run."event" = 'merge_group');`,
    );
  }
}
