import { Migration } from '@mikro-orm/migrations';

export class Migration20261129143102_used_in_turn extends Migration {
  override name = 'Migration20261129143102_used_in_turn';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "action_files" ("commit" text not null, "path" text not null, "rule_version" int not null, "uses" jsonb null, primary key ("commit", "path"));`,
    );

    this.addSql(`alter table "use_days" drop constraint "use_days_pkey";`);
    this.addSql(`alter table "use_days" add "through" text not null default '';`);
    this.addSql(`alter table "use_days" alter "through" drop default;`);
    this.addSql(`alter table "use_days" add primary key ("repo_id", "day", "ref_id", "path", "through");`);

    this.addSql(`alter table "workflow_trees" add "unknown_uses" jsonb not null default '[]';`);
    this.addSql(`alter table "workflow_trees" alter "unknown_uses" drop default;`);
  }
}
