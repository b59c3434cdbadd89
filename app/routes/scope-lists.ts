import { getOrganizations, getRepositories } from '../../server/reports/repositories/operations.ts';

/** What the choice of a scope requests. */
export const scopeLists = { organizations: getOrganizations, repositories: getRepositories };
