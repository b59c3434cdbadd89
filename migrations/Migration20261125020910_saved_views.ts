import { Migration } from '@mikro-orm/migrations';

export class Migration20261125020910_saved_views extends Migration {
  override name = 'Migration20261125020910_saved_views';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "saved_views" ("id" serial primary key, "codehost_id" bigint not null, "name" text not null, "address" text not null, "created_at" timestamptz not null);`,
    );
    this.addSql(`alter table "saved_views" add constraint "saved_views_once" unique ("codehost_id", "name");`);
  }
}
