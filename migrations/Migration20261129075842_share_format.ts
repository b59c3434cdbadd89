import { Migration } from '@mikro-orm/migrations';

/** Of links that were made before their format had a column. */
export const formatsOfLinks = `update shares set format = (snapshot ->> 'format')::int where kind = 'link'`;

export class Migration20261129075842_share_format extends Migration {
  override name = 'Migration20261129075842_share_format';

  override up(): void | Promise<void> {
    this.addSql(`alter table "shares" add "format" int null;`);
    this.addSql(formatsOfLinks);
  }
}
