import { Migration } from '@mikro-orm/migrations';

/** What cannot be a login is the name of a git author, and has nothing to do with the account of that login. */
export const markAuthorNames = `update "identity_links" set "alias_key" = 'name ' || "alias_key"
  where "alias" !~* '^[a-z0-9][a-z0-9_-]{0,38}(\\[bot\\])?$'`;

export class Migration20261130093000_author_names extends Migration {
  override name = 'Migration20261130093000_author_names';

  override up(): void | Promise<void> {
    this.addSql(`${markAuthorNames};`);
  }
}
