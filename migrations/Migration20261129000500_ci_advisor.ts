import { Migration } from '@mikro-orm/migrations';

export class Migration20261129000500_ci_advisor extends Migration {
  override name = 'Migration20261129000500_ci_advisor';

  override up(): void | Promise<void> {
    this.addSql(
      `insert into "group_permissions" ("group_name", "flag", "granted", "updated_by", "updated_at") select name, 'ciAdvisor', true, 'system', now() from unnest(array['devops', 'security', 'dev', 'pm']) name on conflict do nothing;`,
    );
  }
}
