import { Migration } from '@mikro-orm/migrations';

export class Migration20261122040000_notices extends Migration {
  override up() {
    // Sent with the change itself, whichever statement makes it: other processes forget what they remember of it.
    this.addSql(`create function notify_processes() returns trigger language plpgsql as $$
    begin
      perform pg_notify('delivery_notices', tg_argv[0]);
      return null;
    end $$`);
    this.addSql(`create trigger sessions_ended after update of revoked_at on sessions
      for each statement execute function notify_processes('sessions')`);
  }
}
