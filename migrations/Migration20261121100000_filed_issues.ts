import { Migration } from '@mikro-orm/migrations';

export class Migration20261121100000_filed_issues extends Migration {
  override up() {
    // Instants in milliseconds, because a claim is given back by the very end of its lease.
    this.addSql(`create table filed_issues (
      operation_id uuid primary key,
      codehost_id bigint not null,
      idempotency_key text,
      request_hash text not null,
      subject_hash text not null,
      claimed_at bigint not null,
      lease_until bigint not null,
      number int,
      html_url text,
      issue_created_at bigint,
      unique (codehost_id, idempotency_key)
    )`);
    this.addSql(`create index filed_issues_by_age on filed_issues (claimed_at)`);
  }
}
