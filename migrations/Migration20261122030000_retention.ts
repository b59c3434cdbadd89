import { Migration } from '@mikro-orm/migrations';

export class Migration20261122030000_retention extends Migration {
  override up() {
    // Runs created before `kept_from` are deleted or about to be; the days before `sealed_before` counted them.
    this.addSql(`alter table rollup_zone add column kept_from timestamptz not null default '-infinity',
      add column sealed_before date not null default '-infinity'`);
    // Of the runs that are no longer kept.
    this.addSql('alter table repos add column first_run_at timestamptz');
    this.addSql('create index job_readings_by_age on job_readings using brin (read_at)');
  }
}
