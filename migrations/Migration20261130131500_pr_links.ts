import { Migration } from '@mikro-orm/migrations';

export class Migration20261130131500_pr_links extends Migration {
  override name = 'Migration20261130131500_pr_links';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "pr_links" ("repo_id" int not null, "number" int not null, "kind" text not null, "target" text not null, primary key ("repo_id", "number", "kind", "target"));`,
    );

    this.addSql(`alter table "pr_marks" add "merge_sha" text null;`);

    this.addSql(
      `alter table "pr_links" add constraint "pr_links_repo_id_foreign" foreign key ("repo_id") references "repos" ("id") on delete cascade;`,
    );
  }
}
