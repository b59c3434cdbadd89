import type { FactKind, FactOf } from '../../facts/shelf.ts';

/** How the field of a fact is kept; `account` by its key in `accounts`, `reviews` with such keys in it. */
export type Keeping = 'text' | 'int' | 'bigint' | 'boolean' | 'instant' | 'json' | 'account' | 'reviews' | 'not kept';

/** Where the facts of a kind are kept. Names of columns follow from those of the fields: see `columnOf`. */
export interface FactTable<Kind extends FactKind> {
  table: string;
  fields: { readonly [Field in keyof FactOf[Kind]]: Keeping };
  /** The field that tells facts of a repository apart; see `identityOf`. */
  key: keyof FactOf[Kind] & string;
  /** `mattersAt` as the index of the table has it. */
  mattersAt: string;
  /** Facts that matter at no instant; none where left out. */
  never?: string;
  /** `versionOf` a row; left out where facts never change. */
  version?: (row: string) => string;
}

export const factTables: { readonly [Kind in FactKind]: FactTable<Kind> } = {
  pull_requests: {
    table: 'pr_facts',
    fields: {
      number: 'int',
      title: 'not kept',
      author: 'account',
      state: 'text',
      isDraft: 'boolean',
      createdAt: 'instant',
      updatedAt: 'instant',
      closedAt: 'instant',
      mergedAt: 'instant',
      mergedBy: 'account',
      baseBranch: 'text',
      headBranch: 'text',
      headSha: 'text',
      labels: 'json',
      additions: 'int',
      deletions: 'int',
      changedFiles: 'int',
      commitCount: 'int',
      firstCommitAt: 'instant',
      isRevert: 'boolean',
      reviews: 'reviews',
      reviewsTruncated: 'boolean',
      clock: 'json',
      htmlUrl: 'text',
    },
    key: 'number',
    mattersAt: 'coalesce(merged_at, closed_at)',
    never: `state = 'open'`,
    version: (row) => `${row}.updated_at`,
  },
  commits: {
    table: 'branch_commits',
    fields: {
      sha: 'text',
      author: 'account',
      authorName: 'text',
      authoredAt: 'instant',
      committedAt: 'instant',
      parents: 'int',
      additions: 'int',
      deletions: 'int',
      changedFiles: 'int',
    },
    key: 'sha',
    mattersAt: 'committed_at',
  },
  issues: {
    table: 'issue_facts',
    fields: {
      number: 'int',
      title: 'not kept',
      createdAt: 'instant',
      updatedAt: 'instant',
      closedAt: 'instant',
      closeReason: 'text',
      closedByBot: 'boolean',
      author: 'account',
      labels: 'json',
      assignees: 'json',
      comments: 'int',
      htmlUrl: 'text',
    },
    key: 'number',
    mattersAt: `coalesce(closed_at, 'infinity')`,
    version: (row) => `${row}.updated_at`,
  },
  deployments: {
    table: 'deployment_facts',
    fields: {
      id: 'bigint',
      environment: 'text',
      createdAt: 'instant',
      sha: 'text',
      ref: 'text',
      creator: 'account',
      statuses: 'json',
      url: 'text',
    },
    key: 'id',
    mattersAt: 'created_at',
    version: (row) => `jsonb_array_length(${row}.statuses)`,
  },
  releases: {
    table: 'release_facts',
    fields: { tag: 'text', publishedAt: 'instant', isPrerelease: 'boolean', isDraft: 'boolean', htmlUrl: 'text' },
    key: 'tag',
    mattersAt: 'published_at',
  },
};

/** `mergedBy` is kept in `merged_by_id`, and so on. */
export const columnOf = (field: string, keeping: Keeping): string =>
  `${field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}${keeping === 'account' ? '_id' : ''}`;
