import { Migration } from '@mikro-orm/migrations';

/** Marks what was read of timelines in lists of at most 20: as long a one may lack what came before. */
export const markCutClocks = `
  update pr_facts
  set clock = jsonb_build_array(
    jsonb_build_object('kind', 'earlier_unread', 'at', clock -> 0 -> 'at', 'login', null)) || clock
  where jsonb_array_length(clock) >= 20`;

export class Migration20261130091500_cut_review_clocks extends Migration {
  override name = 'Migration20261130091500_cut_review_clocks';

  override up(): void | Promise<void> {
    this.addSql(markCutClocks);
  }
}
