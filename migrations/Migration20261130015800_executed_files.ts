import { Migration } from '@mikro-orm/migrations';

export class Migration20261130015800_executed_files extends Migration {
  override name = 'Migration20261130015800_executed_files';

  override up(): void | Promise<void> {
    this.addSql(`alter table "attempt_logs" add "file" jsonb null;`);
  }
}
