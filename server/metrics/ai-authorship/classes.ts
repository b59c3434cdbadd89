/** What a pull request is by its marks: exactly one, in the order in which they are tried. */
export const authorshipClasses = ['automation', 'agent_authored', 'ai_assisted', 'unmarked', 'unread'] as const;

export type AuthorshipClass = (typeof authorshipClasses)[number];

/** What can be found at a pull request or its commits, M1 to M7; the order is that of the stored bits. */
export const markKinds = [
  'author_account',
  'author_app',
  'commit_authors',
  'branch_prefix',
  'co_author',
  'label',
  'trailer',
] as const;

export type MarkKind = (typeof markKinds)[number];

/** Those of a pull request that an agent opened or wrote all of. */
export const authoringKinds = [
  'author_account',
  'author_app',
  'commit_authors',
  'branch_prefix',
] as const satisfies readonly MarkKind[];

/** What kind of work a pull request is, in the order in which the words are looked for. */
export const changeTypes = ['fix', 'feature', 'docs', 'test', 'dependency', 'refactor', 'chore', 'other'] as const;

export type ChangeType = (typeof changeTypes)[number];

/** Stands beside every share, in every CSV and on every print. */
export const authorshipNote = 'No mark does not mean written by a person. Marked shares are lower bounds.';
