import { Migration } from '@mikro-orm/migrations';

export class Migration20261129111600_exposure extends Migration {
  override name = 'Migration20261129111600_exposure';

  override up(): void | Promise<void> {
    this.addSql(
      `insert into "group_permissions" ("group_name", "flag", "granted", "updated_by", "updated_at") select name, 'exposure', true, 'system', now() from unnest(array['devops', 'security']) name on conflict do nothing;`,
    );
  }
}
