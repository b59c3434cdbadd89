import { Migration } from '@mikro-orm/migrations';

export class Migration20261129153308_judged_moves extends Migration {
  override name = 'Migration20261129153308_judged_moves';

  override up(): void | Promise<void> {
    this.addSql(`alter table "ref_ledger" add "judged_at" timestamptz null;`);
  }
}
