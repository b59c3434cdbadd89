import { Migration } from '@mikro-orm/migrations';
import { readSection } from '../server/platform/source-files.ts';

export class Migration20261128203829_otlp_backfills extends Migration {
  override name = 'Migration20261128203829_otlp_backfills';

  override up(): void {
    this.addSql(
      `create table "otlp_backfills" ("id" serial primary key, "destination_id" int not null, "from_at" timestamptz not null, "to_at" timestamptz not null, "repo_key" text null, "again" boolean not null, "cursor" jsonb null, "done" bigint not null, "total" bigint not null, "rejected" bigint not null, "state" text not null, "due_at" timestamptz not null, "started_by" text not null, "started_at" timestamptz not null, "resumed_at" timestamptz not null, "resumed_done" bigint not null, "finished_at" timestamptz null);`,
    );
    this.addSql(
      `create unique index otlp_backfills_running on otlp_backfills (destination_id) where (state = 'running');`,
    );
    this.addSql(`alter table "otlp_destinations" add "carried_over" bigint not null default '0';`);
    this.addSql(`alter table "otlp_outbox" add "backfill_id" int null;`);
    this.addSql(
      `create index "otlp_outbox_by_backfill" on "otlp_outbox" ("backfill_id") where backfill_id is not null;`,
    );
    this.addSql(
      `alter table "otlp_backfills" add constraint "otlp_backfills_destination_id_foreign" foreign key ("destination_id") references "otlp_destinations" ("id") on delete cascade;`,
    );
    this.addSql(readSection('schema', 'otlp_outbox'));
  }
}
