import type { Filter } from './filter-bar.tsx';

/** Of what the figures of a page are: everything without an owner, all of an owner without a repository. */
export interface Scope {
  owner: string | null;
  /** `owner/name`. */
  repo: string | null;
}

/** What can be chosen; empty where it could not be listed. */
export interface OfferedScopes {
  owners: readonly string[];
  /** `owner/name` of each. */
  repositories: readonly string[];
}

/** The scope that an address names; a repository names its owner. */
export function requestedScope(query: URLSearchParams): Scope {
  const repo = query.get('repo') || null;
  return { owner: query.get('org') || repo?.split('/')[0] || null, repo };
}

interface OrganizationOptions {
  /** Whether a page can show every organization together. */
  hasAll?: boolean;
}

/** Whose repositories the figures are of; nothing where there is nobody to choose. */
export function getOrganizationFilters(
  owner: string | null,
  owners: readonly string[],
  { hasAll = true }: OrganizationOptions = {},
): Filter[] {
  const offered = include(owner, owners);
  if (offered.length === 0) return [];
  return [
    { kind: 'select', name: 'org', label: 'Organization', value: owner, options: toOptions(offered, { hasAll }) },
  ];
}

/** The organization, and one of its repositories. */
export function getScopeFilters(
  { owner, repo }: Scope,
  { owners, repositories }: OfferedScopes,
  options?: OrganizationOptions,
): Filter[] {
  const own = repositories.filter((name) => owner === null || isSame(name.split('/')[0] ?? '', owner));
  const offered = include(repo, own);
  const organization = getOrganizationFilters(owner, owners, options);
  if (offered.length === 0) return organization;
  return [
    ...organization,
    { kind: 'select', name: 'repo', label: 'Repository', value: repo, options: toOptions(offered, { hasAll: true }) },
  ];
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** The chosen one is always among those that are offered, as it is written there. */
const include = (chosen: string | null, offered: readonly string[]): readonly string[] =>
  chosen === null || offered.includes(chosen) ? offered : [...offered.filter((one) => !isSame(one, chosen)), chosen];

const toOptions = (values: readonly string[], { hasAll }: Required<OrganizationOptions>) => [
  ...(hasAll ? [{ value: '', label: 'All' }] : []),
  ...values.map((value) => ({ value, label: value })),
];
