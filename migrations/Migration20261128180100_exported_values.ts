import { Migration } from '@mikro-orm/migrations';

export class Migration20261128180100_exported_values extends Migration {
  override name = 'Migration20261128180100_exported_values';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "exported_values" ("repo_id" int not null, "family" text not null, "labels_key" text not null, "labels" jsonb not null, "value" double precision not null, "n" int null, "as_of" timestamptz not null, primary key ("repo_id", "family", "labels_key"));`,
    );

    this.addSql(
      `alter table "exported_values" add constraint "exported_values_repo_id_foreign" foreign key ("repo_id") references "repos" ("id") on delete cascade;`,
    );
  }
}
