import { Migration } from '@mikro-orm/migrations';
import { readSection } from '../server/platform/source-files.ts';

export class Migration20261130095000_otlp_default_branch extends Migration {
  override name = 'Migration20261130095000_otlp_default_branch';

  override up(): void {
    this.addSql(readSection('schema', 'otlp_outbox'));
    this.addSql(`drop function if exists otlp_takes(jsonb, repos, text, text, bigint, int);`);
  }
}
