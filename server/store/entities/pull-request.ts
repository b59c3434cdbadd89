import { defineEntity, p } from '@mikro-orm/core';
import type { MergeQueueHistory } from '../../metrics/kernel/delivery-facts.ts';
import { instant } from './types.ts';

/** A pull request as it was last read. */
export const PullRequest = defineEntity({
  name: 'PullRequest',
  tableName: 'pr_facts',
  properties: {
    repoId: p.integer().primary(),
    number: p.integer().primary(),
    authorId: p.bigint('string').strictNullable(),
    state: p.text(),
    isDraft: p.boolean(),
    createdAt: instant(),
    updatedAt: instant(),
    closedAt: instant().strictNullable(),
    mergedAt: instant().strictNullable(),
    mergedById: p.bigint('string').strictNullable(),
    baseBranch: p.text(),
    headBranch: p.text(),
    headSha: p.text().strictNullable(),
    labels: p.json<string[]>(),
    additions: p.integer(),
    deletions: p.integer(),
    changedFiles: p.integer(),
    commitCount: p.integer(),
    firstCommitAt: instant().strictNullable(),
    isRevert: p.boolean(),
    reviews: p.json<unknown>(),
    reviewsTruncated: p.boolean(),
    clock: p.json<unknown>(),
    mergeQueue: p.json<MergeQueueHistory>().strictNullable(),
    htmlUrl: p.text(),
    commitsSyncedAt: instant().strictNullable(),
    commitsTruncated: p.boolean().default(false),
  },
  indexes: [
    {
      name: 'pr_facts_by_end',
      expression: `create index pr_facts_by_end on pr_facts (repo_id, coalesce(merged_at, closed_at) desc)`,
    },
    {
      name: 'pr_facts_commits_due',
      properties: ['repoId', 'mergedAt'],
      columns: [{ name: 'repo_id' }, { name: 'merged_at', sort: 'desc' }],
      where: `merged_at is not null and commits_synced_at is null`,
    },
  ],
});

/** A commit of a merged pull request; `merged_at` is that of the pull request, so that one index serves a window. */
export const PullRequestCommit = defineEntity({
  name: 'PullRequestCommit',
  tableName: 'commit_facts',
  properties: {
    repoId: p.integer().primary(),
    prNumber: p.integer().primary(),
    sha: p.text().primary(),
    position: p.integer(),
    mergedAt: instant(),
    authorId: p.bigint('string').strictNullable(),
    authorName: p.text(),
    authoredAt: instant(),
    isMerge: p.boolean(),
    additions: p.integer().strictNullable(),
    deletions: p.integer().strictNullable(),
    changedFiles: p.integer().strictNullable(),
  },
  indexes: [
    {
      name: 'commit_facts_by_merge',
      properties: ['repoId', 'mergedAt'],
      columns: [{ name: 'repo_id' }, { name: 'merged_at', sort: 'desc' }],
      include: ['prNumber', 'authorId', 'isMerge', 'additions', 'deletions', 'changedFiles'],
    },
  ],
});
