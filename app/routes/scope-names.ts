import type { PanelsOf } from '../../server/http/adapters.ts';
import type { OfferedScopes } from '../components/scope-filters.ts';
import type { scopeLists } from './scope-lists.ts';

export type ScopeLists = PanelsOf<typeof scopeLists>;

/** The organizations of the person, other owners of what they see, and the repositories; none of what could not be listed. */
export function readScopeNames({ organizations, repositories }: ScopeLists): OfferedScopes {
  const listed = repositories.ok ? repositories.data : [];
  const own = organizations.ok ? organizations.data.map(({ login }) => login) : [];
  const owners = [...own, ...listed.map(({ owner }) => owner)];
  return {
    owners: [...new Map(owners.map((one) => [one.toLowerCase(), one])).values()],
    repositories: listed.map(({ full_name: name }) => name),
  };
}
