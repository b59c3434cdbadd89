import { Migration } from '@mikro-orm/migrations';

export class Migration20261129213047_logs extends Migration {
  override name = 'Migration20261129213047_logs';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "attempt_logs" ("run_id" bigint not null, "run_attempt" int not null, "repo_id" int not null, "ended_at" timestamptz not null, "requested_at" timestamptz not null, "read_at" timestamptz null, "jobs" jsonb null, "called" jsonb null, primary key ("run_id", "run_attempt"));`,
    );
    this.addSql(`create index "attempt_logs_by_repo" on "attempt_logs" ("repo_id", "ended_at");`);
    this.addSql(`create index "attempt_logs_waiting" on "attempt_logs" ("ended_at") where read_at is null;`);

    this.addSql(
      `create table "action_downloads" ("job_id" bigint not null, "action_key" text not null, "ref" text not null, "commit" text not null, "is_in_step" boolean not null, "repo_id" int not null, "at" timestamptz not null, "is_at_other_time" boolean not null, "read_at" timestamptz not null, primary key ("job_id", "action_key", "ref", "commit", "is_in_step"));`,
    );
    this.addSql(`create index "action_downloads_by_repo" on "action_downloads" ("repo_id");`);

    this.addSql(
      `alter table "attempt_logs" add constraint "attempt_logs_repo_id_foreign" foreign key ("repo_id") references "repos" ("id") on delete cascade;`,
    );

    this.addSql(
      `alter table "action_downloads" add constraint "action_downloads_repo_id_foreign" foreign key ("repo_id") references "repos" ("id") on delete cascade;`,
    );
  }
}
