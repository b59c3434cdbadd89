import { Migration } from '@mikro-orm/migrations';

export class Migration20261129171751_private_sources extends Migration {
  override name = 'Migration20261129171751_private_sources';

  override up(): void | Promise<void> {
    this.addSql(`alter table "action_files" add "private_source" bigint null;`);

    this.addSql(`alter table "action_refs" add "is_private" boolean null;`);
    // Until the next night says otherwise.
    this.addSql(`update "action_refs" set "is_private" = true where "codehost_id" is not null;`);

    this.addSql(`alter table "use_days" add "private_sources" bigint[] not null default '{}';`);
    this.addSql(`alter table "use_days" alter "private_sources" drop default;`);
    // No repository has that id: who says so is not known of what was stored before, so nobody sees it.
    this.addSql(`update "use_days" set "private_sources" = '{0}' where "through" <> '';`);

    this.addSql(
      `update "workflow_trees" set "unknown_uses" = (select coalesce(jsonb_agg(one || case when one ->> 'through' = '' then '{"privateSources": []}' else '{"privateSources": [0]}' end::jsonb), '[]') from jsonb_array_elements("unknown_uses") one);`,
    );
  }
}
