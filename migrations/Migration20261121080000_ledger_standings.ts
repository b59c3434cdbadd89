import { Migration } from '@mikro-orm/migrations';

export class Migration20261121080000_ledger_standings extends Migration {
  override up() {
    this.addSql('alter table fact_ledgers add column open_count int, add column head text');
    // Counted otherwise until now: without a count each kind is read whole once.
    this.addSql(`update fact_ledgers set total = null where kind <> 'deployments'`);
  }
}
