import { Migration } from '@mikro-orm/migrations';

export class Migration20261122010000_collection extends Migration {
  override up() {
    this.addSql(`create table webhook_deliveries (
      delivery_id text primary key,
      event text not null,
      action text,
      repo_key text,
      received_at timestamptz not null
    )`);
    this.addSql('create index webhook_deliveries_by_age on webhook_deliveries using brin (received_at)');
    // Of pull requests that were merged; `merged_at` is theirs, so that one index serves a window.
    this.addSql(`create table commit_facts (
      repo_id int not null,
      pr_number int not null,
      sha text not null,
      position int not null,
      merged_at timestamptz not null,
      author_id bigint,
      author_name text not null,
      authored_at timestamptz not null,
      is_merge boolean not null,
      additions int,
      deletions int,
      changed_files int,
      primary key (repo_id, pr_number, sha)
    )`);
    this.addSql(`create index commit_facts_by_merge on commit_facts (repo_id, merged_at desc)
      include (pr_number, author_id, is_merge, additions, deletions, changed_files)`);
    this.addSql(`alter table pr_facts add column commits_synced_at timestamptz,
      add column commits_truncated boolean not null default false`);
    this.addSql(`create index pr_facts_commits_due on pr_facts (repo_id, merged_at desc)
      where merged_at is not null and commits_synced_at is null`);
    this.addSql(`alter table sync_cursors add column last_started_at timestamptz, add column last_finished_at timestamptz,
      add column last_status text, add column last_error text`);
    this.addSql('create index sync_cursors_in_turn on sync_cursors (kind, last_finished_at nulls first)');
  }
}
