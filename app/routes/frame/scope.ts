import type { PageContext } from '../../../server/http/page-context.ts';
import type { Scope } from '../../components/scope-filters.ts';

const repositoryName = /^[\w.-]+\/[\w.-]+$/;

/** What a page is of, by its address: a repository, an organization or another owner, or everything. */
export function findScope(pathname: string, search: string): Scope {
  const [, inPath] = /^(?:\/demo)?\/repos\/([^/]+\/[^/]+)/.exec(pathname) ?? [];
  const [, organization] = /^(?:\/demo)?\/org\/([^/]+)/.exec(pathname) ?? [];
  const query = new URLSearchParams(search);
  const [owner, name] = [query.get('owner'), query.get('repo')];
  const inQuery = owner && name && !name.includes('/') ? `${owner}/${name}` : name;
  const repo = inPath ?? (inQuery && repositoryName.test(inQuery) ? inQuery : null);
  return { owner: repo?.split('/')[0] ?? organization ?? (query.get('org') || owner || null), repo };
}

/** Owners at hand without a request: that of the page, those that every reader belongs to, those opened last. */
export function listOwners({ organizations, recent }: PageContext, { owner }: Scope): string[] {
  const opened = recent.map((name) => name.slice(0, name.indexOf('/')));
  const owners = [...(owner === null ? [] : [owner]), ...organizations, ...opened];
  const keys = owners.map((one) => one.toLowerCase());
  return owners.filter((_, index) => keys.indexOf(keys[index] ?? '') === index);
}
