import { Migration } from '@mikro-orm/migrations';

export class Migration20261129111750_advisor_verdicts extends Migration {
  override name = 'Migration20261129111750_advisor_verdicts';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "advisor_verdicts" ("repo_id" int not null, "id" text not null, "operation_id" uuid not null, "state" text not null, "next_look" timestamptz null, "change" jsonb not null, "verdict" jsonb not null, "updated_at" timestamptz not null, primary key ("repo_id", "id"));`,
    );
    this.addSql(`create index "advisor_verdicts_by_next_look" on "advisor_verdicts" ("next_look");`);

    this.addSql(`alter table "advisor_pull_requests" add "proposed" jsonb null;`);

    this.addSql(
      `alter table "advisor_verdicts" add constraint "advisor_verdicts_repo_id_foreign" foreign key ("repo_id") references "repos" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "advisor_verdicts" add constraint "advisor_verdicts_operation_id_foreign" foreign key ("operation_id") references "advisor_pull_requests" ("operation_id") on delete cascade;`,
    );
    this.addSql(`select record_changes_of('advisor_verdicts', 'record_changed_facts');`);
  }
}
