import { Migration } from '@mikro-orm/migrations';

export class Migration20261130015500_applied_changes extends Migration {
  override name = 'Migration20261130015500_applied_changes';

  override up(): void | Promise<void> {
    this.addSql(`alter table "advisor_verdicts" alter column "operation_id" drop not null;`);
    this.addSql(`alter table "advisor_verdicts" add "commit" text null;`);
  }
}
