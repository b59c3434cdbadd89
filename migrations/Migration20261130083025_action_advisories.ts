import { Migration } from '@mikro-orm/migrations';

export class Migration20261130083025_action_advisories extends Migration {
  override name = 'Migration20261130083025_action_advisories';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "advised_refs" ("ref_id" int not null, "advisory_id" text not null, "observed_from" timestamptz not null, "observed_to" timestamptz not null, primary key ("ref_id", "advisory_id", "observed_from"));`,
    );

    this.addSql(`create table "advisory_readings" ("at" timestamptz not null, primary key ("at"));`);

    this.addSql(
      `alter table "advised_refs" add constraint "advised_refs_ref_id_foreign" foreign key ("ref_id") references "action_refs" ("id") on delete cascade;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "advised_refs" cascade;`);
    this.addSql(`drop table if exists "advisory_readings" cascade;`);
  }
}
