import { Migration } from '@mikro-orm/migrations';

export class Migration20261121060000_unreachable_repositories extends Migration {
  override up() {
    this.addSql('alter table repos add column unreachable_since timestamptz, add column last_error_code text');
  }
}
