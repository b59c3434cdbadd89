import type { Actor } from '../kernel/facts.ts';

/** `alias` is a login or a git author's name; `primary` the login it belongs to. Never a chain. */
export interface IdentityLink {
  alias: string;
  primary: string;
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
  const primaries = new Map(links.map(({ alias, primary }) => [loginKey(alias), primary]));
  const bots = new Set([...knownBots, ...extraBots].map(loginKey));
  const toPrimaryKey = (login: string) => loginKey(primaries.get(loginKey(login)) ?? login);
  const isBotLogin = (login: string) =>
    login.toLowerCase().endsWith(botSuffix) || bots.has(loginKey(login)) || bots.has(toPrimaryKey(login));
  const toLoginKey = (login: string, isBot: boolean) => `${toPrimaryKey(login)}${isBot ? botSuffix : ''}`;
  const isBot = (actor: Actor | null) => actor !== null && (actor.isBot || isBotLogin(actor.login));
  const toKey = (actor: Actor) => toLoginKey(actor.login, isBot(actor));
  const isNameAlone = ({ author, authorName }: Author) => author === null && !primaries.has(loginKey(authorName));
  const isBotAuthor = ({ author, authorName }: Author) => (author === null ? isBotLogin(authorName) : isBot(author));
  const toAuthorKey = (author: Author) => {
    if (author.author !== null) return toKey(author.author);
    const key = toLoginKey(author.authorName, isBotAuthor(author));
    return isNameAlone(author) ? `${nameMark}${key}` : key;
  };
  const authorRoster = (authors: Iterable<Author>) => {
    const seen = new Map<string, Sighting[]>();
    for (const each of authors) {
      const login = each.author?.login ?? each.authorName;
      const sighting = { login, avatarUrl: each.author?.avatarUrl ?? '', isAccount: each.author !== null };
      const key = toAuthorKey(each);
      const sightings = seen.get(key);
      if (sightings) sightings.push(sighting);
      else seen.set(key, [sighting]);
    }
    return new Map([...seen].map(([key, sightings]) => [key, describe(key, sightings, primaries)]));
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
}

/** What is equal for spellings of one login: one part of the platform keeps the suffix of a bot's, another drops it. */
export function loginKey(login: string): string {
  const lower = login.toLowerCase();
  return lower.endsWith(botSuffix) ? lower.slice(0, -botSuffix.length) : lower;
}

function describe(key: string, sightings: readonly Sighting[], primaries: ReadonlyMap<string, string>): Person {
  const sorted = sightings.toSorted(
    (a, b) =>
      Number(b.isAccount) - Number(a.isAccount) ||
      compareText(a.login, b.login) ||
      compareText(a.avatarUrl, b.avatarUrl),
  );
  const isPrimary = ({ login }: Sighting) => !primaries.has(loginKey(login));
  const shown = sorted.find(isPrimary);
  const aliases = new Map(sorted.filter((each) => !isPrimary(each)).map(({ login }) => [loginKey(login), login]));
  return {
    key,
    login: withoutSuffix(shown?.login ?? primaries.get(loginKey(sorted[0]?.login ?? '')) ?? ''),
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
