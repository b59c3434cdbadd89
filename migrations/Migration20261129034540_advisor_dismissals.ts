import { Migration } from '@mikro-orm/migrations';

export class Migration20261129034540_advisor_dismissals extends Migration {
  override name = 'Migration20261129034540_advisor_dismissals';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "advisor_dismissals" ("repo_id" int not null, "id" text not null, "reason" text not null, "note" text null, "until" date null, "by_id" bigint not null, "by_login" text not null, "at" timestamptz not null, primary key ("repo_id", "id"));`,
    );
    this.addSql(
      `alter table "advisor_dismissals" add constraint "advisor_dismissals_repo_id_foreign" foreign key ("repo_id") references "repos" ("id") on delete cascade;`,
    );
    this.addSql(`select record_changes_of('advisor_dismissals', 'record_changed_facts');`);
  }
}
