import { Migration } from '@mikro-orm/migrations';

export class Migration20261128211900_shares extends Migration {
  override name = 'Migration20261128211900_shares';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "shares" ("id" bigserial primary key, "token_hash" bytea not null, "kind" text not null, "account_id" bigint not null, "login" text not null, "page" text not null, "params" jsonb null, "snapshot" jsonb null, "pass_hash" text null, "created_at" timestamptz not null, "expires_at" timestamptz null, "revoked_at" timestamptz null, "opens_by_day" jsonb not null);`,
    );
    this.addSql(`alter table "shares" add constraint "shares_by_hash" unique ("token_hash");`);
    this.addSql(`create index "shares_of_account" on "shares" ("account_id") where revoked_at is null;`);
  }
}
