import { Migration } from '@mikro-orm/migrations';

/** Renames a field of interrupted passes, and of the passes they came before, so that they go on where they were. */
export class Migration20261124200000_read_down_to extends Migration {
  override name = 'Migration20261124200000_read_down_to';

  override up(): void {
    this.addSql(
      `update sync_cursors set resume = replace(resume::text, '"cut":', '"readDownTo":')::jsonb where resume is not null`,
    );
  }
}
