import { Migration } from '@mikro-orm/migrations';

export class Migration20261130133000_repository_ages extends Migration {
  override name = 'Migration20261130133000_repository_ages';

  override up(): void {
    this.addSql(`alter table "repos" add "codehost_created_at" timestamptz null;`);
  }
}
