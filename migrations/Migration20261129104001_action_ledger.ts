import { Migration } from '@mikro-orm/migrations';

export class Migration20261129104001_action_ledger extends Migration {
  override name = 'Migration20261129104001_action_ledger';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "action_refs" ("id" serial primary key, "action_key" text not null, "kind" text not null, "ref" text not null, "codehost_id" bigint null, "is_branch" boolean null);`,
    );
    this.addSql(
      `alter table "action_refs" add constraint "action_refs_action_key_kind_ref_unique" unique ("action_key", "kind", "ref");`,
    );

    this.addSql(
      `create table "ref_ledger" ("ref_id" int not null, "observed_from" timestamptz not null, "observed_to" timestamptz not null, "state" text not null, "commit" text null, "tag_object" text null, "previous_commit" text null, "move_class" text null, primary key ("ref_id", "observed_from"));`,
    );

    this.addSql(
      `create table "use_days" ("repo_id" int not null, "day" date not null, "ref_id" int not null, "workflows" int not null, primary key ("repo_id", "day", "ref_id"));`,
    );
    this.addSql(`create index "use_days_by_ref" on "use_days" ("ref_id");`);

    this.addSql(
      `create table "workflow_trees" ("repo_id" int not null, "tree_id" text null, "rule_version" int not null, "day" date not null, "unread_files" int not null, primary key ("repo_id"));`,
    );

    this.addSql(
      `alter table "ref_ledger" add constraint "ref_ledger_ref_id_foreign" foreign key ("ref_id") references "action_refs" ("id") on delete cascade;`,
    );

    this.addSql(
      `alter table "use_days" add constraint "use_days_repo_id_foreign" foreign key ("repo_id") references "repos" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "use_days" add constraint "use_days_ref_id_foreign" foreign key ("ref_id") references "action_refs" ("id") on delete cascade;`,
    );

    this.addSql(
      `alter table "workflow_trees" add constraint "workflow_trees_repo_id_foreign" foreign key ("repo_id") references "repos" ("id") on update cascade on delete cascade;`,
    );
  }
}
