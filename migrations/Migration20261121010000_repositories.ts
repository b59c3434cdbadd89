import { Migration } from '@mikro-orm/migrations';

export class Migration20261121010000_repositories extends Migration {
  override up() {
    this.addSql(`create table repos (
      id serial primary key,
      codehost_repo_id bigint not null unique,
      owner text not null,
      name text not null,
      owner_key text not null,
      name_key text not null,
      html_url text not null,
      private boolean not null,
      default_branch text,
      archived boolean not null,
      tracked boolean not null,
      tracked_by text,
      tracked_at timestamptz,
      unique (owner_key, name_key)
    )`);
    this.addSql(`create table sync_cursors (
      repo_id int not null references repos on delete cascade,
      kind text not null,
      synced_through timestamptz,
      backfilled_to timestamptz,
      deep_at timestamptz,
      resume jsonb,
      primary key (repo_id, kind)
    )`);
  }
}
