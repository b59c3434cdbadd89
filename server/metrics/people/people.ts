import type { Actor } from '../kernel/facts.ts';

/** Whose login or git author's name `alias` is: that of the login `primary`. Never a chain. */
export interface IdentityLink {
  alias: string;
  primary: string;
  /** The alias is the name of a git author, and says nothing of the account of that login; absent: it is a login. */
  isName?: true;
}

/** Who is who: accounts of one person have one key, and bots are distinguished. */
export interface People {
  /** Opaque; equal exactly when it is the same person, and never equal for a bot and a human. */
  toKey(actor: Actor): string;
  /** A deleted account counts as human. */
  isBot(actor: Actor | null): boolean;
  /** A deleted account is not known to be anybody. */
  isSame(a: Actor | null, b: Actor | null): boolean;
  /** By account, else by the git author's name. */
  toAuthorKey(author: Author): string;
  isBotAuthor(author: Author): boolean;
  /** The persons behind accounts, by key. */
  roster(actors: Iterable<Actor | null>): Map<string, Person>;
  /** The persons behind commits, by key. */
  authorRoster(authors: Iterable<Author>): Map<string, Person>;
}

/** Whose figures, and who is who. */
export interface Subject {
  person: Actor;
  people: People;
}

/** Who wrote a commit. */
export interface Author {
  author: Actor | null;
  authorName: string;
}

export interface Person {
  key: string;
  /** The primary's own spelling; the git author's name when there is no account. */
  login: string;
  avatarUrl: string;
  isBot: boolean;
  /** Other logins and names of the same person that were seen, sorted. */
  linkedLogins: string[];
  /** Known by a git author's name alone. */
  unlinkedName: boolean;
}

/** Shown where a name is needed and the account was deleted. */
export const ghostLogin = 'ghost';

/** The reason for something of which it is not known who made it. */
export const unreadAuthor = 'its author could not be read';

/** Folds accounts by links. `extraBots` are logins that are bots although the platform does not mark them. */
export function createPeople(links: readonly IdentityLink[] = [], extraBots: readonly string[] = []): People {
  const ofAccounts = toPrimaries(links.filter(({ isName }) => !isName));
  const ofNames: Primaries = new Map([...ofAccounts, ...toPrimaries(links.filter(({ isName }) => isName))]);
  const bots = new Set([...knownBots, ...extraBots].map(loginKey));
  const isBotKnownBy = (login: string, primaries: Primaries) =>
    login.toLowerCase().endsWith(botSuffix) || bots.has(loginKey(login)) || bots.has(primaryKey(login, primaries));
  const isBot = (actor: Actor | null) => actor !== null && (actor.isBot || isBotKnownBy(actor.login, ofAccounts));
  const toKey = (actor: Actor) => personKey(primaryKey(actor.login, ofAccounts), isBot(actor));
  const isBotAuthor = ({ author, authorName }: Author) =>
    author === null ? isBotKnownBy(authorName, ofNames) : isBot(author);
  const toAuthorKey = (author: Author) => {
    if (author.author !== null) return toKey(author.author);
    const key = personKey(primaryKey(author.authorName, ofNames), isBotAuthor(author));
    return ofNames.has(loginKey(author.authorName)) ? key : `${nameMark}${key}`;
  };
  const authorRoster = (authors: Iterable<Author>) => {
    const seen = new Map<string, Sighting[]>();
    for (const each of authors) {
      const login = each.author?.login ?? each.authorName;
      const isAccount = each.author !== null;
      const primary = (isAccount ? ofAccounts : ofNames).get(loginKey(login)) ?? null;
      const sighting = { login, avatarUrl: each.author?.avatarUrl ?? '', isAccount, primary };
      const key = toAuthorKey(each);
      const sightings = seen.get(key);
      if (sightings) sightings.push(sighting);
      else seen.set(key, [sighting]);
    }
    return new Map([...seen].map(([key, sightings]) => [key, describe(key, sightings)]));
  };
  return {
    toKey,
    isBot,
    isSame: (a, b) => a !== null && b !== null && toKey(a) === toKey(b),
    toAuthorKey,
    isBotAuthor,
    roster: (actors) => authorRoster([...actors].flatMap((author) => (author ? [{ author, authorName: '' }] : []))),
    authorRoster,
  };
}

/** By code units without regard to case, so that the order does not depend on the machine's language. */
export function compareLogins(a: string, b: string): number {
  const [left, right] = [a.toLowerCase(), b.toLowerCase()];
  return compareText(left, right) || compareText(a, b);
}

/** Machine accounts that the platform does not mark as bots in every answer. */
export const knownBots: readonly string[] = [
  'dependabot',
  'dependabot-preview',
  'renovate',
  'renovate-bot',
  'github-actions',
  'snyk-bot',
  'codecov-io',
  'greenkeeper',
  'pre-commit-ci',
  'allcontributors',
  'mergify',
  'copilot-swe-agent',
  'web-flow',
];
const botSuffix = '[bot]';
const nameMark = 'name ';

interface Sighting {
  login: string;
  avatarUrl: string;
  isAccount: boolean;
  /** The login that it is linked to; null: it is none's alias. */
  primary: string | null;
}

/** The logins that aliases belong to, by the keys of the aliases. */
type Primaries = ReadonlyMap<string, string>;

const toPrimaries = (links: readonly IdentityLink[]) =>
  new Map(links.map(({ alias, primary }) => [loginKey(alias), primary]));

const primaryKey = (login: string, primaries: Primaries) => loginKey(primaries.get(loginKey(login)) ?? login);

const personKey = (key: string, isBot: boolean) => `${key}${isBot ? botSuffix : ''}`;

/** What is equal for spellings of one login: one part of the platform keeps the suffix of a bot's, another drops it. */
export function loginKey(login: string): string {
  const lower = login.toLowerCase();
  return lower.endsWith(botSuffix) ? lower.slice(0, -botSuffix.length) : lower;
}

function describe(key: string, sightings: readonly Sighting[]): Person {
  const sorted = sightings.toSorted(
    (a, b) =>
      Number(b.isAccount) - Number(a.isAccount) ||
      compareText(a.login, b.login) ||
      compareText(a.avatarUrl, b.avatarUrl),
  );
  const shown = sorted.find(({ primary }) => primary === null);
  const aliases = new Map(
    sorted
      .filter(({ login, primary }) => primary !== null && loginKey(login) !== loginKey(primary))
      .map(({ login }) => [loginKey(login), login]),
  );
  return {
    key,
    login: withoutSuffix(shown?.login ?? sorted[0]?.primary ?? ''),
    avatarUrl: shown?.avatarUrl || (sorted.find(({ avatarUrl }) => avatarUrl !== '')?.avatarUrl ?? ''),
    isBot: key.endsWith(botSuffix),
    linkedLogins: [...aliases.values()].map(withoutSuffix).sort(compareLogins),
    unlinkedName: key.startsWith(nameMark),
  };
}

function withoutSuffix(login: string): string {
  return login.toLowerCase().endsWith(botSuffix) ? login.slice(0, -botSuffix.length) : login;
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
