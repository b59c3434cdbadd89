import type { PanelsOf } from '../../server/http/adapters.ts';
import type { OfferedScopes } from '../components/scope-filters.ts';
import type { scopeLists } from './scope-lists.ts';

export type ScopeLists = PanelsOf<typeof scopeLists>;

/** Whether organizations may be missing because of the scopes of the token. */
export const mayLackOrganizations = ({ organizations }: Pick<ScopeLists, 'organizations'>): boolean =>
  organizations.ok && organizations.notes.mayLackOrganizations;

/** Why there are no organizations to choose from, where the token may be the reason. */
export const describeLackedOrganizations = (lists: Pick<ScopeLists, 'organizations'>): string[] =>
  mayLackOrganizations(lists) && lists.organizations.ok && lists.organizations.data.length === 0
    ? ['The token cannot list organizations (read:org)']
    : [];

/** Whether a list lacks something that there is, such as what single sign-on hides. */
export const isIncomplete = (list: ScopeLists['organizations'] | ScopeLists['repositories']): boolean =>
  list.ok && list.notes.partial;

/** The organizations of the person, and other ones whose repositories they see. */
export function readOrganizationNames({ organizations, repositories }: ScopeLists): string[] {
  const own = organizations.ok ? organizations.data.map(({ login }) => login) : [];
  const others = repositories.ok ? repositories.data.filter((one) => one.owner_type === 'org') : [];
  return distinct([...own, ...others.map(({ owner }) => owner)]);
}

const distinct = (owners: readonly string[]) => [...new Map(owners.map((one) => [one.toLowerCase(), one])).values()];

/** The organizations of the person, other owners of what they see, and the repositories; none of what could not be listed. */
export function readScopeNames({ organizations, repositories }: ScopeLists): OfferedScopes {
  const listed = repositories.ok ? repositories.data : [];
  const own = organizations.ok ? organizations.data.map(({ login }) => login) : [];
  const owners = [...own, ...listed.map(({ owner }) => owner)];
  return {
    owners: distinct(owners),
    repositories: listed.map(({ full_name: name }) => name),
  };
}
