import { Migration } from '@mikro-orm/migrations';

export class Migration20261124113448_wide_totals extends Migration {
  override name = 'Migration20261124113448_wide_totals';

  override up(): void | Promise<void> {
    this.addSql(`alter table "fact_sync_state" alter column "total" type bigint using ("total"::bigint);`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "fact_sync_state" alter column "total" type int using ("total"::int);`);
  }
}
