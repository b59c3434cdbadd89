import { Migration } from '@mikro-orm/migrations';

export class Migration20261128202040_webhooks extends Migration {
  override name = 'Migration20261128202040_webhooks';

  override up(): void {
    this.addSql(
      `create table "webhook_endpoints" ("id" serial primary key, "name" text not null, "url" text not null, "secret_sealed" text not null, "previous_sealed" text null, "previous_until" timestamptz null, "enabled" boolean not null, "off_reason" text null, "failures" int not null, "attempts" jsonb not null, "created_by" text not null, "updated_at" timestamptz not null);`,
    );
    this.addSql(`alter table "alert_rules" drop constraint "alert_rules_channel_check";`);
    this.addSql(
      `alter table "alert_rules" add constraint "alert_rules_channel_check" check ("channel" in ('browser', 'email', 'digest', 'slack', 'webhook'));`,
    );
  }
}
