import { Migration } from '@mikro-orm/migrations';

export class Migration20261130195848_noticed_refs extends Migration {
  override name = 'Migration20261130195848_noticed_refs';

  override up(): void | Promise<void> {
    this.addSql(`alter table "action_refs" add "noticed_at" timestamptz null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "action_refs" drop column "noticed_at";`);
  }
}
