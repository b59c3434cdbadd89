import { Migration } from '@mikro-orm/migrations';

export class Migration20261128131134_access_tokens extends Migration {
  override name = 'Migration20261128131134_access_tokens';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "access_tokens" ("id" bigserial primary key, "id_hash" bytea not null, "kind" text not null, "account_id" bigint not null, "login" text not null, "name" text not null, "hint" text not null, "features" text[] not null, "sealed" text not null, "platform_token_hash" bytea not null, "created_at" timestamptz not null, "expires_at" timestamptz not null, "last_used_at" timestamptz null, "last_used_from" text null, "broken_at" timestamptz null, "revoked_at" timestamptz null, "revoke_reason" text null, "revoked_by" text null);`,
    );
    this.addSql(`alter table "access_tokens" add constraint "access_tokens_by_hash" unique ("id_hash");`);
    this.addSql(`create index "access_tokens_of_account" on "access_tokens" ("account_id") where revoked_at is null;`);
    this.addSql(
      `create index "access_tokens_by_platform_token" on "access_tokens" ("platform_token_hash") where revoked_at is null;`,
    );
    this.addSql(`create index "access_tokens_by_expiry" on "access_tokens" ("expires_at");`);
  }
}
