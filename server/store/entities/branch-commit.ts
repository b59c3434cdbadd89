import { defineEntity, p } from '@mikro-orm/core';
import { instant } from './types.ts';

/** A commit of the default branch. */
export const BranchCommit = defineEntity({
  name: 'BranchCommit',
  tableName: 'branch_commits',
  properties: {
    repoId: p.integer().primary(),
    sha: p.text().primary(),
    authorId: p.bigint('string').strictNullable(),
    authorName: p.text(),
    authoredAt: instant(),
    committedAt: instant(),
    parents: p.integer(),
    additions: p.integer().strictNullable(),
    deletions: p.integer().strictNullable(),
    changedFiles: p.integer().strictNullable(),
  },
  indexes: [
    {
      name: 'branch_commits_by_time',
      properties: ['repoId', 'committedAt'],
      columns: [{ name: 'repo_id' }, { name: 'committed_at', sort: 'desc' }],
    },
  ],
});
