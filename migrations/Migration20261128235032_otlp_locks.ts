import { Migration } from '@mikro-orm/migrations';
import { readSection } from '../server/platform/source-files.ts';

export class Migration20261128235032_otlp_locks extends Migration {
  override name = 'Migration20261128235032_otlp_locks';

  override up(): void {
    this.addSql(`alter table "otlp_outbox" drop constraint "otlp_outbox_destination_id_foreign";`);
    this.addSql(`alter table "otlp_sent" drop constraint "otlp_sent_destination_id_foreign";`);
    this.addSql(`alter table "otlp_destinations" drop column "parked";`);
    this.addSql(`alter table "otlp_destinations" add "without_jobs" bigint not null default '0';`);
    this.addSql(`alter table "otlp_outbox" drop column "tries";`);
    this.addSql(`create index "otlp_outbox_parked" on "otlp_outbox" ("destination_id") where parked_at is not null;`);
    this.addSql(readSection('schema', 'otlp_outbox'));
  }
}
