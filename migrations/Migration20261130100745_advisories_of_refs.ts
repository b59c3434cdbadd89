import { Migration } from '@mikro-orm/migrations';

export class Migration20261130100745_advisories_of_refs extends Migration {
  override name = 'Migration20261130100745_advisories_of_refs';

  override up(): void | Promise<void> {
    // Of readings before it is not known which refs they concerned: until the next night it is of none.
    this.addSql(`alter table "advisory_readings" add "ref_ids" int[] not null default '{}';`);
    this.addSql(`alter table "advisory_readings" alter "ref_ids" drop default;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "advisory_readings" drop column "ref_ids";`);
  }
}
