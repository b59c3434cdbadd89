import { Migration } from '@mikro-orm/migrations';

export class Migration20261130193800_wanted_by_nobody extends Migration {
  override name = 'Migration20261130193800_wanted_by_nobody';

  override up(): void | Promise<void> {
    this.addSql(`alter table "attempt_logs" alter column "requested_at" drop not null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(
      `update "attempt_logs" set "requested_at" = coalesce("read_at", "ended_at") where "requested_at" is null;`,
    );
    this.addSql(`alter table "attempt_logs" alter column "requested_at" set not null;`);
  }
}
