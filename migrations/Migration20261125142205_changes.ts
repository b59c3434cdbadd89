import { Migration } from '@mikro-orm/migrations';
import { readSection } from '../server/platform/source-files.ts';

export class Migration20261125142205_changes extends Migration {
  override name = 'Migration20261125142205_changes';

  override up(): void {
    this.addSql(`create table "changes" ("id" bigserial primary key, "scope" text not null)`);
    this.addSql(`create index "changes_by_scope" on "changes" ("scope", "id")`);
    this.addSql(readSection('schema', 'recorded_changes'));
  }
}
