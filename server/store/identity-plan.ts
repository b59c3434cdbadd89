import { type IdentityLink, loginKey } from '../metrics/people/people.ts';

/** Two logins or names that were declared different people. */
export interface DistinctPair {
  a: string;
  b: string;
}

/** What is known of who is who. */
export interface KnownIdentities {
  links: readonly IdentityLink[];
  distinct: readonly DistinctPair[];
}

/** A login that a link affects, and where it led before; null: nowhere. */
export interface LinkChange {
  login: string;
  action: 'identity.linked' | 'identity.relinked' | 'identity.moved';
  before: string | null;
}

export type LinkPlan =
  | { outcome: 'same_login' }
  | { outcome: 'link_cycle' }
  | { outcome: 'marked_distinct'; pair: DistinctPair }
  /** `primary` is the main login in the end; nothing changes where it is linked so already. */
  | { outcome: 'possible'; primary: string; isNew: boolean; changes: LinkChange[] };

/**
 * What an alias is stored and found by: a git author's name may be spelled like the login of somebody else, and no login
 * holds a space.
 */
export const aliasKeyOf = ({ alias, isName }: Pick<IdentityLink, 'alias' | 'isName'>): string =>
  isName ? `${nameMark}${loginKey(alias)}` : loginKey(alias);

/** Whether that key is one of a git author's name. */
export const isNameKey = (key: string): boolean => key.startsWith(nameMark);

const nameMark = 'name ';

/** What linking would do. The primary of a link is never an alias, so one step leads to the main login. */
export function planLink({ links, distinct }: KnownIdentities, link: IdentityLink): LinkPlan {
  const { alias } = link;
  const key = aliasKeyOf(link);
  if (key === loginKey(link.primary)) return { outcome: 'same_login' };
  const primary = mainLogin(links, link.primary);
  const primaryKey = loginKey(primary);
  if (primaryKey === key) return { outcome: 'link_cycle' };
  const aliases = findAliases(links, key);
  const earlier = links.find((one) => aliasKeyOf(one) === key);
  const isNew = earlier === undefined;
  if (earlier && loginKey(earlier.primary) === primaryKey) return { outcome: 'possible', primary, isNew, changes: [] };
  const one = new Set([alias, ...aliases.map((each) => each.alias)].map(loginKey));
  const other = new Set([primary, ...findAliases(links, primaryKey).map((each) => each.alias)].map(loginKey));
  const pair = distinct.find(({ a, b }) => [[a, b] as const, [b, a] as const].some(isAcross(one, other)));
  if (pair) return { outcome: 'marked_distinct', pair };
  const linked: LinkChange = earlier
    ? { login: alias, action: 'identity.relinked', before: earlier.primary }
    : { login: alias, action: 'identity.linked', before: null };
  const moved = aliases.map(
    (each): LinkChange => ({ login: each.alias, action: 'identity.moved', before: each.primary }),
  );
  return { outcome: 'possible', primary, isNew, changes: [linked, ...moved] };
}

/** The login that all of a person's accounts are counted under. */
const mainLogin = (links: readonly IdentityLink[], login: string): string =>
  links.find((link) => aliasKeyOf(link) === loginKey(login))?.primary ?? login;

/** Whether two logins or names lead to one person already, as whichever of both they are linked. */
export function areLinked(links: readonly IdentityLink[], one: string, other: string): boolean {
  const listMains = (text: string) =>
    [text, ...links.filter(({ alias }) => loginKey(alias) === loginKey(text)).map(({ primary }) => primary)].map(
      loginKey,
    );
  const mains = new Set(listMains(one));
  return listMains(other).some((main) => mains.has(main));
}

const findAliases = (links: readonly IdentityLink[], key: string) =>
  links.filter(({ primary }) => loginKey(primary) === key);

const isAcross =
  (one: ReadonlySet<string>, other: ReadonlySet<string>) =>
  ([a, b]: readonly [string, string]) =>
    one.has(loginKey(a)) && other.has(loginKey(b));
