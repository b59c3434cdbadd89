import { Migration } from '@mikro-orm/migrations';

export class Migration20261128180000_shared_counters extends Migration {
  override name = 'Migration20261128180000_shared_counters';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "counters" ("name" text not null, "labels_key" text not null, "labels" jsonb not null, "value" double precision not null, primary key ("name", "labels_key"));`,
    );
  }
}
