import { Migration } from '@mikro-orm/migrations';

export class Migration20261128201500_otlp_fetch_jobs extends Migration {
  override name = 'Migration20261128201500_otlp_fetch_jobs';

  override up(): void {
    this.addSql(`update "otlp_destinations" set "options" = "options" || '{"fetch_jobs": true}';`);
  }
}
