import { Migration } from '@mikro-orm/migrations';

export class Migration20261121090000_job_readings extends Migration {
  override up() {
    // An attempt whose jobs are all in workflow_jobs; some of them alone may have come by events.
    this.addSql(`create table job_readings (
      run_id bigint not null,
      run_attempt int not null,
      repo_id int not null references repos on delete cascade,
      detail text not null,
      jobs int not null,
      read_at timestamptz not null,
      primary key (run_id, run_attempt)
    )`);
    this.addSql(`alter table workflow_jobs add column detail text not null default 'full'`);
  }
}
