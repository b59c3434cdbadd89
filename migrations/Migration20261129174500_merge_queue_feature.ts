import { Migration } from '@mikro-orm/migrations';

export class Migration20261129174500_merge_queue_feature extends Migration {
  override name = 'Migration20261129174500_merge_queue_feature';

  override up(): void | Promise<void> {
    this.addSql(
      `insert into "group_permissions" ("group_name", "flag", "granted", "updated_by", "updated_at") select name, 'mergeQueue', true, 'system', now() from unnest(array['devops', 'dev', 'pm']) name on conflict do nothing;`,
    );
  }
}
