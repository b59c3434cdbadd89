import { Migration } from '@mikro-orm/migrations';

export class Migration20261122020000_resumed_jobs extends Migration {
  override up() {
    this.addSql('alter table job_runs add column resume_at timestamptz');
  }
}
