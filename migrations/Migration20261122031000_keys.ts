import { Migration } from '@mikro-orm/migrations';

/** Keys that hold the repository, so that runs can be spread over several servers by it; see `scale/`. */
export class Migration20261122031000_keys extends Migration {
  override up() {
    this.addSql(`alter table workflow_runs drop constraint workflow_runs_pkey, add primary key (id, repo_id)`);
    this.addSql(`alter table workflow_run_attempts drop constraint workflow_run_attempts_pkey,
      add primary key (id, run_attempt, repo_id)`);
  }
}
