import { Migration } from '@mikro-orm/migrations';

/** Empty at first: the next recomputing fills them in steps, so that a large history does not hold up the start. */
export class Migration20261121050000_org_days extends Migration {
  override up() {
    this.addSql(`create table org_member (
      repo_id int primary key,
      owner_key text not null
    )`);
    this.addSql(`create index org_member_by_owner on org_member (owner_key)`);
    this.addSql(`create table org_day (
      owner_key text not null,
      day date not null,
      total int not null,
      success int not null,
      failure int not null,
      cancelled int not null,
      skipped int not null,
      timed_out int not null,
      action_required int not null,
      neutral int not null,
      stale int not null,
      startup_failure int not null,
      duration_n int not null,
      duration_sum bigint not null,
      queue_n int not null,
      queue_sum bigint not null,
      p95_ms bigint,
      hist_b smallint[] not null,
      hist_n int[] not null,
      primary key (owner_key, day)
    )`);
  }
}
