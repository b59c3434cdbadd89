import { Migration } from '@mikro-orm/migrations';

export class Migration20261129103457_advisor_pull_request_states extends Migration {
  override name = 'Migration20261129103457_advisor_pull_request_states';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "advisor_pull_requests" add "state" text not null default 'open', add "merged_at" timestamptz null, add "merge_commit" text null;`,
    );
  }
}
