-- What can be found by its name in repositories that the reader can see.
--
-- SQL, because a repository has runs and pull requests by the hundred thousand and few names: workflows are listed step
-- by step along workflow_runs_by_workflow, authors from the pull requests that pr_facts_by_end finds.
-- Tests: tests/reports/search/search.test.ts.

-- name: workflows_named
-- Workflows with stored runs whose latest name holds :text, the latest run first.
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
-- People who closed or merged pull requests of these repositories since :since, by login, with the owner of one.
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
