import { Migration } from '@mikro-orm/migrations';

export class Migration20261122080000_mail_standing extends Migration {
  override up() {
    this.addSql(`create table mail_standing (
      id boolean primary key default true check (id),
      last_success_at timestamptz,
      last_error text,
      last_error_at timestamptz
    )`);
  }
}
