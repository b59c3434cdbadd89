import type { IdentityLink } from '../metrics/people.ts';
import type { Database } from './database.ts';

/** Which accounts and names are one person. */
export const identity = (database: Database) => ({
  links: (): Promise<IdentityLink[]> =>
    database.query<IdentityLink>(
      'select alias, primary_login as "primary" from identity_links order by primary_key, alias_key',
    ),
});
