import { Migration } from '@mikro-orm/migrations';

export class Migration20261124233445_runbook_url extends Migration {
  override name = 'Migration20261124233445_runbook_url';

  override up(): void | Promise<void> {
    this.addSql(`alter table "alert_rules" add "runbook_url" text null;`);
  }
}
