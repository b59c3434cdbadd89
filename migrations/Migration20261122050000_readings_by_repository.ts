import { Migration } from '@mikro-orm/migrations';

export class Migration20261122050000_readings_by_repository extends Migration {
  override up() {
    this.addSql('create index job_readings_by_repo on job_readings (repo_id)');
  }
}
