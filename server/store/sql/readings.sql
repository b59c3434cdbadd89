-- Reads facts, and how far repositories have been read; finds workflows and people by name.
--
-- SQL, because thousands of facts become JSON's numbers faster in the database than row by row in the program, and the
-- rows of many repositories are counted and compared where they are. Instants are epoch milliseconds.
-- Tests: tests/store/run-histories.test.ts, facts.test.ts, tests/alerts/replay.test.ts,
-- tests/reports/search/search.test.ts. Bench: tests/bench/facts.mjs.

-- name: runs_known_from
-- A forward pass that was interrupted left a gap below where it came to; before its first page it left none.
select round(date_part('epoch', greatest(kept_from, reached)) * 1000) as from
from rollup_zone, (
  select case when resume->>'kind' = 'forward' and (resume->>'readDownTo')::float8 <= (resume->>'through')::float8
    then to_timestamp((resume->>'readDownTo')::float8 / 1000) else backfilled_to end as reached
  from sync_cursors where repo_id = :repo_id::int and kind = 'runs'
) cursor
where reached is not null;

-- name: run_versions
select repository.id as "repoId", repository.codehost_repo_id::float8 as "codehostId",
  concat(newest.id, ' ', (
    select count(*) from workflow_runs where repo_id = repository.id and status <> 'completed')) as mark,
  round(extract(epoch from cursor.synced_through) * 1000)::float8 as "syncedThrough"
from repos repository
join sync_cursors cursor on cursor.repo_id = repository.id and cursor.kind = 'runs'
cross join lateral (
  select id from workflow_runs where repo_id = repository.id order by created_at desc, id desc limit 1) newest
where repository.codehost_repo_id = any(:codehost_ids::bigint[]) and repository.tracked
  and cursor.synced_through is not null;

-- name: pull_requests_since
select number, null as title, author_id::text as author, state, is_draft as "isDraft",
  round(date_part('epoch', created_at) * 1000) as "createdAt",
  round(date_part('epoch', updated_at) * 1000) as "updatedAt",
  round(date_part('epoch', closed_at) * 1000) as "closedAt",
  round(date_part('epoch', merged_at) * 1000) as "mergedAt", merged_by_id::text as "mergedBy",
  base_branch as "baseBranch", head_branch as "headBranch", head_sha as "headSha", labels, additions, deletions,
  changed_files as "changedFiles", commit_count as "commitCount",
  round(date_part('epoch', first_commit_at) * 1000) as "firstCommitAt", is_revert as "isRevert", reviews,
  reviews_truncated as "reviewsTruncated", clock, merge_queue as "mergeQueue", html_url as "htmlUrl"
from pr_facts
where repo_id = (select id from repos where codehost_repo_id = :codehost_id::bigint)
  and coalesce(merged_at, closed_at) >= to_timestamp(:since::float8 / 1000) and not (state = 'open')
order by coalesce(merged_at, closed_at) desc, number;

-- name: commits_since
select sha, author_id::text as author, author_name as "authorName",
  round(date_part('epoch', authored_at) * 1000) as "authoredAt",
  round(date_part('epoch', committed_at) * 1000) as "committedAt", parents, additions, deletions,
  changed_files as "changedFiles"
from branch_commits
where repo_id = (select id from repos where codehost_repo_id = :codehost_id::bigint)
  and committed_at >= to_timestamp(:since::float8 / 1000)
order by committed_at desc, sha;

-- name: issues_since
select number, null as title, round(date_part('epoch', created_at) * 1000) as "createdAt",
  round(date_part('epoch', updated_at) * 1000) as "updatedAt",
  round(date_part('epoch', closed_at) * 1000) as "closedAt", close_reason as "closeReason",
  closed_by_bot as "closedByBot", author_id::text as author, labels, assignees, comments, html_url as "htmlUrl"
from issue_facts
where repo_id = (select id from repos where codehost_repo_id = :codehost_id::bigint)
  and coalesce(closed_at, 'infinity') >= to_timestamp(:since::float8 / 1000)
order by coalesce(closed_at, 'infinity') desc, number;

-- name: deployments_since
select id::float8 as id, environment, round(date_part('epoch', created_at) * 1000) as "createdAt", sha, ref,
  creator_id::text as creator, statuses, url
from deployment_facts
where repo_id = (select id from repos where codehost_repo_id = :codehost_id::bigint)
  and created_at >= to_timestamp(:since::float8 / 1000)
order by created_at desc, id;

-- name: releases_since
select tag, round(date_part('epoch', published_at) * 1000) as "publishedAt", is_prerelease as "isPrerelease",
  is_draft as "isDraft", html_url as "htmlUrl"
from release_facts
where repo_id = (select id from repos where codehost_repo_id = :codehost_id::bigint)
  and published_at >= to_timestamp(:since::float8 / 1000)
order by published_at desc, tag;

-- name: repository_readings
-- The oldest fact of a kind is found by the index of its table over time.
with known as (
  select id, codehost_repo_id, owner, name, owner_key, name_key, tracked, unreachable_since, last_error_code
  from repos where codehost_repo_id = any (:codehost_ids::bigint[])
),
job_totals as (
  select repo_id, count(*) as attempts, max(read_at) as last_read_at
  from job_readings where repo_id in (select id from known) group by repo_id
)
select known.codehost_repo_id::float8 as "codehostId", known.owner, known.name as repo, known.tracked,
  round(date_part('epoch', known.unreachable_since) * 1000) as "unreachableSince",
  known.last_error_code as "lastErrorCode",
  coalesce(cursors.list, '[]') as cursors, coalesce(states.list, '[]') as states,
  round(date_part('epoch', (select min(created_at) from workflow_runs where repo_id = known.id)) * 1000)
    as "firstRunAt",
  merged.counts as merged,
  json_build_object('attempts', coalesce(job_totals.attempts, 0),
    'lastReadAt', round(date_part('epoch', job_totals.last_read_at) * 1000)) as jobs
from known
cross join lateral (
  select json_agg(json_build_object('kind', kind,
    'syncedThrough', round(date_part('epoch', synced_through) * 1000),
    'backfilledTo', round(date_part('epoch', backfilled_to) * 1000), 'resume', resume,
    'lastFinishedAt', round(date_part('epoch', last_finished_at) * 1000), 'lastError', last_error)) as list
  from sync_cursors where repo_id = known.id
) cursors
cross join lateral (
  select json_agg(json_build_object('kind', kind, 'floor', round(date_part('epoch', floor) * 1000),
    'through', round(date_part('epoch', through) * 1000), 'capped', capped,
    'oldestAt', case when capped then round(date_part('epoch', case kind
      when 'pull_requests' then (
        select min(coalesce(merged_at, closed_at)) from pr_facts where repo_id = state.repo_id)
      when 'commits' then (select min(committed_at) from branch_commits where repo_id = state.repo_id)
      when 'issues' then (
        select nullif(min(coalesce(closed_at, 'infinity')), 'infinity') from issue_facts where repo_id = state.repo_id)
      when 'deployments' then (select min(created_at) from deployment_facts where repo_id = state.repo_id)
      when 'releases' then (select min(published_at) from release_facts where repo_id = state.repo_id)
      end) * 1000) end)) as list
  from fact_sync_state state where repo_id = known.id
) states
cross join lateral (
  select json_build_object('total', count(*), 'unread', count(*) filter (where commits_synced_at is null),
    'truncated', count(*) filter (where commits_truncated),
    'oldestReadAt',
    round(date_part('epoch', min(merged_at) filter (where commits_synced_at is not null)) * 1000),
    'newestReadAt',
    round(date_part('epoch', max(merged_at) filter (where commits_synced_at is not null)) * 1000)) as counts
  from pr_facts
  where repo_id = known.id and coalesce(merged_at, closed_at) >= to_timestamp(:merged_since::float8 / 1000)
    and merged_at is not null
) merged
left join job_totals on job_totals.repo_id = known.id
order by known.owner_key, known.name_key;

-- name: workflows_named
-- Workflows with stored runs whose latest name holds the text, the latest run first: listed step by step along
-- workflow_runs_by_workflow, because a repository has runs by the hundred thousand and few names.
with recursive step as (
  select known.repo_id, (select min(workflow_id) from workflow_runs w where w.repo_id = known.repo_id) as workflow_id
  from unnest(:repo_ids::int[]) as known (repo_id)
  union all
  select repo_id,
    (select min(workflow_id) from workflow_runs w where w.repo_id = step.repo_id and w.workflow_id > step.workflow_id)
  from step where workflow_id is not null
)
select step.repo_id as "repoId", step.workflow_id::float8 as "workflowId", newest.workflow_name as workflow
from step cross join lateral (
  select w.workflow_name, w.created_at from workflow_runs w
  where w.repo_id = step.repo_id and w.workflow_id = step.workflow_id and w.workflow_name is not null
  order by w.created_at desc limit 1
) newest
where strpos(lower(newest.workflow_name), lower(:text)) > 0
order by newest.created_at desc, step.repo_id, step.workflow_id
limit :limit::int;

-- name: authors_named
-- People who closed or merged pull requests of these repositories since :since, by login, with the owner of one; read
-- from the pull requests that pr_facts_by_end finds.
select accounts.login, min(repos.owner) as owner
from pr_facts
join accounts on accounts.id = pr_facts.author_id
join repos on repos.id = pr_facts.repo_id
where pr_facts.repo_id = any(:repo_ids::int[])
  and coalesce(pr_facts.merged_at, pr_facts.closed_at) >= to_timestamp(:since::float8 / 1000)
  and not accounts.is_bot and strpos(lower(accounts.login), lower(:text)) > 0
group by accounts.login
order by accounts.login
limit :limit::int;

-- name: logins_among
-- Each account of GitHub, user and alias whose login is one of these words, in lower case.
select lower(login) as login from accounts where not is_bot and lower(login) = any(:words::text[])
union
select login_key from users where login_key = any(:words::text[])
union
select alias_key from identity_links where alias_key = any(:words::text[])
union
select lower(alias) from identity_links where lower(alias) = any(:words::text[]);
