import { z } from 'zod';
import type { Context, Reply } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import type { RepositoryWithAffiliation } from '../../codehost/client/client.ts';
import type { Repository } from '../../metrics/kernel/facts.ts';
import { instant, provenance } from '../kernel/instants.ts';
import { noteListing, noteTotal } from '../kernel/notes.ts';

/** A repository in a list. */
export const RepoItem = z
  .object({
    id: z.int(),
    name: z.string(),
    owner: z.string(),
    full_name: z.string(),
    description: z.string().nullable(),
    html_url: z.string(),
    language: z.string().nullable(),
    private: z.boolean(),
    visibility: z.enum(['public', 'private', 'internal']),
    stargazers_count: z.int(),
    updated_at: instant.nullable(),
    pushed_at: instant.nullable(),
    archived: z.boolean(),
    fork: z.boolean(),
    default_branch: z.string().nullable(),
    owner_type: z.enum(['user', 'org']),
    affiliation: z
      .enum(['owner', 'collaborator', 'member'])
      .nullable()
      .meta({ description: 'How the caller belongs to it; null in a list of an organization.' }),
  })
  .meta({ id: 'RepoItem' });

export const repoItem = (
  fact: Repository & Partial<Pick<RepositoryWithAffiliation, 'affiliation'>>,
): Domain<typeof RepoItem> => ({
  ...fact,
  name: fact.repo,
  fullName: `${fact.owner}/${fact.repo}`,
  stargazersCount: fact.stars,
  affiliation: fact.affiliation ?? null,
});

/** Repositories the caller's token can see, newest update first. */
export async function myRepositories(_input: object, context: Context, reply: Reply) {
  const listing = await (await context.codehost()).repositories.mine();
  noteListing(reply, listing);
  noteTotal(reply, listing);
  return listing.items.map(repoItem);
}

/** Repositories of an organization that the caller's token can see. */
export async function organizationRepositories({ org }: { org: string }, context: Context, reply: Reply) {
  const listing = await (await context.codehost()).repositories.ofOrganization(org);
  noteListing(reply, listing);
  noteTotal(reply, listing);
  return listing.items.map(repoItem);
}

export const OrgItem = z
  .object({ login: z.string(), avatar_url: z.string(), description: z.string().nullable() })
  .meta({ id: 'OrgItem' });

/** Organizations of the caller. An empty list does not prove that there are none: the scopes may hide them. */
export async function myOrganizations(_input: object, context: Context, reply: Reply) {
  const listing = await (await context.codehost()).organizations.mine();
  noteListing(reply, listing);
  noteTotal(reply, listing);
  if (listing.scopeHint) reply.headers.set('X-Orgs-Hint', 'scope');
  return listing.items;
}

const Quota = z.object({ limit: z.int(), remaining: z.int(), reset: z.int(), used: z.int() });

export const RateLimitReport = z
  .object({
    core: Quota,
    graphql: Quota,
    search: Quota,
    disabled: z.boolean().meta({ description: 'true when the server has its limits switched off.' }),
    checked_at: instant,
    ...provenance,
  })
  .meta({ id: 'RateLimitReport' });

/** What the platform leaves of the caller's quota. Reading it costs none. */
export async function rateLimitReport(_input: object, context: Context) {
  const limits = await (await context.codehost()).rateLimits();
  return { ...limits, generatedAt: limits.checkedAt, dataSource: 'live' as const };
}
