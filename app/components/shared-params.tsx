import { type ComponentProps, createContext, useContext } from 'react';
import { Link } from '../charts/link.tsx';
import { isSharedRange } from './period-filters.ts';

/** Parameters that mean the same on every page, in the order in which addresses have them. */
const sharedNames = ['range', 'compare', 'bots', 'org', 'repo'] as const;
/** An address that names its organization needs no other. */
const namesItsScope = /^(\/demo)?\/(repos|org|contributor)\//;
/** Pages that can be of a single repository. */
export const takesRepository = /^(\/demo)?\/(ci|cost|reports|team|working-habits)$/;
/** Pages without a scope, which hand that of the page before on to the next one. */
const handsOn = /^\/(settings|docs)(\/|$)/;
/** The page of a number, of which its link says what it is of. */
const isEvidence = /^(\/demo)?\/explain$/;
/** Choices that would change some numbers: past the page of a number they go under a name that none of them takes. */
const getPassedName = (name: string): string => (name === 'range' || name === 'bots' ? `shared_${name}` : name);

/**
 * An address of this site with the shared parameters of the current page; its own win. The page of a number has the
 * scope of its link, and hands the range and bots of the page before on to the next one.
 */
export function addSharedParams(href: string, search: string): string {
  if (!href.startsWith('/')) return href;
  const [address = '', fragment] = href.split('#', 2);
  const [path = '', own] = address.split('?', 2);
  const current = new URLSearchParams(search);
  const query = new URLSearchParams(own);
  const hasScope = query.has('org') || query.has('repo');
  for (const name of sharedNames) {
    const value = getShared(current, name);
    const isOwn = query.has(name) || (hasScope && (name === 'org' || name === 'repo'));
    if (value && !isOwn && fits(name, value, path))
      query.set(isEvidence.test(path) ? getPassedName(name) : name, value);
  }
  return `${path}${query.size > 0 ? `?${query}` : ''}${fragment === undefined ? '' : `#${fragment}`}`;
}

/** A repository is `owner/name` wherever it is shared; the page of a number has its two parts. */
function getShared(current: URLSearchParams, name: (typeof sharedNames)[number]): string | null {
  const value = current.get(name) ?? current.get(getPassedName(name));
  if (name !== 'repo' || value === null || value.includes('/')) return value;
  const owner = current.get('owner');
  return owner === null ? null : `${owner}/${value}`;
}

function fits(name: string, value: string, path: string): boolean {
  // One that only one page knows, such as the last closed pull requests, stays there.
  if (name === 'range') return isSharedRange(value);
  if (name === 'org') return !namesItsScope.test(path) && !isEvidence.test(path);
  return name !== 'repo' || takesRepository.test(path) || handsOn.test(path);
}

/** The query string whose shared parameters links to other pages take along; empty outside of the frame. */
export const SharedSearch = createContext('');

export function useSharedParams(): (href: string) => string {
  const search = useContext(SharedSearch);
  return (href) => addSharedParams(href, search);
}

/** A link to another page that takes the shared parameters of this one along. */
export function SharedParamsLink({ href, ...rest }: ComponentProps<'a'> & { href: string }) {
  const addParams = useSharedParams();
  return <Link href={addParams(href)} {...rest} />;
}

/** The other parameters of an address, as fields of a form that gets. */
export function HiddenParams({ search, besides }: { search: string; besides: string[] }) {
  const others = [...new URLSearchParams(search)].filter(([name]) => name !== 'page' && !besides.includes(name));
  return others.map(([name, value]) => <input key={`${name}=${value}`} type="hidden" name={name} value={value} />);
}
