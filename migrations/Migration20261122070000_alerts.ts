import { Migration } from '@mikro-orm/migrations';

export class Migration20261122070000_alerts extends Migration {
  override up() {
    this.addSql(`create table alert_rules (
      id int generated always as identity primary key,
      scope text not null,
      scope_kind text not null check (scope_kind in ('repo', 'org')),
      scope_key text not null,
      metric text not null,
      threshold float8 not null,
      window_hours int not null,
      min_sample int,
      channel text not null check (channel in ('browser', 'email', 'digest', 'slack')),
      destination text,
      enabled boolean not null,
      muted_until timestamptz,
      owner_note text,
      delivery_failing_since timestamptz,
      created_by text not null,
      created_at timestamptz not null,
      updated_by text not null,
      updated_at timestamptz not null
    )`);
    this.addSql(`create unique index alert_rules_once on alert_rules
      (scope_key, metric, threshold, window_hours, channel, coalesce(destination, ''))`);
    this.addSql(`create index alert_rules_enabled on alert_rules (scope_key) where enabled`);
    // How a rule stands in a repository: one noisy repository of an organization does not silence the others.
    this.addSql(`create table alert_rule_state (
      rule_id int not null references alert_rules on delete cascade,
      repo_id int not null,
      last_fired_at timestamptz,
      last_evaluated_at timestamptz not null,
      last_value float8,
      last_sample int not null,
      breaching boolean not null,
      incomplete text,
      primary key (rule_id, repo_id)
    )`);
    // An event tells all that is to be told of it, because its rule may be changed or deleted.
    this.addSql(`create table alert_events (
      id bigint generated always as identity primary key,
      rule_id int references alert_rules on delete set null,
      scope text not null,
      scope_key text not null,
      repo_id int,
      metric text not null,
      threshold float8 not null,
      window_hours int not null,
      value float8,
      sample_size int not null,
      source text not null check (source in ('sync', 'webhook', 'cron', 'test')),
      computed_at timestamptz not null,
      fired_at timestamptz not null,
      details jsonb not null,
      channel text not null,
      destination text,
      delivery_status text not null check (delivery_status in ('none', 'pending', 'sent', 'failed', 'batched')),
      delivery_attempts int not null default 0,
      delivery_error text,
      digest_id bigint,
      digest_sent_at timestamptz,
      resolved_at timestamptz,
      is_test boolean not null
    )`);
    this.addSql('create index alert_events_newest on alert_events (fired_at desc, id desc)');
    this.addSql('create index alert_events_of_scope on alert_events (scope_key, fired_at desc, id desc)');
    this.addSql(`create index alert_events_open on alert_events (rule_id, repo_id) where resolved_at is null`);
    this.addSql(`create index alert_events_pending on alert_events (id) where delivery_status = 'pending'`);
    this.addSql(`create index alert_events_batched on alert_events (destination) where delivery_status = 'batched'`);
    this.addSql(`create table digest_sends (
      id bigint generated always as identity primary key,
      kind text not null check (kind in ('daily', 'leadership')),
      slot text not null,
      rule_id int references alert_rules on delete set null,
      destination text not null,
      status text not null check (status in ('claimed', 'sent', 'failed', 'missed')),
      attempts int not null default 0,
      events int not null,
      error text,
      started_at timestamptz not null,
      finished_at timestamptz
    )`);
    this.addSql(`create unique index digest_sends_weekly on digest_sends (rule_id, slot) where kind = 'leadership'`);
    this.addSql(`create index digest_sends_open on digest_sends (kind) where status = 'claimed'`);
    // Repositories whose runs changed since rules were last evaluated over them.
    this.addSql('create table alert_due (repo_id int primary key, since timestamptz not null)');
  }
}
