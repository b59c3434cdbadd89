-- Commits of merged pull requests: stores and reads them, and reads working habits from them.
--
-- SQL, because the commits of a year are a hundred thousand rows: habits are read as columns of numbers in one answer,
-- each the text of an array, because as rows they would cost more than the reading itself. Instants are epoch
-- milliseconds.
-- Tests: tests/store/pull-request-commits.test.ts, working-habits.test.ts. Bench: tests/bench/working-habits.mjs.

-- name: working_habits
-- Merged pull requests and their commits, by author. Where a login is given, what its account did alone: then pull
-- requests of others come along where they hold a commit of this account, and `others` counts the commits beside these.
-- A login has one account for each picture that it had. `repeats` are commits that came by an earlier merge already.
select 'pull requests' as kind, a.login, a.avatar_url as "avatarUrl", a.is_bot as "isBot", null as name,
  g.repo_ids::text as "repoIds", g.numbers::text, g.files::text, g.lines::text, null as positions,
  g.merged_at::text as "mergedAt", g.truncated::text, g.others::text
from (
  select p.author_id, array_agg(p.repo_id) as repo_ids, array_agg(p.number) as numbers,
    array_agg(p.changed_files) as files, array_agg(p.additions + p.deletions) as lines,
    array_agg(round(date_part('epoch', p.merged_at) * 1000)::bigint) as merged_at,
    array_agg(p.commits_truncated::int) as truncated,
    array_agg(case when p.commits_synced_at is not null then case when :login::text is null then 0 else (
      select count(*)::int from commit_facts c
      where c.repo_id = p.repo_id and c.pr_number = p.number and not c.is_merge and (c.author_id = any(array(
        select id from accounts where lower(login) = lower(:login) and not is_bot))) is not true
    ) end end) as others
  from pr_facts p
  where coalesce(p.merged_at, p.closed_at) >= to_timestamp(:from::float8 / 1000)
    and p.repo_id = any(:repo_ids::int[]) and p.merged_at >= to_timestamp(:from::float8 / 1000)
    and p.merged_at < to_timestamp(:to::float8 / 1000)
    and (:login::text is null
      or p.author_id = any(array(select id from accounts where lower(login) = lower(:login) and not is_bot))
      or (p.repo_id, p.number) in (
        select c.repo_id, c.pr_number from commit_facts c
        where c.repo_id = any(:repo_ids::int[]) and c.merged_at >= to_timestamp(:from::float8 / 1000)
          and c.merged_at < to_timestamp(:to::float8 / 1000) and not c.is_merge
          and c.author_id = any(array(select id from accounts where lower(login) = lower(:login) and not is_bot))))
  group by p.author_id
) g left join accounts a on a.id = g.author_id
union all
select 'commits', a.login, a.avatar_url, a.is_bot, g.name, g.repo_ids::text, g.numbers::text, g.files::text,
  g.lines::text, g.positions::text, null, null, null
from (
  select c.author_id, case when c.author_id is null then c.author_name end as name,
    array_agg(c.repo_id) as repo_ids, array_agg(c.pr_number) as numbers, array_agg(c.changed_files) as files,
    array_agg(c.additions + c.deletions) as lines, array_agg(c.position) as positions
  from commit_facts c
  where c.repo_id = any(:repo_ids::int[]) and c.merged_at >= to_timestamp(:from::float8 / 1000)
    and c.merged_at < to_timestamp(:to::float8 / 1000) and not c.is_merge
    and (:login::text is null
      or c.author_id = any(array(select id from accounts where lower(login) = lower(:login) and not is_bot)))
  group by 1, 2
) g left join accounts a on a.id = g.author_id
union all
select 'repeats', null, null, null, null, array_agg(c.repo_id)::text, array_agg(c.pr_number)::text, null, null,
  array_agg(c.position)::text, null, null, null
from commit_facts c
where c.repo_id = any(:repo_ids::int[]) and c.merged_at >= to_timestamp(:from::float8 / 1000)
  and c.merged_at < to_timestamp(:to::float8 / 1000) and not c.is_merge
  and (:login::text is null
    or c.author_id = any(array(select id from accounts where lower(login) = lower(:login) and not is_bot)))
  and exists (
    select from commit_facts earlier
    where earlier.repo_id = any(:repo_ids::int[]) and earlier.merged_at < to_timestamp(:to::float8 / 1000)
      and earlier.repo_id = c.repo_id and earlier.sha = c.sha
      and (earlier.merged_at, earlier.pr_number) < (c.merged_at, c.pr_number))
having count(*) > 0;

-- name: commit_shas
-- One look into the index for each: joined, the complete table would be read for a few.
select (
  select c.sha from commit_facts c
  where c.repo_id = requested.repo_id and c.pr_number = requested.number and c.position = requested.position
    and (:login::text is null
      or c.author_id = any(array(select id from accounts where lower(login) = lower(:login) and not is_bot)))
  limit 1
) as sha
from unnest(:repo_ids::int[], :numbers::int[], :positions::int[]) with ordinality
  requested (repo_id, number, position, place)
order by requested.place;

-- name: habit_coverage
select (count(*) filter (where c.synced_through is not null and c.resume is null))::int as "reposSynced",
  case when bool_and(c.synced_through is not null)
    then round(date_part('epoch', min(c.synced_through)) * 1000) end as "syncedThrough",
  round(date_part('epoch', max(c.last_finished_at)) * 1000) as "lastRunAt"
from unnest(:repo_ids::int[]) requested (id)
left join sync_cursors c on c.repo_id = requested.id and c.kind = 'commits';

-- name: insert_commits
-- The same commit twice counts once, where it came first.
insert into commit_facts (repo_id, pr_number, sha, position, merged_at, author_id, author_name, authored_at, is_merge,
  additions, deletions, changed_files)
select distinct on (sha) :repo_id::int, :number::int, sha, place, merged_at, author, "authorName",
  to_timestamp("authoredAt" / 1000), parents > 1, additions, deletions, "changedFiles"
from rows from (json_to_recordset(:commits::json) as (sha text, author bigint, "authorName" text, "authoredAt" float8,
    parents int, additions int, deletions int, "changedFiles" int))
  with ordinality
    as sent (sha, author, "authorName", "authoredAt", parents, additions, deletions, "changedFiles", place),
  (select merged_at from pr_facts where repo_id = :repo_id::int and number = :number::int) pull_request
order by sha, place
returning sha;

-- name: merged_commits
-- Each commit once, where it was merged first: stacked pull requests, and those from one branch into the next, share some.
select stored.pr_number as "prNumber", round(date_part('epoch', stored.merged_at) * 1000) as "mergedAt",
  pull_request.author_id::text as "prAuthor", stored.sha, stored.author_id::text as author,
  stored.author_name as "authorName", round(date_part('epoch', stored.authored_at) * 1000) as "authoredAt",
  stored.is_merge as "isMerge", stored.additions, stored.deletions, stored.changed_files as "changedFiles"
from commit_facts stored
join pr_facts pull_request on pull_request.repo_id = stored.repo_id and pull_request.number = stored.pr_number
where stored.repo_id = :repo_id::int and stored.merged_at >= to_timestamp(:since::float8 / 1000)
  and pull_request.commits_synced_at is not null and not exists (
    select from commit_facts earlier
    where earlier.repo_id = stored.repo_id and earlier.sha = stored.sha
      and (earlier.merged_at, earlier.pr_number) < (stored.merged_at, stored.pr_number))
order by stored.merged_at desc, stored.pr_number desc, stored.position;

-- name: commit_coverage
select count(*)::float8 as merged, count(commits_synced_at)::float8 as synced,
  (count(*) filter (where commits_synced_at is not null and commits_truncated))::float8 as truncated,
  coalesce(sum(unmeasured.commits), 0)::float8 as unmeasured,
  (select round(date_part('epoch', synced_through) * 1000) from sync_cursors
    where repo_id = :repo_id::int and kind = 'commits') as through
from pr_facts pull_request
cross join lateral (
  select count(*) as commits from commit_facts stored
  where stored.repo_id = pull_request.repo_id and stored.pr_number = pull_request.number
    and pull_request.commits_synced_at is not null and not stored.is_merge
    and (stored.additions is null or stored.deletions is null or stored.changed_files is null)
) unmeasured
where pull_request.repo_id = :repo_id::int and pull_request.merged_at >= to_timestamp(:since::float8 / 1000);
