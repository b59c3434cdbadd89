import { Migration } from '@mikro-orm/migrations';

/**
 * Refs of one repository had been stored by kind: they become one, with the history of the first. Moves that were stored
 * are judged anew by the next reading, and the workflow files read anew for their paths.
 */
export class Migration20261129135819_ledger_releases extends Migration {
  override name = 'Migration20261129135819_ledger_releases';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "action_releases" ("action_key" text not null, "tag" text not null, "commit" text not null, "immutable" boolean null, "published_at" timestamptz null, "seen_at" timestamptz not null, primary key ("action_key", "tag", "commit"));`,
    );

    this.addSql(`alter table "use_days" drop constraint "use_days_pkey";`);
    this.addSql(
      `alter table "use_days" add "path" text not null default '', add "kind" text not null default 'action';`,
    );
    this.addSql(
      `update "use_days" set "kind" = "action_refs"."kind" from "action_refs" where "action_refs"."id" = "use_days"."ref_id";`,
    );
    this.addSql(`alter table "use_days" alter "path" drop default, alter "kind" drop default;`);
    this.addSql(`alter table "use_days" add primary key ("repo_id", "day", "ref_id", "path");`);

    this.addSql(
      `update "use_days" set "ref_id" = "same"."first" from (select "id", min("id") over (partition by "action_key", "ref") as "first" from "action_refs") as "same" where "same"."id" = "use_days"."ref_id" and "same"."first" < "same"."id" and not exists (select from "use_days" as "other" where "other"."repo_id" = "use_days"."repo_id" and "other"."day" = "use_days"."day" and "other"."ref_id" = "same"."first");`,
    );
    this.addSql(
      `delete from "action_refs" as "later" using "action_refs" as "first" where "first"."action_key" = "later"."action_key" and "first"."ref" = "later"."ref" and "first"."id" < "later"."id";`,
    );
    this.addSql(`alter table "action_refs" drop constraint "action_refs_action_key_kind_ref_unique";`);
    this.addSql(`alter table "action_refs" drop column "kind";`);
    this.addSql(
      `alter table "action_refs" add constraint "action_refs_action_key_ref_unique" unique ("action_key", "ref");`,
    );

    this.addSql(
      `alter table "ref_ledger" add "codehost_id" bigint null, add "repository" text null, add "alarm" text null;`,
    );
    this.addSql(
      `update "ref_ledger" set "codehost_id" = "action_refs"."codehost_id", "repository" = "action_refs"."action_key" from "action_refs" where "action_refs"."id" = "ref_ledger"."ref_id" and "ref_ledger"."state" in ('present', 'gone');`,
    );
  }
}
