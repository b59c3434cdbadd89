import { Migration } from '@mikro-orm/migrations';

export class Migration20261129104214_advisor_totals extends Migration {
  override name = 'Migration20261129104214_advisor_totals';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "advisor_totals" ("repo_id" int not null, "as_of" timestamptz not null, "plan" jsonb null, primary key ("repo_id"));`,
    );
    this.addSql(
      `alter table "advisor_totals" add constraint "advisor_totals_repo_id_foreign" foreign key ("repo_id") references "repos" ("id") on update cascade on delete cascade;`,
    );
    this.addSql(`select record_changes_of('advisor_totals', 'record_changed_facts');`);
  }
}
