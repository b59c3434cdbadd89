import { Migration } from '@mikro-orm/migrations';

export class Migration20261130085710_package_digests extends Migration {
  override name = 'Migration20261130085710_package_digests';

  override up(): void | Promise<void> {
    this.addSql(`alter table "action_downloads" add "digest" text null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "action_downloads" drop column "digest";`);
  }
}
