import { Migration } from '@mikro-orm/migrations';

export class Migration20261129204607_ai_authorship extends Migration {
  override name = 'Migration20261129204607_ai_authorship';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "pr_marks" ("repo_id" int not null, "number" int not null, "class" text not null, "agent" text null, "kinds" smallint not null, "type" smallint not null, "read_complete" boolean not null, "table_version" text not null, "created_month" text not null, primary key ("repo_id", "number"));`,
    );
    this.addSql(`create index "pr_marks_by_month" on "pr_marks" ("repo_id", "created_month");`);

    this.addSql(
      `alter table "pr_marks" add constraint "pr_marks_repo_id_foreign" foreign key ("repo_id") references "repos" ("id") on delete cascade;`,
    );
  }
}
