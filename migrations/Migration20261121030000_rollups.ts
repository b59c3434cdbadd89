import { Migration } from '@mikro-orm/migrations';

export class Migration20261121030000_rollups extends Migration {
  override up() {
    this.addSql(`create table repo_day (
      repo_id int not null,
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
      primary key (repo_id, day)
    )`);
    this.addSql(`create table dirty_day (
      id bigint generated always as identity primary key,
      repo_id int not null,
      day date not null
    )`);
    this.addSql(`create index dirty_day_by_repo on dirty_day (repo_id, day)`);
    this.addSql(`create table rollup_zone (
      one boolean primary key default true check (one),
      zone text not null,
      rebuild_through bigint not null
    )`);
    this.addSql(`insert into rollup_zone (zone, rebuild_through) values ('UTC', 0)`);
  }
}
