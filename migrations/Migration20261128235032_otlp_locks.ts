import { Migration } from '@mikro-orm/migrations';
import { readSection } from '../server/platform/source-files.ts';

export class Migration20261128235032_otlp_locks extends Migration {
  override name = 'Migration20261128235032_otlp_locks';

  override up(): void {
    // In the order in which others take them: whoever stores runs or jobs notes spans then, and whoever sends spans has
    // their destination, and reads runs, which this does not keep it from.
    // Within a block, as the embedded database has no transaction around a migration, and nobody beside it.
    this.addSql(`do $$ begin
      lock table workflow_runs, workflow_run_attempts, job_readings in share row exclusive mode;
      lock table otlp_destinations, otlp_backfills, otlp_outbox, otlp_sent in access exclusive mode;
    end $$;`);
    this.addSql(`alter table "otlp_outbox" drop constraint "otlp_outbox_destination_id_foreign";`);
    this.addSql(`alter table "otlp_sent" drop constraint "otlp_sent_destination_id_foreign";`);
    this.addSql(`alter table "otlp_destinations" drop column "parked";`);
    this.addSql(`alter table "otlp_destinations" add "without_jobs" bigint not null default '0';`);
    this.addSql(`alter table "otlp_outbox" drop column "tries";`);
    this.addSql(`create index "otlp_outbox_parked" on "otlp_outbox" ("destination_id") where parked_at is not null;`);
    this.addSql(readSection('schema', 'otlp_outbox'));
  }
}
