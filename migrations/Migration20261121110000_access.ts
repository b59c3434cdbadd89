import { Migration } from '@mikro-orm/migrations';

export class Migration20261121110000_access extends Migration {
  override up() {
    for (const statement of [...accounts, ...grants(), ...audit, ...sessions]) this.addSql(statement);
  }
}

const accounts = [
  `create table users (
    codehost_id bigint primary key,
    login text not null,
    login_key text collate "C" not null,
    name text,
    avatar_url text not null,
    first_seen_at timestamptz not null,
    last_seen_at timestamptz not null,
    last_denied_at timestamptz,
    last_denied_code text
  )`,
  'create index users_by_login on users (login_key)',
  'create index users_by_last_seen on users (last_seen_at desc, login_key)',
  `create table user_groups (
    codehost_id bigint not null references users,
    group_name text not null check (group_name in ('admin', 'devops', 'security', 'dev', 'pm')),
    granted_by text not null,
    granted_at timestamptz not null,
    primary key (codehost_id, group_name)
  )`,
  'create index user_groups_by_name on user_groups (group_name)',
  // Only that somebody was a member is remembered, never that they were not.
  `create table org_membership_cache (
    codehost_id bigint not null,
    org_key text collate "C" not null,
    role text not null,
    checked_at timestamptz not null,
    primary key (codehost_id, org_key)
  )`,
];

/** What the four editable groups may do until an administrator says otherwise. */
const granted = {
  devops: `dora prLifecycle deployments anomalyDetection performanceTab reliabilityTab runnerUtilization teamInsights
    reviewBottleneck busFactor issueHealth securityScan securityAlerts auditTrail orgOverview healthScorecard
    costAnalytics reports dataSync alerts aiInsights codehostIssueFromAnomaly`,
  security: 'securityScan securityAlerts auditTrail orgOverview alerts',
  dev: `dora prLifecycle deployments anomalyDetection performanceTab reliabilityTab teamInsights reviewBottleneck
    busFactor issueHealth securityScan orgOverview reports alerts aiInsights codehostIssueFromAnomaly`,
  pm: `dora prLifecycle deployments teamInsights reviewBottleneck busFactor contributorProfile issueHealth orgOverview
    healthScorecard costAnalytics reports alerts aiInsights`,
};

const grants = () => [
  `create table group_permissions (
    group_name text not null check (group_name in ('devops', 'security', 'dev', 'pm')),
    flag text not null,
    granted boolean not null,
    updated_by text not null,
    updated_at timestamptz not null,
    primary key (group_name, flag)
  )`,
  ...Object.entries(granted).map(
    ([group, flags]) => `insert into group_permissions (group_name, flag, granted, updated_by, updated_at)
      select '${group}', flag, true, 'system', now() from unnest(array[${quoted(flags)}]) flag`,
  ),
];

const quoted = (flags: string) => flags.split(/\s+/).map((flag) => `'${flag}'`);

/**
 * Append-only, each entry sealed with the hash of the one before it, so that a changed or removed entry shows.
 * Entries get their number under the lock, so that the order of numbers is the order of the chain.
 */
const audit = [
  `create table audit_log (
    id bigint primary key,
    at timestamptz not null,
    category text not null,
    action text not null,
    actor_id bigint,
    actor_login text not null,
    target_type text not null,
    target text not null,
    before jsonb,
    after jsonb,
    request_id text,
    note text,
    previous_hash bytea,
    hash bytea not null
  )`,
  'create index audit_log_by_category on audit_log (category, id desc)',
  `create function audit_log_hash(entry audit_log) returns bytea language sql stable as $$
    select sha256(convert_to(jsonb_build_array(
      entry.id, (extract(epoch from entry.at) * 1000000)::bigint, entry.category, entry.action, entry.actor_id,
      entry.actor_login, entry.target_type, entry.target, entry.before, entry.after, entry.request_id, entry.note,
      encode(entry.previous_hash, 'hex'))::text, 'UTF8'))
  $$`,
  `create function audit_log_chain() returns trigger language plpgsql as $$
    declare
      last record;
    begin
      perform pg_advisory_xact_lock(7246116);
      select id, hash into last from audit_log order by id desc limit 1;
      new.id := coalesce(last.id, 0) + 1;
      new.previous_hash := last.hash;
      new.hash := audit_log_hash(new);
      return new;
    end
  $$`,
  `create trigger audit_log_chain before insert on audit_log
    for each row execute function audit_log_chain()`,
  `create function audit_log_refuse() returns trigger language plpgsql as $$
    begin
      raise exception 'The audit log is append-only.' using errcode = 'insufficient_privilege';
    end
  $$`,
  `create trigger audit_log_append_only before update or delete or truncate on audit_log
    for each statement execute function audit_log_refuse()`,
];

/** Which token a session carries, as a hash: signing out gives the token back when no other session uses it. */
const sessions = ['alter table sessions add column token_hash bytea'];
