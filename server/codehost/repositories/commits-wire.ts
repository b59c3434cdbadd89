import { z } from 'zod';
import type { Commit } from '../../metrics/kernel/delivery-facts.ts';
import { accountFields, graphqlAccount } from '../accounts/graphql-people.ts';
import { instant, integer, maybeInstant } from '../client/wire.ts';
import type { ActorOf } from '../runs/wire.ts';

/** The field of a branch that compares it with a commit; null where the platform has the commit no more. */
export const comparison = 'compare';

/** Schema of the default branch with its newest commit, and a comparison where one is requested. */
export const branchWith = <S extends z.ZodRawShape>(target: S) => ({
  // An empty repository has no branch.
  defaultBranchRef: z
    .object({ target: z.object(target).partial().nullish(), [comparison]: compared.nullish() })
    .nullish(),
});

const compared = z.object({ aheadBy: integer, behindBy: integer });

/** Everything a commit's facts need; goes with the fragment for accounts. */
export const commitFragment = `
fragment CommitFields on Commit {
  oid authoredDate committedDate additions deletions changedFilesIfAvailable
  parents { totalCount }
  author { name date user { ...Account } }
}`;

export const commitFields = `${commitFragment}\n${accountFields}`;

/** Schema that converts a commit into a fact; the git author's time is read in UTC, addresses are not requested. */
export const commitReader = (toActor: ActorOf) =>
  wireCommit.transform((wire): Commit => {
    const name = withoutAddress(wire.author?.name ?? '');
    const author = toActor(wire.author?.user ?? botNamed(name));
    return {
      sha: wire.oid,
      author,
      isAuthorUnread: (author === null && isUnread(wire)) || undefined,
      authorName: name,
      authoredAt: wire.author?.date ?? wire.authoredDate,
      committedAt: wire.committedDate,
      parents: wire.parents.totalCount,
      additions: wire.additions ?? null,
      deletions: wire.deletions ?? null,
      changedFiles: wire.changedFilesIfAvailable ?? null,
      isChangedFilesUnread: wire.isChangedFilesUnread,
    };
  });

const wireCommit = z.object({
  oid: z.string(),
  authoredDate: instant,
  committedDate: instant,
  additions: integer.nullish(),
  deletions: integer.nullish(),
  changedFilesIfAvailable: integer.nullish(),
  isChangedFilesUnread: z.literal(true).optional(),
  parents: z.object({ totalCount: integer }),
  author: z
    .object({
      name: z.string().nullish(),
      isNameUnread: z.literal(true).optional(),
      date: maybeInstant,
      user: graphqlAccount,
      isUserUnread: z.literal(true).optional(),
    })
    .nullish(),
  isAuthorUnread: z.literal(true).optional(),
});

/** Who has an account is known by it, all others by their name. */
const isUnread = ({ author, isAuthorUnread }: z.output<typeof wireCommit>) =>
  isAuthorUnread || author?.isUserUnread || author?.isNameUnread || false;

/** Who never gave git their name may go by an e-mail address: of that only the part before the @ is stored. */
const withoutAddress = (name: string) =>
  name.replace(/(?<=\S)\s*<[^<>\s]+@[^<>\s]+>/g, '').replace(/<?([^\s<>@]+)@[^\s<>@]+>?/g, '$1');

/** A bot's commits belong to no user: its name is all there is. */
const botNamed = (name: string) =>
  /\[bot\]$/i.test(name) ? { login: name.replace(/\[bot\]$/i, ''), avatar_url: null, type: 'Bot' } : null;
