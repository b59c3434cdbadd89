import type { PanelsOf } from '../../server/http/adapters.ts';
import type { scopeLists } from './scope-lists.ts';

export type ScopeLists = PanelsOf<typeof scopeLists>;

/** Logins of organizations and `owner/name` of repositories to choose from; none of what could not be listed. */
export const readScopeNames = ({ organizations, repositories }: ScopeLists) => ({
  owners: organizations.ok ? organizations.data.map(({ login }) => login) : [],
  repositories: repositories.ok ? repositories.data.map(({ full_name: name }) => name) : [],
});
