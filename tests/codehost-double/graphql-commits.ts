import type { Instant } from '../../server/metrics/kernel/facts.ts';
import { type DoubleCommit, newestFirst, parentsOf, touches } from './delivery.ts';
import { commitParts } from './graphql-commit-parts.ts';
import { connection, type Paging } from './graphql-connection.ts';
import { GraphqlRequestError, person, userId, type View } from './graphql-view.ts';
import { moment, webAddress } from './wire.ts';
import type { DoubleRepository } from './world.ts';

/** The newest commit of the default branch; null when there is none. */
export function headCommit(view: View, one: DoubleRepository) {
  const newest = newestFirst(one.commits)[0];
  if (newest) noteHistory(one, newest);
  return newest ? commit(view, one, newest) : null;
}

/** The commits behind each head that was reported: the platform keeps them when they are on no branch any more. */
const histories = new WeakMap<DoubleRepository, Map<string, Set<string>>>();

/** A commit's id stands for all that led to it: a world that changes what lies behind its newest one breaks the rules. */
function noteHistory(one: DoubleRepository, { sha }: DoubleCommit) {
  const reported = histories.get(one) ?? new Map<string, Set<string>>();
  histories.set(one, reported);
  const now = new Set(one.commits.map((each) => each.sha));
  const before = reported.get(sha) ?? now;
  if (before.size !== now.size || missingIn(before, now) > 0) throw new Error(`The history behind ${sha} was another`);
  reported.set(sha, now);
}

const missingIn = (some: Set<string>, others: Set<string>) => [...some].filter((sha) => !others.has(sha)).length;

/** The default branch as a base, compared with a commit it ended in when it was reported; null for any other commit. */
export function comparison(one: DoubleRepository, headRef: string) {
  const then = histories.get(one)?.get(headRef);
  if (!then) return null;
  const now = new Set(one.commits.map(({ sha }) => sha));
  return { aheadBy: missingIn(then, now), behindBy: missingIn(now, then) };
}

/** A commit of a repository, on its default branch or on another. */
export function commit(view: View, one: DoubleRepository, given: DoubleCommit) {
  const { sha, message, files } = given;
  const rollup = one.headStatus === null ? null : { id: `SR_${sha}`, state: one.headStatus.toUpperCase() };
  return {
    __typename: 'Commit',
    id: `C_${sha}`,
    oid: sha,
    abbreviatedOid: sha.slice(0, 7),
    message,
    messageHeadline: message.split('\n')[0] ?? '',
    committedDate: moment(given.committedAt),
    authoredDate: moment(given.authoredAt),
    // The platform does not tell it any more.
    pushedDate: null,
    url: `${webAddress(one.facts)}/commit/${sha}`,
    statusCheckRollup: rollup,
    additions: files.reduce((sum, file) => sum + file.additions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
    changedFiles: files.length,
    changedFilesIfAvailable: files.length,
    parents: (args: Paging) => connection(parentsOf(one.commits, given), args, (each) => commit(view, one, each)),
    author: gitActor(given, given.authoredAt),
    authors: (args: Paging) => connection(authorsOf(given), args, (each) => each),
    committer: gitActor({ ...given, author: given.committer ?? given.author }, given.committedAt),
    ...commitParts(view, one, given),
    repository: () => view.repository(one),
    history: (args: HistoryArgs) => connection(history(one, given, args), args, (each) => commit(view, one, each)),
  };
}

/** The git author first, then those of trailers, of whom no account is known here. */
const authorsOf = (given: DoubleCommit) => [
  gitActor(given, given.authoredAt),
  ...(given.coAuthors ?? []).map(({ name, email }) => ({
    ...gitActor(given, given.authoredAt),
    name,
    email,
    user: null,
  })),
];

function gitActor({ author, authorName, authorEmail, offset }: DoubleCommit, at: Instant) {
  return {
    name: authorName,
    email: authorEmail ?? `${authorName.toLowerCase().replace(/[^a-z0-9]+/g, '.')}@mail.codehost.example`,
    date: gitMoment(at, offset),
    user: author && person(author),
    avatarUrl: author?.avatarUrl ?? 'https://avatars.codehost.example/unknown',
  };
}

/** An instant as the author's own clock showed it. */
function gitMoment(at: Instant, offset: number): string {
  if (offset === 0) return moment(at);
  const two = (value: number) => String(Math.floor(Math.abs(value))).padStart(2, '0');
  const zone = `${offset < 0 ? '-' : '+'}${two(offset / 60)}:${two(offset % 60)}`;
  return moment(at + offset * 60_000).replace('Z', zone);
}

interface HistoryArgs extends Paging {
  since?: string | null;
  until?: string | null;
  path?: string | null;
  author?: { id?: string | null; emails?: string[] | null } | null;
}

/** The commits up to one of them, newest first. `since` and `until` filter on the committer's time. */
function history({ commits }: DoubleRepository, upTo: DoubleCommit, args: HistoryArgs): DoubleCommit[] {
  const [since, until] = [instantOr(args.since, -Infinity), instantOr(args.until, Infinity)];
  return newestFirst(commits)
    .filter((one) => one.committedAt <= upTo.committedAt)
    .filter((one) => one.committedAt >= since && one.committedAt <= until)
    .filter((one) => !args.path || touches(one, args.path.replace(/\/$/, '')))
    .filter((one) => !args.author || isBy(one, args.author));
}

function isBy(one: DoubleCommit, { id, emails }: NonNullable<HistoryArgs['author']>): boolean {
  if (emails?.length) return emails.includes(gitActor(one, 0).email);
  return id ? one.author !== null && userId(one.author.login) === id : true;
}

function instantOr(text: string | null | undefined, otherwise: number): number {
  if (!text) return otherwise;
  const instant = Date.parse(text);
  if (Number.isNaN(instant)) throw new GraphqlRequestError('INVALID', `"${text}" is no time.`);
  return instant;
}
