import { Migration } from '@mikro-orm/migrations';

export class Migration20261130052015_checked_files extends Migration {
  override name = 'Migration20261130052015_checked_files';

  override up(): void | Promise<void> {
    // Read again: of a pin it was not known whether it is the id of a commit or of a tag.
    this.addSql(`delete from "action_files";`);
    this.addSql(`alter table "action_files" add "leads_to" text not null;`);
    this.addSql(`alter table "attempt_logs" add "is_partial" boolean not null default false;`);
    this.addSql(`update "attempt_logs" set "file" = null, "is_partial" = true where "file" is not null;`);
  }
}
