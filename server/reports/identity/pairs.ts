import type { Commit, PullRequest } from '../../metrics/kernel/delivery-facts.ts';
import type { Actor } from '../../metrics/kernel/facts.ts';
import { compareLogins, loginKey, type People } from '../../metrics/people/people.ts';

/** Why two may be one person, the strongest reason first. */
export const likenesses = ['same_name', 'similar_login', 'name_like_login'] as const;

/** An account, or the name of a git author without one. */
export interface Contributor {
  /** The name, where there is no account. */
  login: string;
  isAccount: boolean;
  /** Names that the account's commits carry. */
  names: ReadonlySet<string>;
  /** In how many commits, pull requests, merges and reviews. */
  seen: number;
}

export interface Likeness {
  alias: Contributor;
  /** Always an account: the one that is seen more often. */
  primary: Contributor;
  reason: (typeof likenesses)[number];
  /** The name that they share, as it is written. */
  name: string | null;
}

/** Everybody behind these facts but the bots. */
export function listContributors(
  { pullRequests, commits }: { pullRequests: readonly PullRequest[]; commits: readonly Commit[] },
  people: People,
): Contributor[] {
  const found = new Map<string, Contributor & { names: Set<string>; seen: number }>();
  const note = (key: string, login: string, isAccount: boolean) => {
    const known = found.get(key) ?? { login, isAccount, names: new Set(), seen: 0 };
    known.seen += 1;
    found.set(key, known);
    return known;
  };
  const noteAccount = (actor: Actor | null) =>
    actor === null || people.isBot(actor) ? null : note(`account ${loginKey(actor.login)}`, actor.login, true);
  for (const { author, mergedBy, reviews } of pullRequests)
    for (const actor of [author, mergedBy, ...(reviews ?? []).map(({ reviewer }) => reviewer)]) noteAccount(actor);
  for (const commit of commits) {
    if (commit.isAuthorUnread || people.isBotAuthor(commit)) continue;
    const { author, authorName } = commit;
    (noteAccount(author) ?? note(`name ${loginKey(authorName)}`, authorName, false)).names.add(authorName);
  }
  return [...found.values()];
}

/** Pairs that look like one person, the strongest reasons and the most active first. */
export function findLikenesses(contributors: readonly Contributor[], owner: string): Likeness[] {
  const spellings = contributors.flatMap((contributor) => listSpellings(contributor, owner));
  const found = new Map<string, Likeness>();
  for (const alike of Map.groupBy(spellings, ({ spelling }) => spelling).values())
    for (const [index, one] of alike.entries())
      for (const other of alike.slice(index + 1)) {
        const likeness = findLikeness(one, other);
        const key = likeness && `${loginKey(likeness.alias.login)} ${loginKey(likeness.primary.login)}`;
        const known = key === null ? undefined : found.get(key);
        if (key !== null && likeness && (!known || rank(likeness) < rank(known))) found.set(key, likeness);
      }
  return [...found.values()].sort(
    (a, b) =>
      rank(a) - rank(b) ||
      b.alias.seen - a.alias.seen ||
      compareLogins(a.primary.login, b.primary.login) ||
      compareLogins(a.alias.login, b.alias.login),
  );
}

const rank = ({ reason }: Likeness) => likenesses.indexOf(reason);

interface Spelling {
  contributor: Contributor;
  spelling: string;
  /** The name that it comes from; null where it is the login's. */
  name: string | null;
}

/** Too short or too common to identify anybody. */
const shortest = 4;
const common = new Set(['root', 'admin', 'user', 'unknown', 'nobody', 'developer', 'build', 'ubuntu', 'test']);

function listSpellings(contributor: Contributor, owner: string): Spelling[] {
  const { login, isAccount, names } = contributor;
  const namesSpelled = [...names].map((name) => ({ contributor, spelling: plain(name), name }));
  const loginSpelled = isAccount ? [{ contributor, spelling: plainLogin(login, owner), name: null }] : [];
  return [...namesSpelled, ...loginSpelled].filter(
    ({ spelling }) => spelling.length >= shortest && !common.has(spelling),
  );
}

function findLikeness(one: Spelling, other: Spelling): Likeness | null {
  if (one.contributor === other.contributor) return null;
  const [primary, alias] = [one.contributor, other.contributor].sort(
    (a, b) => Number(b.isAccount) - Number(a.isAccount) || b.seen - a.seen || compareLogins(a.login, b.login),
  );
  if (!primary?.isAccount || !alias) return null;
  const name = one.name ?? other.name;
  const isMixed = one.name === null || other.name === null;
  return { alias, primary, name, reason: name === null ? 'similar_login' : isMixed ? 'name_like_login' : 'same_name' };
}

/** Letters and digits alone, without accents and case. */
const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/đ/g, 'd')
    .replace(/[^\p{L}\p{N}]/gu, '');

/** A login without what companies add: their name, their short name after an underscore, or a number. */
function plainLogin(login: string, owner: string): string {
  const added = new Set(['work', 'corp', 'dev', 'inc', 'hq', owner.toLowerCase()]);
  const [name = ''] = login.split('_');
  const parts = name.split('-').filter((part) => !added.has(part.toLowerCase()));
  return plain(parts.join('')).replace(/\d+$/, '');
}
