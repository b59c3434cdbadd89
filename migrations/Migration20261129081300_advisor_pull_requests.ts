import { Migration } from '@mikro-orm/migrations';

export class Migration20261129081300_advisor_pull_requests extends Migration {
  override name = 'Migration20261129081300_advisor_pull_requests';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "advisor_pull_requests" ("operation_id" uuid not null, "repo_id" int not null, "user_id" bigint not null, "user_login" text not null, "idempotency_key" text null, "request_hash" text not null, "subject_hash" text not null, "ids" text[] not null, "base_blobs" jsonb not null, "claimed_at" bigint not null, "lease_until" bigint not null, "number" int null, "html_url" text null, "opened_at" timestamptz null, "branch" text null, "base_branch" text null, "base_commit" text null, "commit" text null, "is_draft" boolean null, "title" text null, primary key ("operation_id"));`,
    );
    this.addSql(`create index "advisor_pull_requests_by_number" on "advisor_pull_requests" ("repo_id", "number");`);
    this.addSql(`create index "advisor_pull_requests_by_age" on "advisor_pull_requests" ("claimed_at");`);
    this.addSql(
      `alter table "advisor_pull_requests" add constraint "advisor_pull_requests_user_id_idempotency_key_unique" unique ("user_id", "idempotency_key");`,
    );

    this.addSql(
      `alter table "advisor_pull_requests" add constraint "advisor_pull_requests_repo_id_foreign" foreign key ("repo_id") references "repos" ("id") on delete cascade;`,
    );
    this.addSql(`select record_changes_of('advisor_pull_requests', 'record_changed_facts');`);
    this.addSql(
      `insert into "group_permissions" ("group_name", "flag", "granted", "updated_by", "updated_at") select name, 'ciAdvisorPullRequest', true, 'system', now() from unnest(array['devops', 'dev']) name on conflict do nothing;`,
    );
  }
}
