import { z } from 'zod';
import type { Repository, RepositoryName } from '../../metrics/kernel/facts.ts';
import type { Codehost, Listing, RepositoryWithAffiliation } from '../client/client.ts';
import { type Page, pageSize, readListing, toPage } from '../client/listing.ts';
import { isPossibleName, nameKey, organizationParams, repositoryParams } from '../client/names.ts';
import type { TokenPool } from '../client/pool.ts';
import { readableItems } from '../client/readable-items.ts';
import type { Reader, Reading } from '../client/reader.ts';
import type { AnswerHeaders } from '../client/transport.ts';
import { integer, maybeInstant, maybeText, platformId, shownAddress, shownText } from '../client/wire.ts';

const repositorySchema = z.object({
  id: platformId,
  name: z.string(),
  owner: z.object({ login: z.string(), type: z.string().nullish() }),
  description: shownText,
  html_url: shownAddress,
  language: shownText,
  // What is not known to be public is not.
  private: z.boolean().catch(true),
  visibility: z.enum(['public', 'private', 'internal']).nullish().catch(null),
  stargazers_count: integer.nullish().catch(null),
  archived: z.boolean().nullish(),
  fork: z.boolean().nullish(),
  has_issues: z.boolean().nullish().catch(null),
  default_branch: maybeText,
  created_at: maybeInstant,
  updated_at: maybeInstant,
  pushed_at: maybeInstant,
  permissions: z.object({ admin: z.boolean().nullish() }).nullish(),
});

/** Schema that converts a repository of the REST answers, or of an event, into a fact. */
export const repositoryReader = repositorySchema.transform((wire) => toRepository(wire));

/** Reads of repositories over REST, and what is learned about their names. */
export function createRepositories(reader: Reader, pool: TokenPool): Omit<Codehost['repositories'], 'states'> {
  return {
    mine: () => readListing(reader, ownPage, maxPages, byId),
    knownMine: () => pageNumbers.flatMap((page) => reader.fresh(ownPage(page))?.items ?? []),
    // An owner's name is checked first, so that an error is a rejected promise.
    ofOrganization: async (org): Promise<Listing<Repository>> =>
      readListing(reader, organizationPage(organizationParams(org)), maxPages, byId),
    async get(name) {
      const { value } = await reader.read(oneRepository(name));
      noteName(pool, name, value);
      return underPossibleName(name, value);
    },
    async about(name) {
      const { value, stale, asOf } = await reader.read({ ...oneRepository(name), staleIfError: true });
      noteName(pool, name, value);
      return { ...underPossibleName(name, value), stale, asOf };
    },
    known: (name) => (isPossibleName(name) ? reader.fresh(oneRepository(name)) : null),
    canonical: (name) => pool.renamed.get(nameKey(name)) ?? null,
  };
}

/** Records the new name of a repository from where a redirect led; one extra request, cached for a day. */
export async function recordRename(
  reader: Reader,
  pool: TokenPool,
  requested: RepositoryName,
  redirectedTo: string | null,
): Promise<void> {
  const id = redirectedTo ? /\/repositories\/(\d+)(?:[/?]|$)/.exec(redirectedTo)?.[1] : undefined;
  const named = redirectedTo ? /\/repos\/([^/?]+)\/([^/?]+)/.exec(redirectedTo) : null;
  if (id) {
    // The answer itself is good: not learning the name must not spoil it.
    const read = await reader.read(repositoryById(Number(id))).catch(() => null);
    if (read) noteName(pool, requested, read.value);
  } else if (named?.[1] && named[2]) {
    noteName(pool, requested, { owner: decodeURIComponent(named[1]), repo: decodeURIComponent(named[2]) });
  } else {
    pool.renamed.delete(nameKey(requested));
  }
}

/** Remembers under which name a repository answered. */
export function noteName(pool: TokenPool, requested: RepositoryName, found: RepositoryName): void {
  // Under a name that cannot be requested, nothing would be found any more.
  if (!isPossibleName(found)) return;
  if (nameKey(requested) === nameKey(found)) pool.renamed.delete(nameKey(requested));
  else pool.renamed.set(nameKey(requested), { owner: found.owner, repo: found.repo });
}

/** Everything else is requested under the name of the answer, so it must be one that can be requested. */
const underPossibleName = ({ owner, repo }: RepositoryName, found: Repository): Repository =>
  isPossibleName(found) ? found : { ...found, owner, repo };

const maxPages = 30;
const pageNumbers = Array.from({ length: maxPages }, (_, index) => index + 1);
const byId = ({ id }: { id: number }) => id;

const ownPage = (page: number): Reading<Page<RepositoryWithAffiliation>> => ({
  operation: 'list own repositories',
  route: 'GET /user/repos',
  params: {
    affiliation: 'owner,collaborator,organization_member',
    sort: 'updated',
    direction: 'desc',
    per_page: pageSize,
    page,
  },
  read: (data, headers) =>
    toPage(readableItems(repositorySchema.transform(toRepositoryWithAffiliation)).parse(data), null, headers),
  freshMs: () => 60_000,
  staleIfError: true,
});

const organizationPage =
  (params: { org: string }) =>
  (page: number): Reading<Page<Repository>> => ({
    operation: 'list organization repositories',
    route: 'GET /orgs/{org}/repos',
    params: { ...params, type: 'all', sort: 'pushed', per_page: pageSize, page },
    read: (data: unknown, headers: AnswerHeaders) => toPage(readableItems(repositoryReader).parse(data), null, headers),
    freshMs: () => 5 * 60_000,
    staleIfError: true,
  });

/** Also the proof that the token may see the repository, so an old answer is never a fallback. */
const oneRepository = (name: RepositoryName): Reading<Repository> => ({
  operation: 'get repository',
  route: 'GET /repos/{owner}/{repo}',
  params: repositoryParams(name),
  read: (data) => repositoryReader.parse(data),
  freshMs: () => 5 * 60_000,
  errorTtlMs: 30_000,
  staleIfError: false,
});

const repositoryById = (id: number): Reading<Repository> => ({
  operation: 'get repository by id',
  route: 'GET /repositories/{id}',
  params: { id },
  read: (data) => repositoryReader.parse(data),
  freshMs: () => 24 * 3_600_000,
  staleIfError: true,
});

type WireRepository = z.output<typeof repositorySchema>;

function toRepository(wire: WireRepository): Repository {
  return {
    owner: wire.owner.login,
    repo: wire.name,
    id: wire.id,
    description: wire.description,
    htmlUrl: wire.html_url,
    language: wire.language,
    private: wire.private,
    visibility: wire.visibility ?? (wire.private ? 'private' : 'public'),
    stars: wire.stargazers_count ?? 0,
    archived: wire.archived ?? false,
    fork: wire.fork ?? false,
    hasIssues: wire.has_issues ?? true,
    defaultBranch: wire.default_branch,
    ownerType: wire.owner.type === 'Organization' ? 'org' : 'user',
    createdAt: wire.created_at,
    updatedAt: wire.updated_at,
    pushedAt: wire.pushed_at,
  };
}

function toRepositoryWithAffiliation(wire: WireRepository): RepositoryWithAffiliation {
  const repository = toRepository(wire);
  if (repository.ownerType === 'org') return { ...repository, affiliation: 'member' };
  // Only the owner administers a repository that belongs to a person.
  return { ...repository, affiliation: wire.permissions?.admin === false ? 'collaborator' : 'owner' };
}
