import { Migration } from '@mikro-orm/migrations';

export class Migration20261129172551_merge_queue extends Migration {
  override name = 'Migration20261129172551_merge_queue';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "merge_queue_notices" ("repo_id" int not null, "number" int not null, "kind" text not null, "at" timestamptz not null, "base_branch" text not null, "head_sha" text not null, "is_by_bot" boolean not null, "reason" text null, primary key ("repo_id", "number", "kind", "at"));`,
    );

    this.addSql(`alter table "pr_facts" add "merge_queue" jsonb null;`);

    this.addSql(
      `alter table "merge_queue_notices" add constraint "merge_queue_notices_repo_id_foreign" foreign key ("repo_id") references "repos" ("id") on delete cascade;`,
    );
    this.addSql(`select record_changes_of('merge_queue_notices', 'record_changed_facts');`);
  }
}
