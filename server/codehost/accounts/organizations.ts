import { z } from 'zod';
import type { Organization } from '../../metrics/kernel/facts.ts';
import { Problem } from '../../platform/problem.ts';
import type { Codehost, Member, Membership, Team } from '../client/client.ts';
import { type Page, pageSize, readListing, toPage } from '../client/listing.ts';
import { readableItems } from '../client/readable-items.ts';
import type { Read, Reader, Reading } from '../client/reader.ts';
import { shownAddress, shownText } from '../client/wire.ts';
import { readScopes } from './viewer.ts';

/** Reads of the account's organizations: all pages, cached for 2 minutes. */
export const createOrganizations = (reader: Reader): Codehost['organizations'] => ({
  async mine() {
    const listing = await readListing(reader, ownPage, maxPages, ({ login }) => login);
    const { scopes } = (await reader.read(ownPage(1))).value;
    return { ...listing, scopeHint: !scopes?.some((scope) => orgScopes.has(scope)) };
  },
  membership: (org) => orStranger(reader.read(ownMembership(org))),
  async isMember(org) {
    const cacheTtlMs = 5 * 60_000;
    const reading = { ...ownMembership(org), part: 'cached', freshMs: () => cacheTtlMs, errorTtlMs: cacheTtlMs };
    return (await orStranger(reader.read(reading)))?.state === 'active';
  },
  async hasMember(org, accountId) {
    const { login } = (await reader.read(accountById(accountId))).value;
    return (await reader.read(memberCheck(org, login))).value.isMember;
  },
  teams: (org) => readListing(reader, teamPage(org), maxTeamPages, ({ slug }) => slug),
  members: (org, team) => readListing(reader, memberPage(org, team), maxPages, ({ id }) => id),
});

const orStranger = (response: Promise<Read<Membership>>): Promise<Membership | null> =>
  response.then(
    ({ value }) => value,
    (error: unknown) => {
      if (error instanceof Problem && strangers.has(error.code)) return null;
      throw error;
    },
  );

/** Errors that mean that the account is no member, as far as the token may see: never those of a quota. */
const strangers: ReadonlySet<string> = new Set(['not_found', 'upstream_forbidden', 'sso_required']);

/** A state that is not known gives no rights; an answer without one leaves the account unknown. */
const membershipSchema = z.object({
  state: z.string().transform((state): Membership['state'] => (state === 'active' ? 'active' : 'pending')),
  role: z.string().catch('member'),
});

const ownMembership = (org: string): Reading<Membership> => ({
  operation: 'get own membership',
  route: 'GET /user/memberships/orgs/{org}',
  params: { org },
  read: (data) => membershipSchema.parse(data),
  freshMs: () => 0,
  staleIfError: false,
});

const maxPages = 30;

/** Scopes with which a classic token lists all organizations; a fine-grained token has none of them. */
const orgScopes: ReadonlySet<string> = new Set(['read:org', 'write:org', 'admin:org']);

const organizationSchema = z.object({ login: z.string(), avatar_url: shownAddress, description: shownText }).transform(
  (wire): Organization => ({
    login: wire.login,
    avatarUrl: wire.avatar_url,
    description: wire.description,
  }),
);

const ownPage = (page: number): Reading<Page<Organization> & { scopes: string[] | null }> => ({
  operation: 'list own organizations',
  route: 'GET /user/orgs',
  params: { per_page: pageSize, page },
  read: (data, headers) => ({
    ...toPage(readableItems(organizationSchema).parse(data), null, headers),
    scopes: readScopes(headers),
  }),
  freshMs: () => 120_000,
  staleIfError: true,
});

const maxTeamPages = 10;

const teamSchema = z
  .object({ slug: z.string(), name: shownText })
  .transform(({ slug, name }): Team => ({ slug, name: name ?? slug }));

const teamPage =
  (org: string) =>
  (page: number): Reading<Page<Team>> => ({
    operation: 'list teams',
    route: 'GET /orgs/{org}/teams',
    params: { org, per_page: pageSize, page },
    read: (data, headers) => toPage(readableItems(teamSchema).parse(data), null, headers),
    freshMs: () => 120_000,
    staleIfError: true,
  });

const memberSchema = z
  .object({ id: z.number(), login: z.string() })
  .transform(({ id, login }): Member => ({ id, login }));

/** The number stays when an account is renamed. */
const accountById = (id: number): Reading<Pick<Member, 'login'>> => ({
  operation: 'get account',
  route: 'GET /user/{account_id}',
  params: { account_id: id },
  read: (data) => memberSchema.parse(data),
  freshMs: () => 0,
  staleIfError: false,
});

/** Whoever is no member is redirected to the public members, among whom somebody's absence means nothing. */
const memberCheck = (org: string, login: string): Reading<{ isMember: boolean }> => ({
  operation: 'check membership',
  route: 'GET /orgs/{org}/members/{username}',
  params: { org, username: login },
  read: () => ({ isMember: true }),
  fromError: ({ url }) => (new URL(url).pathname.includes('/public_members/') ? null : { isMember: false }),
  errorStatuses: [404],
  freshMs: () => 0,
  staleIfError: false,
});

const memberPage =
  (org: string, team: string | null) =>
  (page: number): Reading<Page<Member>> => ({
    operation: 'list members',
    route: team === null ? 'GET /orgs/{org}/members' : 'GET /orgs/{org}/teams/{team_slug}/members',
    params: team === null ? { org, per_page: pageSize, page } : { org, team_slug: team, per_page: pageSize, page },
    read: (data, headers) => toPage(readableItems(memberSchema).parse(data), null, headers),
    freshMs: () => 120_000,
    staleIfError: true,
  });
