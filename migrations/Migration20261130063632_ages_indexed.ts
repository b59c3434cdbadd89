import { Migration } from '@mikro-orm/migrations';

export class Migration20261130063632_ages_indexed extends Migration {
  override name = 'Migration20261130063632_ages_indexed';

  override up(): void | Promise<void> {
    this.addSql(`create index "merge_queue_notices_by_age" on "merge_queue_notices" using brin ("at");`);
    this.addSql(`create index "action_downloads_by_reading" on "action_downloads" using brin ("read_at");`);
  }
}
