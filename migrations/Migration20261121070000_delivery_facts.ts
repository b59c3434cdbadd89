import { Migration } from '@mikro-orm/migrations';

export class Migration20261121070000_delivery_facts extends Migration {
  override up() {
    for (const statement of [...facts, ...identities, answers]) this.addSql(statement);
  }
}

const facts = [
  `create table fact_ledgers (
    repo_id int not null references repos on delete cascade,
    kind text not null,
    floor timestamptz not null,
    through timestamptz not null,
    capped boolean not null,
    total int,
    newest_at timestamptz,
    primary key (repo_id, kind)
  )`,
  `create table pr_facts (
    repo_id int not null,
    number int not null,
    author_id bigint,
    state text not null,
    is_draft boolean not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    closed_at timestamptz,
    merged_at timestamptz,
    merged_by_id bigint,
    base_branch text not null,
    head_branch text not null,
    head_sha text,
    labels jsonb not null,
    additions int not null,
    deletions int not null,
    changed_files int not null,
    commit_count int not null,
    first_commit_at timestamptz,
    is_revert boolean not null,
    reviews jsonb not null,
    reviews_truncated boolean not null,
    clock jsonb not null,
    html_url text not null,
    primary key (repo_id, number)
  )`,
  'create index pr_facts_by_end on pr_facts (repo_id, coalesce(merged_at, closed_at) desc)',
  `create table branch_commits (
    repo_id int not null,
    sha text not null,
    author_id bigint,
    author_name text not null,
    authored_at timestamptz not null,
    committed_at timestamptz not null,
    parents int not null,
    additions int,
    deletions int,
    changed_files int,
    primary key (repo_id, sha)
  )`,
  'create index branch_commits_by_time on branch_commits (repo_id, committed_at desc)',
  `create table issue_facts (
    repo_id int not null,
    number int not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    closed_at timestamptz,
    close_reason text,
    closed_by_bot boolean not null,
    author_id bigint,
    labels jsonb not null,
    assignees jsonb not null,
    comments int not null,
    html_url text not null,
    primary key (repo_id, number)
  )`,
  `create index issue_facts_by_end on issue_facts (repo_id, coalesce(closed_at, 'infinity') desc)`,
  `create table deployment_facts (
    repo_id int not null,
    id bigint not null,
    environment text not null,
    created_at timestamptz not null,
    sha text not null,
    ref text,
    creator_id bigint,
    statuses jsonb not null,
    url text,
    primary key (repo_id, id)
  )`,
  'create index deployment_facts_by_time on deployment_facts (repo_id, created_at desc)',
  `create table release_facts (
    repo_id int not null,
    tag text not null,
    published_at timestamptz not null,
    is_prerelease boolean not null,
    is_draft boolean not null,
    html_url text not null,
    primary key (repo_id, tag)
  )`,
  'create index release_facts_by_time on release_facts (repo_id, published_at desc)',
];

/** Keys compare by code units in every database, whatever its language. */
const identities = [
  `create table identity_links (
    alias_key text collate "C" primary key,
    alias text not null,
    primary_key text collate "C" not null,
    primary_login text not null,
    created_by text not null,
    created_at timestamptz not null,
    check (alias_key <> primary_key)
  )`,
  'create index identity_links_by_primary on identity_links (primary_key)',
  // The lock makes writers take turns: two at once could each add one half of a chain.
  `create function identity_links_refuse_chain() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(7246115);
      if exists (select from identity_links l join identity_links p on p.alias_key = l.primary_key
                 where new.alias_key in (l.alias_key, p.alias_key)) then
        raise exception 'The primary of an identity link is never an alias itself.'
          using errcode = 'check_violation', constraint = 'identity_links_no_chain', table = 'identity_links';
      end if;
      return null;
    end
  $$`,
  `create trigger identity_links_no_chain after insert or update on identity_links
    for each row execute function identity_links_refuse_chain()`,
  `create table distinct_pairs (
    a_key text collate "C" not null,
    b_key text collate "C" not null,
    a text not null,
    b text not null,
    created_by text not null,
    created_at timestamptz not null,
    primary key (a_key, b_key),
    check (a_key < b_key)
  )`,
];

const answers = `create table kept_answers (
  key text primary key,
  value jsonb not null,
  made_at timestamptz not null,
  expires_at timestamptz not null
)`;
