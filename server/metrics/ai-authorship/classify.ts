import type { Instant } from '../kernel/facts.ts';
import type { People } from '../people/people.ts';
import { type AgentRow, isValidAt } from './agents.ts';
import { type AuthorshipClass, authoringKinds, type MarkKind } from './classes.ts';

/** Somebody whom a commit names, as git has them. */
export interface CommitPerson {
  name: string;
  address: string;
}

export interface CommitSigns {
  isMerge: boolean;
  /** The git author first, then those of `Co-authored-by` trailers. */
  authors: readonly CommitPerson[];
  committer: CommitPerson | null;
  message: string;
}

/** What of a pull request can carry a mark. It is held in memory only, until it is classified. */
export interface PullRequestSigns {
  createdAt: Instant;
  /** null for a deleted account; the id where the platform gave it. */
  author: { id: number | null; login: string; isBot: boolean } | null;
  headBranch: string;
  /** Whether the head branch is in a fork. */
  isFromFork: boolean;
  /** The slug of the app through which it was opened; null where none is known of. */
  app: string | null;
  /** null where they could not be read. */
  labels: readonly string[] | null;
  commits: readonly CommitSigns[];
  /** Whether these are all of its commits, with all of their authors. */
  isComplete: boolean;
}

/** What marks are looked for by. */
export interface MarkTable {
  agents: readonly AgentRow[];
  labels: readonly string[];
  people: Pick<People, 'isBot'>;
}

/** What a pull request is reduced to. */
export interface Marks {
  class: AuthorshipClass;
  agent: string | null;
  kinds: readonly MarkKind[];
  /** A head branch as an agent names them, and no other sign: no mark. */
  isBranchOnly: boolean;
  /** Its head branch speaks for an agent that opens pull requests through an app, and no record says whose it is. */
  isOpenerWanted: boolean;
  /** Something matched a row that does not count for its date. */
  isBeforeRow: boolean;
  /** A bot opened it: by the platform or the settings of the service, never by a row of the table. */
  isOfMachine: boolean;
  isComplete: boolean;
}

/** What a pull request is by its marks, contract of the three answers, section 3.2; the first class that fits. */
export function classify(signs: PullRequestSigns, table: MarkTable): Marks {
  const { agents, labels } = table;
  const rows = withoutDenied(agents.filter((row) => isValidAt(row, signs.createdAt)));
  const isComplete = signs.isComplete && signs.labels !== null;
  const authoring = findAuthoring(signs, rows);
  const isOfMachine = isBot(signs, table);
  const none = { isBranchOnly: false, isOpenerWanted: false, isBeforeRow: false, isOfMachine, isComplete };
  if (isAutomation(signs, table, authoring)) return { class: 'automation', agent: null, kinds: [], ...none };
  const assisting = findAssisting(signs, rows, labels);
  const named = rows.find((row) => isPrefixOf(row, signs.headBranch));
  const prefix = signs.isFromFork ? undefined : named;
  const marks = [...authoring, ...findByBranch(prefix, signs, rows), ...assisting];
  const kinds = marks.map(({ kind }) => kind);
  const agent = marks.find((mark) => mark.agent !== null)?.agent ?? null;
  if (marks.some(({ kind }) => isAuthoring(kind))) return { class: 'agent_authored', agent, kinds, ...none };
  const rest = { ...none, isOpenerWanted: named !== undefined && rows.some((row) => isAppOf(row, named.agent)) };
  if (marks.length > 0) return { class: 'ai_assisted', agent, kinds, ...rest };
  const isBeforeRow = agents.length > rows.length && hasMark(signs, withoutDenied(agents), labels);
  const unmarked = { agent: null, kinds, ...rest, isBranchOnly: prefix !== undefined, isBeforeRow };
  return { class: isComplete ? 'unmarked' : 'unread', ...unmarked };
}

interface Mark {
  kind: MarkKind;
  agent: string | null;
}

const isAuthoring = (kind: MarkKind): boolean => authoringKinds.some((one) => one === kind);

const isBot = ({ author }: PullRequestSigns, { people }: MarkTable): boolean =>
  author !== null && people.isBot({ login: author.login, avatarUrl: '', isBot: author.isBot });

/** A bot that is no agent of the table, or one that reviews and did not write all of it. */
function isAutomation(signs: PullRequestSigns, table: MarkTable, authoring: readonly Mark[]): boolean {
  const { author } = signs;
  if (!author || !isBot(signs, table)) return false;
  const own = table.agents.filter((row) => row.effect !== 'none' && isAccount(row, author));
  if (own.some(({ effect }) => effect !== 'review')) return false;
  return own.length === 0 || !authoring.some(({ kind }) => kind === 'commit_authors');
}

/** Marks M1 to M3: records that an agent opened it, or wrote all of it. */
function findAuthoring({ author, app, commits, isComplete }: PullRequestSigns, rows: readonly AgentRow[]): Mark[] {
  const marks: Mark[] = [];
  const account = author && rows.find((row) => row.effect === 'author' && isAccount(row, author));
  if (account) marks.push({ kind: 'author_account', agent: account.agent });
  const opener = app === null ? undefined : rows.find((row) => isAppOfAuthor(row, app));
  if (opener) marks.push({ kind: 'author_app', agent: opener.agent });
  const firstAuthors = commits.filter(({ isMerge }) => !isMerge).map(({ authors }) => authors[0]);
  const found = firstAuthors.map((one) => one && rows.find((row) => row.effect !== 'none' && isIdentity(row, one)));
  if (isComplete && found[0] && found.every((row) => row !== undefined))
    marks.push({ kind: 'commit_authors', agent: found[0].agent });
  return marks;
}

/** Marks M5 to M7: an agent took part. */
function findAssisting(
  { commits, labels: own }: PullRequestSigns,
  rows: readonly AgentRow[],
  labels: readonly string[],
): Mark[] {
  const marks: Mark[] = [];
  const coAuthors = commits.flatMap(({ authors }) => authors.slice(1));
  const taking = rows.filter(isTaking);
  const coAuthor = taking.find((row) => coAuthors.some((one) => isIdentity(row, one)));
  if (coAuthor) marks.push({ kind: 'co_author', agent: coAuthor.agent });
  const named = new Set(labels.map((label) => label.toLowerCase()));
  if (own?.some((label) => named.has(label.toLowerCase()))) marks.push({ kind: 'label', agent: null });
  const trailer = taking.find((row) => row.kind === 'trailer' && commits.some((one) => isInTrailers(row, one)));
  if (trailer) marks.push({ kind: 'trailer', agent: trailer.agent });
  return marks;
}

/** Mark M4: a head branch as an agent names them, with the identity of an agent on a commit. */
function findByBranch(prefix: AgentRow | undefined, { commits }: PullRequestSigns, rows: readonly AgentRow[]): Mark[] {
  if (!prefix) return [];
  const people = commits.flatMap(({ authors, committer }) => [...authors.slice(1), ...(committer ? [committer] : [])]);
  const isSigned = rows.filter(isTaking).some((row) => people.some((one) => isIdentity(row, one)));
  return isSigned ? [{ kind: 'branch_prefix', agent: prefix.agent }] : [];
}

/** Whether any row would mark it, whatever its dates. */
const hasMark = (signs: PullRequestSigns, agents: readonly AgentRow[], labels: readonly string[]): boolean =>
  [...findAuthoring(signs, agents), ...findAssisting(signs, agents, labels)].length > 0;

/** Whether an app of this slug opens pull requests as their author. */
export const isAppOfAuthor = ({ kind, effect, value }: AgentRow, slug: string): boolean =>
  kind === 'app' && effect === 'author' && value === slug;

const isAppOf = ({ kind, effect, agent }: AgentRow, wanted: string): boolean =>
  kind === 'app' && effect === 'author' && agent === wanted;

const isPrefixOf = (row: AgentRow, branch: string): boolean =>
  row.kind === 'branch' && isTaking(row) && branch.startsWith(row.value) && branch.length > row.value.length;

/** Whether what it stands for writes, alone or with somebody. */
const isTaking = ({ effect }: AgentRow): boolean => effect === 'author' || effect === 'assist';

/** Without those that another row of the same kind and value denies. */
function withoutDenied(rows: readonly AgentRow[]): readonly AgentRow[] {
  const toKey = ({ kind, value }: AgentRow) => `${kind} ${value.toLowerCase()}`;
  const denied = new Set(rows.filter(({ effect }) => effect === 'none').map(toKey));
  return denied.size === 0 ? rows : rows.filter((row) => !denied.has(toKey(row)));
}

/** By id; by login only for a bot, because people may have the same one. */
function isAccount({ kind, value }: AgentRow, { id, login, isBot }: NonNullable<PullRequestSigns['author']>): boolean {
  if (kind !== 'account') return false;
  if (id !== null && value === String(id)) return true;
  return isBot && value.toLowerCase() === `${login.toLowerCase().replace(/\[bot\]$/, '')}[bot]`;
}

/** By the id in an address that the platform gives to accounts, or by an exact address of the table; never by a name. */
function isIdentity({ kind, value }: AgentRow, { address }: CommitPerson): boolean {
  const given = address.toLowerCase();
  if (kind === 'account') return /^(\d+)\+[^@]+@users\.noreply\./.exec(given)?.[1] === value;
  if (kind !== 'address') return false;
  const own = value.toLowerCase();
  return own.startsWith('@') ? given.endsWith(own) : given === own;
}

/** In the last paragraph of the message, from the start of a line; or at the end of the author's name. */
function isInTrailers({ value }: AgentRow, { message, authors }: CommitSigns): boolean {
  if (value.startsWith('(')) return authors[0]?.name.endsWith(` ${value}`) ?? false;
  const paragraphs = message.trimEnd().split(/\r?\n[ \t]*\r?\n/);
  if (paragraphs.length < 2) return false;
  return (paragraphs.at(-1) ?? '').split(/\r?\n/).some((line) => line.trimEnd() === value);
}
