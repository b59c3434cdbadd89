import { z } from 'zod';
import type { HeadStatus, RepositoryState } from '../../metrics/kernel/facts.ts';
import { unreadIn } from '../client/graphql-pages.ts';
import { deniedErrors } from '../client/part-errors.ts';
import type { Excluded } from '../client/readable-items.ts';
import type { PartError } from '../client/transport.ts';
import { maybeCount, platformId } from '../client/wire.ts';

export const operation = 'repository states';

/** What is known of a repository. */
export interface ReadState extends RepositoryState {
  /** The fields that could not be read; null when all could. */
  unread: Excluded | null;
  /** true where the token may not read any of them; absent otherwise. */
  isDenied?: boolean;
}

/** One query for several repositories, each under an alias by its place. */
export const statesQuery = (aliases: readonly number[]) => `
query RepositoryStates(${aliases.map((index) => `$owner${index}: String!, $name${index}: String!`).join(', ')}) {
  rateLimit { cost limit remaining resetAt }
  ${aliases.map((index) => `r${index}: repository(owner: $owner${index}, name: $name${index}) { ...State }`).join('\n  ')}
}
fragment State on Repository {
  databaseId
  name
  owner { login }
  visibility
  isArchived
  isFork
  hasIssuesEnabled
  issues(states: OPEN) { totalCount }
  pullRequests(states: OPEN) { totalCount }
  defaultBranchRef { name target { ... on Commit { statusCheckRollup { state } } } }
  workflows: object(expression: "HEAD:.github/workflows") { ... on Tree { entries { name type } } }
}`;

const count = z.object({ totalCount: maybeCount }).nullish();

/** One repository of the answer. */
export const stateSchema = z.object({
  databaseId: platformId,
  name: z.string(),
  owner: z.object({ login: z.string() }),
  // What is not known to be public is not.
  visibility: z.enum(['PUBLIC', 'PRIVATE', 'INTERNAL']).catch('PRIVATE'),
  isArchived: z.boolean(),
  isFork: z.boolean(),
  hasIssuesEnabled: z.boolean(),
  issues: count,
  pullRequests: count,
  defaultBranchRef: z
    .object({
      name: z.string(),
      target: z.object({ statusCheckRollup: z.object({ state: z.string() }).nullish() }).nullish(),
    })
    .nullish(),
  workflows: z.object({ entries: z.array(z.object({ name: z.string(), type: z.string() })).nullish() }).nullish(),
});

/** Its value; a part with an error of its own is unknown. */
export function toState(wire: z.output<typeof stateSchema>, errors: PartError[]): ReadState {
  const files = wire.workflows?.entries?.filter(({ name, type }) => type === 'blob' && /\.ya?ml$/.test(name));
  const unreadable = wire.workflows?.entries === null || errors.some(({ path }) => path[1] === 'workflows');
  return {
    id: wire.databaseId,
    owner: wire.owner.login,
    repo: wire.name,
    defaultBranch: wire.defaultBranchRef?.name ?? null,
    headStatus: headStatuses[wire.defaultBranchRef?.target?.statusCheckRollup?.state ?? ''] ?? null,
    visibility: visibilities[wire.visibility],
    archived: wire.isArchived,
    fork: wire.isFork,
    openIssues: wire.hasIssuesEnabled ? (wire.issues?.totalCount ?? null) : null,
    openPullRequests: wire.pullRequests?.totalCount ?? null,
    workflowFiles: unreadable ? null : (files?.length ?? 0),
    unread: unreadIn(errors),
    ...(errors.length > 0 && errors.every(({ type }) => deniedErrors.has(type)) && { isDenied: true }),
  };
}

const headStatuses: Record<string, HeadStatus> = {
  SUCCESS: 'success',
  FAILURE: 'failure',
  ERROR: 'error',
  PENDING: 'pending',
  EXPECTED: 'pending',
};

const visibilities = { PUBLIC: 'public', PRIVATE: 'private', INTERNAL: 'internal' } as const;
