import { Migration } from '@mikro-orm/migrations';
import { readSection } from '../server/platform/source-files.ts';

export class Migration20261128173527_otlp extends Migration {
  override name = 'Migration20261128173527_otlp';

  override up(): void {
    this.addSql(
      `create table "otlp_destinations" ("id" serial primary key, "name" text not null, "endpoint" text not null, "headers_sealed" text null, "header_names" text[] not null, "options" jsonb not null, "enabled" boolean not null, "state" text not null, "next_try_at" timestamptz null, "failures" int not null, "last_error" text null, "last_success_at" timestamptz null, "accepted" bigint not null, "rejected" bigint not null, "parked" int not null, "dropped" bigint not null, "version" int not null);`,
    );
    this.addSql(
      `create table "otlp_outbox" ("destination_id" int not null, "run_id" bigint not null, "run_attempt" int not null, "part" text not null, "created_at" timestamptz not null, "due_at" timestamptz not null, "locked_until" timestamptz null, "tries" int not null, "parked_at" timestamptz null, "error" text null, primary key ("destination_id", "run_id", "run_attempt", "part"));`,
    );
    this.addSql(
      `create index "otlp_outbox_by_due" on "otlp_outbox" ("destination_id", "due_at") where parked_at is null;`,
    );
    this.addSql(`create index "otlp_outbox_by_age" on "otlp_outbox" using brin ("created_at");`);
    this.addSql(`create index "otlp_outbox_by_run" on "otlp_outbox" ("run_id", "run_attempt");`);
    this.addSql(
      `create table "otlp_sent" ("destination_id" int not null, "run_id" bigint not null, "run_attempt" int not null, "part" text not null, "at" timestamptz not null, "spans" int not null, "batch" bigint null, primary key ("destination_id", "run_id", "run_attempt", "part"));`,
    );
    this.addSql(`create index "otlp_sent_by_age" on "otlp_sent" using brin ("at");`);
    this.addSql(`create index "otlp_sent_in_part" on "otlp_sent" ("destination_id", "batch") where batch is not null;`);
    this.addSql(
      `alter table "otlp_outbox" add constraint "otlp_outbox_destination_id_foreign" foreign key ("destination_id") references "otlp_destinations" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "otlp_sent" add constraint "otlp_sent_destination_id_foreign" foreign key ("destination_id") references "otlp_destinations" ("id") on delete cascade;`,
    );
    this.addSql(readSection('schema', 'otlp_outbox'));
  }
}
