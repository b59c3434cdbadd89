import { Migration } from '@mikro-orm/migrations';
import { readSql } from '../server/platform/source-files.ts';

/** Renews the functions that store runs: they find stored ones by their key, whatever is known of the table. */
export class Migration20261124121900_runs_by_key extends Migration {
  override name = 'Migration20261124121900_runs_by_key';

  override up(): void {
    this.addSql(readSql('run-intake'));
  }
}
