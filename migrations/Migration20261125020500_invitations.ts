import { Migration } from '@mikro-orm/migrations';

export class Migration20261125020500_invitations extends Migration {
  override name = 'Migration20261125020500_invitations';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "invitations" ("login_key" text collate "C" not null, "group_name" text not null, "login" text not null, "invited_by" text not null, "invited_at" timestamptz not null, primary key ("login_key", "group_name"));`,
    );
    this.addSql(
      `alter table "invitations" add constraint "invitations_group_name_check" check ("group_name" in ('devops', 'security', 'dev', 'pm'));`,
    );
  }
}
