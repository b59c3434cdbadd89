-- Stores facts that the platform lists: pull requests, commits of the default branch, issues, deployments and releases.
--
-- SQL, because facts come by the thousand, as JSON. The same fact twice counts once, the newer or later copy of it, and
-- nothing newer is replaced, nor what is known of merge queues by a copy of the same version that lacks it. A fact counts at its last event: a pull request when it was merged or closed, an issue
-- when it was closed. Facts before `floor` count in no window; :floor and the instants in JSON are epoch milliseconds.
-- Tests: tests/store/facts.test.ts, purge.test.ts. Bench: tests/bench/facts.mjs.

-- name: upsert_pull_requests
insert into pr_facts as stored (repo_id,
  number, author_id, state, is_draft, created_at, updated_at, closed_at, merged_at, merged_by_id, base_branch,
  head_branch, head_sha, labels, additions, deletions, changed_files, commit_count, first_commit_at, is_revert,
  reviews, reviews_truncated, clock, merge_queue, html_url)
select distinct on (number) :repo_id::int,
  number, author_id, state, is_draft, created_at, updated_at, closed_at, merged_at, merged_by_id, base_branch,
  head_branch, head_sha, labels, additions, deletions, changed_files, commit_count, first_commit_at, is_revert,
  reviews, reviews_truncated, clock, merge_queue, html_url
from (
  select number, author as author_id, state, "isDraft" as is_draft, to_timestamp("createdAt" / 1000) as created_at,
    to_timestamp("updatedAt" / 1000) as updated_at, to_timestamp("closedAt" / 1000) as closed_at,
    to_timestamp("mergedAt" / 1000) as merged_at, "mergedBy" as merged_by_id, "baseBranch" as base_branch,
    "headBranch" as head_branch, "headSha" as head_sha, labels, additions, deletions,
    "changedFiles" as changed_files, "commitCount" as commit_count,
    to_timestamp("firstCommitAt" / 1000) as first_commit_at, "isRevert" as is_revert, reviews,
    "reviewsTruncated" as reviews_truncated, clock,
    -- Of two copies of one version what is known of merge queues stays.
    first_value("mergeQueue") over (partition by number, "updatedAt" order by "mergeQueue" is null, place desc)
      as merge_queue,
    "htmlUrl" as html_url, place
  from rows from (json_to_recordset(:facts::json) as (
    number int, author bigint, state text, "isDraft" boolean, "createdAt" float8, "updatedAt" float8, "closedAt" float8,
    "mergedAt" float8, "mergedBy" bigint, "baseBranch" text, "headBranch" text, "headSha" text, labels jsonb,
    additions int, deletions int, "changedFiles" int, "commitCount" int, "firstCommitAt" float8, "isRevert" boolean,
    reviews jsonb, "reviewsTruncated" boolean, clock jsonb, "mergeQueue" jsonb,
    "htmlUrl" text))
    with ordinality as sent(
    number, author, state, "isDraft", "createdAt", "updatedAt", "closedAt", "mergedAt", "mergedBy", "baseBranch",
    "headBranch", "headSha", labels, additions, deletions, "changedFiles", "commitCount", "firstCommitAt",
    "isRevert", reviews, "reviewsTruncated", clock, "mergeQueue", "htmlUrl", place)
) given
order by number, given.updated_at desc, place desc
on conflict (repo_id, number) do update set (
  number, author_id, state, is_draft, created_at, updated_at, closed_at, merged_at, merged_by_id, base_branch,
  head_branch, head_sha, labels, additions, deletions, changed_files, commit_count, first_commit_at, is_revert,
  reviews, reviews_truncated, clock, merge_queue, html_url
) = row (
  excluded.number, excluded.author_id, excluded.state, excluded.is_draft, excluded.created_at, excluded.updated_at,
  excluded.closed_at, excluded.merged_at, excluded.merged_by_id, excluded.base_branch, excluded.head_branch,
  excluded.head_sha, excluded.labels, excluded.additions, excluded.deletions, excluded.changed_files,
  excluded.commit_count, excluded.first_commit_at, excluded.is_revert, excluded.reviews, excluded.reviews_truncated,
  excluded.clock,
  case when excluded.updated_at = stored.updated_at then coalesce(excluded.merge_queue, stored.merge_queue)
    else excluded.merge_queue end,
  excluded.html_url)
where excluded.updated_at >= stored.updated_at and (
  stored.number, stored.author_id, stored.state, stored.is_draft, stored.created_at, stored.updated_at,
  stored.closed_at, stored.merged_at, stored.merged_by_id, stored.base_branch, stored.head_branch, stored.head_sha,
  stored.labels, stored.additions, stored.deletions, stored.changed_files, stored.commit_count,
  stored.first_commit_at, stored.is_revert, stored.reviews, stored.reviews_truncated, stored.clock,
  stored.merge_queue, stored.html_url
) is distinct from (
  excluded.number, excluded.author_id, excluded.state, excluded.is_draft, excluded.created_at, excluded.updated_at,
  excluded.closed_at, excluded.merged_at, excluded.merged_by_id, excluded.base_branch, excluded.head_branch,
  excluded.head_sha, excluded.labels, excluded.additions, excluded.deletions, excluded.changed_files,
  excluded.commit_count, excluded.first_commit_at, excluded.is_revert, excluded.reviews, excluded.reviews_truncated,
  excluded.clock,
  case when excluded.updated_at = stored.updated_at then coalesce(excluded.merge_queue, stored.merge_queue)
    else excluded.merge_queue end,
  excluded.html_url)
returning jsonb_array_length(stored.reviews) as reviews;

-- name: upsert_commits
insert into branch_commits as stored (repo_id,
  sha, author_id, author_name, authored_at, committed_at, parents, additions, deletions, changed_files)
select distinct on (sha) :repo_id::int,
  sha, author_id, author_name, authored_at, committed_at, parents, additions, deletions, changed_files
from (
  select sha, author as author_id, "authorName" as author_name, to_timestamp("authoredAt" / 1000) as authored_at,
    to_timestamp("committedAt" / 1000) as committed_at, parents, additions, deletions,
    "changedFiles" as changed_files, place
  from rows from (json_to_recordset(:facts::json) as (
    sha text, author bigint, "authorName" text, "authoredAt" float8, "committedAt" float8, parents int, additions int,
    deletions int, "changedFiles" int))
    with ordinality as sent(
    sha, author, "authorName", "authoredAt", "committedAt", parents, additions, deletions, "changedFiles", place)
) given
order by sha, place desc
on conflict (repo_id, sha) do update set (
  sha, author_id, author_name, authored_at, committed_at, parents, additions, deletions, changed_files
) = row (
  excluded.sha, excluded.author_id, excluded.author_name, excluded.authored_at, excluded.committed_at,
  excluded.parents, excluded.additions, excluded.deletions, excluded.changed_files)
where (
  stored.sha, stored.author_id, stored.author_name, stored.authored_at, stored.committed_at, stored.parents,
  stored.additions, stored.deletions, stored.changed_files
) is distinct from (
  excluded.sha, excluded.author_id, excluded.author_name, excluded.authored_at, excluded.committed_at,
  excluded.parents, excluded.additions, excluded.deletions, excluded.changed_files);

-- name: upsert_issues
insert into issue_facts as stored (repo_id,
  number, created_at, updated_at, closed_at, close_reason, closed_by_bot, author_id, labels, assignees, comments,
  html_url)
select distinct on (number) :repo_id::int,
  number, created_at, updated_at, closed_at, close_reason, closed_by_bot, author_id, labels, assignees, comments,
  html_url
from (
  select number, to_timestamp("createdAt" / 1000) as created_at, to_timestamp("updatedAt" / 1000) as updated_at,
    to_timestamp("closedAt" / 1000) as closed_at, "closeReason" as close_reason,
    "closedByBot" as closed_by_bot, author as author_id, labels, assignees, comments, "htmlUrl" as html_url,
    place
  from rows from (json_to_recordset(:facts::json) as (
    number int, "createdAt" float8, "updatedAt" float8, "closedAt" float8, "closeReason" text, "closedByBot" boolean,
    author bigint, labels jsonb, assignees jsonb, comments int, "htmlUrl" text))
    with ordinality as sent(
    number, "createdAt", "updatedAt", "closedAt", "closeReason", "closedByBot", author, labels, assignees, comments,
    "htmlUrl", place)
) given
order by number, given.updated_at desc, place desc
on conflict (repo_id, number) do update set (
  number, created_at, updated_at, closed_at, close_reason, closed_by_bot, author_id, labels, assignees, comments,
  html_url
) = row (
  excluded.number, excluded.created_at, excluded.updated_at, excluded.closed_at, excluded.close_reason,
  excluded.closed_by_bot, excluded.author_id, excluded.labels, excluded.assignees, excluded.comments,
  excluded.html_url)
where excluded.updated_at >= stored.updated_at and (
  stored.number, stored.created_at, stored.updated_at, stored.closed_at, stored.close_reason, stored.closed_by_bot,
  stored.author_id, stored.labels, stored.assignees, stored.comments, stored.html_url
) is distinct from (
  excluded.number, excluded.created_at, excluded.updated_at, excluded.closed_at, excluded.close_reason,
  excluded.closed_by_bot, excluded.author_id, excluded.labels, excluded.assignees, excluded.comments,
  excluded.html_url);

-- name: upsert_deployments
insert into deployment_facts as stored (repo_id,
  id, environment, created_at, sha, ref, creator_id, statuses, url)
select distinct on (id) :repo_id::int,
  id, environment, created_at, sha, ref, creator_id, statuses, url
from (
  select id, environment, to_timestamp("createdAt" / 1000) as created_at, sha, ref, creator as creator_id, statuses,
    url, place
  from rows from (json_to_recordset(:facts::json) as (
    id bigint, environment text, "createdAt" float8, sha text, ref text, creator bigint, statuses jsonb, url text))
    with ordinality as sent(
    id, environment, "createdAt", sha, ref, creator, statuses, url, place)
) given
order by id, jsonb_array_length(given.statuses) desc, place desc
on conflict (repo_id, id) do update set (
  id, environment, created_at, sha, ref, creator_id, statuses, url
) = row (
  excluded.id, excluded.environment, excluded.created_at, excluded.sha, excluded.ref, excluded.creator_id,
  excluded.statuses, excluded.url)
where jsonb_array_length(excluded.statuses) >= jsonb_array_length(stored.statuses) and (
  stored.id, stored.environment, stored.created_at, stored.sha, stored.ref, stored.creator_id, stored.statuses,
  stored.url
) is distinct from (
  excluded.id, excluded.environment, excluded.created_at, excluded.sha, excluded.ref, excluded.creator_id,
  excluded.statuses, excluded.url);

-- name: upsert_releases
insert into release_facts as stored (repo_id,
  tag, published_at, is_prerelease, is_draft, html_url)
select distinct on (tag) :repo_id::int,
  tag, published_at, is_prerelease, is_draft, html_url
from (
  select tag, to_timestamp("publishedAt" / 1000) as published_at, "isPrerelease" as is_prerelease,
    "isDraft" as is_draft, "htmlUrl" as html_url, place
  from rows from (json_to_recordset(:facts::json) as (
    tag text, "publishedAt" float8, "isPrerelease" boolean, "isDraft" boolean, "htmlUrl" text))
    with ordinality as sent(
    tag, "publishedAt", "isPrerelease", "isDraft", "htmlUrl", place)
) given
order by tag, place desc
on conflict (repo_id, tag) do update set (
  tag, published_at, is_prerelease, is_draft, html_url
) = row (
  excluded.tag, excluded.published_at, excluded.is_prerelease, excluded.is_draft, excluded.html_url)
where (
  stored.tag, stored.published_at, stored.is_prerelease, stored.is_draft, stored.html_url
) is distinct from (
  excluded.tag, excluded.published_at, excluded.is_prerelease, excluded.is_draft, excluded.html_url);

-- name: delete_other_pull_requests
delete from pr_facts
where repo_id = :repo_id::int and (coalesce(merged_at, closed_at) < to_timestamp(:floor::float8 / 1000)) is not true
  and not exists (select from unnest(:keys::int[]) listed (key) where listed.key = pr_facts.number);

-- name: delete_pull_requests_before
with deleted as (
  delete from pr_facts where repo_id = :repo_id::int and number in (
    select number from pr_facts
    where repo_id = :repo_id::int and coalesce(merged_at, closed_at) < to_timestamp(:floor::float8 / 1000)
    limit :batch::int)
  returning 1
)
select count(*)::int as rows from deleted;

-- name: delete_other_commits
delete from branch_commits
where repo_id = :repo_id::int and (committed_at < to_timestamp(:floor::float8 / 1000)) is not true
  and not exists (select from unnest(:keys::text[]) listed (key) where listed.key = branch_commits.sha);

-- name: delete_commits_before
with deleted as (
  delete from branch_commits where repo_id = :repo_id::int and sha in (
    select sha from branch_commits
    where repo_id = :repo_id::int and committed_at < to_timestamp(:floor::float8 / 1000)
    limit :batch::int)
  returning 1
)
select count(*)::int as rows from deleted;

-- name: delete_other_issues
delete from issue_facts
where repo_id = :repo_id::int and (coalesce(closed_at, 'infinity') < to_timestamp(:floor::float8 / 1000)) is not true
  and not exists (select from unnest(:keys::int[]) listed (key) where listed.key = issue_facts.number);

-- name: delete_issues_before
with deleted as (
  delete from issue_facts where repo_id = :repo_id::int and number in (
    select number from issue_facts
    where repo_id = :repo_id::int and coalesce(closed_at, 'infinity') < to_timestamp(:floor::float8 / 1000)
    limit :batch::int)
  returning 1
)
select count(*)::int as rows from deleted;

-- name: delete_other_deployments
delete from deployment_facts
where repo_id = :repo_id::int and (created_at < to_timestamp(:floor::float8 / 1000)) is not true
  and not exists (select from unnest(:keys::bigint[]) listed (key) where listed.key = deployment_facts.id);

-- name: delete_deployments_before
with deleted as (
  delete from deployment_facts where repo_id = :repo_id::int and id in (
    select id from deployment_facts
    where repo_id = :repo_id::int and created_at < to_timestamp(:floor::float8 / 1000)
    limit :batch::int)
  returning 1
)
select count(*)::int as rows from deleted;

-- name: delete_other_releases
delete from release_facts
where repo_id = :repo_id::int and (published_at < to_timestamp(:floor::float8 / 1000)) is not true
  and not exists (select from unnest(:keys::text[]) listed (key) where listed.key = release_facts.tag);

-- name: delete_releases_before
with deleted as (
  delete from release_facts where repo_id = :repo_id::int and tag in (
    select tag from release_facts
    where repo_id = :repo_id::int and published_at < to_timestamp(:floor::float8 / 1000)
    limit :batch::int)
  returning 1
)
select count(*)::int as rows from deleted;
