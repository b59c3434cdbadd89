import type { Repository } from '../../server/metrics/kernel/facts.ts';
import { type Answer, expectRejected, type Handler, notFound, ok, paged, type RestRequest } from './answers.ts';
import { planOf } from './billing.ts';
import { anActor } from './delivery-builders.ts';
import { everybody } from './everybody.ts';
import * as wire from './wire.ts';
import {
  affiliation,
  closedOrganization,
  type DoubleOrganization,
  type DoubleRepository,
  fullName,
  sameName,
  sees,
} from './world.ts';

/** Accounts, organizations and their lists of repositories, by operation id. */
export const accountHandlers: Record<string, Handler> = {
  'users/get-authenticated': (request) => {
    const { world, base, token } = request;
    const account = world.accounts.find((one) => one.login === token.login);
    if (!account) return expectRejected(401, 'Bad credentials');
    return ok({ ...wire.ownAccount(base, account), ...planOf(request, account.login) });
  },
  'users/get-by-username': oneAccount,
  'users/get-by-id': ({ world, base, params }) => {
    const account = world.accounts.find(({ id }) => id === Number(params.account_id));
    return account
      ? ok({ ...wire.publicAccount(base, anActor(account.login), account.name), id: account.id })
      : notFound();
  },
  'orgs/list-for-authenticated-user': listOrganizations,
  'orgs/get-membership-for-authenticated-user': ownMembership,
  'orgs/get': (request) =>
    withOrganization(request, (organization) => {
      const own = request.world.repositories.filter((one) => one.facts.owner === organization.login);
      return ok({
        ...wire.organizationFull(request.base, organization, own.length),
        ...planOf(request, organization.login),
      });
    }),
  'orgs/list-members': (request) =>
    withOrganization(request, ({ id, login }) =>
      listPeople(
        request,
        request.world.accounts.flatMap((one) => (one.memberOf.includes(login) ? [one.login] : [])),
        `/organizations/${id}/members`,
      ),
    ),
  'orgs/check-membership-for-user': checkMember,
  // Nobody in this world shows an organization in public.
  'orgs/check-public-membership-for-user': (request) => withOrganization(request, notFound),
  'teams/list': (request) => withMember(request, (organization) => listTeams(request, organization)),
  'teams/list-members-in-org': (request) =>
    withMember(request, (organization) => {
      const team = organization.teams?.find(({ slug }) => slug === request.params.team_slug);
      const path = `/organizations/${organization.id}/team/${team?.id}/members`;
      return team ? listPeople(request, team.members, path) : notFound();
    }),
  'repos/list-for-org': (request) =>
    withOrganization(request, (organization) => listOfOrganization(request, organization)),
  'repos/list-for-authenticated-user': listMine,
};

/** Anybody who did something; bots by their name with the suffix. */
function oneAccount({ world, base, params }: RestRequest): Answer {
  const wanted = params.username ?? '';
  const account = world.accounts.find((one) => sameName(one.login, wanted));
  const found = account ? anActor(account.login) : everybody(world).find((one) => sameName(one.login, wanted));
  return found ? ok(wire.publicAccount(base, found, account?.name ?? null)) : notFound();
}

/** Finds the organization a path names, or says why it does not open. */
export function withOrganization(request: RestRequest, answer: (organization: DoubleOrganization) => Answer): Answer {
  const organization = request.world.organizations.find((one) => sameName(one.login, request.params.org ?? ''));
  if (!organization) return notFound();
  return closedOrganization(request.world, request.token, organization.login)
    ? singleSignOn(organization)
    : answer(organization);
}

/** What only members of an organization see. */
const withMember = (request: RestRequest, answer: (organization: DoubleOrganization) => Answer): Answer =>
  withOrganization(request, (organization) => {
    const account = request.world.accounts.find((one) => one.login === request.token.login);
    return account?.memberOf.includes(organization.login) ? answer(organization) : notFound();
  });

function checkMember(request: RestRequest): Answer {
  const { world, base, token, params } = request;
  const username = params.username ?? '';
  return withOrganization(request, ({ login }) => {
    const belongs = (name: string) =>
      world.accounts.some((one) => sameName(one.login, name) && one.memberOf.includes(login));
    if (!belongs(token.login)) {
      const location = `${base}/orgs/${login}/public_members/${username}`;
      return { status: 302, body: undefined, headers: { location } };
    }
    return belongs(username) ? { status: 204, body: undefined } : notFound();
  });
}

function listTeams(request: RestRequest, organization: DoubleOrganization): Answer {
  const { items, headers } = paged(request, organization.teams ?? [], `/organizations/${organization.id}/teams`);
  return ok(
    items.map((team) => wire.team(request.base, organization, team)),
    headers,
  );
}

function listPeople(request: RestRequest, logins: string[], path: string): Answer {
  const { items, headers } = paged(request, logins, path);
  return ok(
    items.map((login) => {
      const account = request.world.accounts.find((one) => one.login === login);
      return wire.user(request.base, anActor(login), account?.id);
    }),
    headers,
  );
}

function ownMembership(request: RestRequest): Answer {
  const { world, token, base } = request;
  if (token.scopes && !token.scopes.some((scope) => ['read:org', 'admin:org', 'write:org'].includes(scope)))
    return expectRejected(403, 'You need at least read:org scope to view your own membership.');
  return withOrganization(request, (organization) => {
    const account = world.accounts.find((one) => one.login === token.login);
    const isMember = account?.memberOf.includes(organization.login) ?? false;
    const isInvited = account?.invitedTo?.includes(organization.login) ?? false;
    if (!account || !(isMember || isInvited)) return notFound();
    const role = account.owns?.includes(organization.login) ? 'admin' : 'member';
    return ok(wire.membership(base, organization, account, { state: isMember ? 'active' : 'pending', role }));
  });
}

/** The error of a token that was not authorized for an organization with single sign-on. */
export const singleSignOn = ({ login }: DoubleOrganization) =>
  expectRejected(403, 'Resource protected by organization SAML enforcement.', {
    'x-github-sso': `required; url=https://codehost.example/orgs/${login}/sso?authorization_request=AZ`,
  });

function listOrganizations(request: RestRequest): Answer {
  const { world, token, base } = request;
  const account = world.accounts.find((one) => one.login === token.login);
  const readable = token.scopes?.some((scope) => ['read:org', 'admin:org', 'user'].includes(scope)) ?? false;
  const mine = readable ? world.organizations.filter((one) => account?.memberOf.includes(one.login)) : [];
  const open = mine.filter((one) => !closedOrganization(world, token, one.login));
  const { items, headers } = paged(request, open, '/user/orgs');
  const bodies = items.map((one) => wire.organizationSimple(base, one));
  return ok(bodies, { ...headers, ...partial(mine.filter((one) => !open.includes(one))) });
}

function listOfOrganization(request: RestRequest, { id, login }: DoubleOrganization): Answer {
  const { world, token, base, query } = request;
  const type = query.get('type') ?? 'all';
  const all = world.repositories.filter((one) => one.facts.owner === login && sees(world, token, one));
  const wanted = sorted(
    all.filter(({ facts }) => ofType(facts, type)),
    query,
    'created',
  );
  const { items, headers } = paged(request, wanted, `/organizations/${id}/repos`);
  return ok(
    items.map((one) => wire.repository(base, one, affiliation(world, token.login, one))),
    headers,
  );
}

function listMine(request: RestRequest): Answer {
  const { world, token, base, query } = request;
  if (query.has('type') && (query.has('visibility') || query.has('affiliation')))
    return expectRejected(422, 'If you specify visibility or affiliation, you cannot specify type.');
  const wanted = (query.get('affiliation') ?? 'owner,collaborator,organization_member').split(',');
  const visibility = query.get('visibility') ?? 'all';
  const mine = world.repositories.filter((one) => {
    const role = affiliation(world, token.login, one);
    const shown = visibility === 'all' || one.facts.private === (visibility === 'private');
    return role !== null && wanted.includes(role) && shown && sees(world, token, one);
  });
  const closed = (one: DoubleRepository) => closedOrganization(world, token, one.facts.owner);
  const { items, headers } = paged(
    request,
    sorted(
      mine.filter((one) => !closed(one)),
      query,
      'full_name',
    ),
    '/user/repos',
  );
  const hidden = world.organizations.filter((one) => mine.some((each) => closed(each) === one));
  return ok(
    items.map((one) => wire.repository(base, one, affiliation(world, token.login, one))),
    { ...headers, ...partial(hidden) },
  );
}

/** Single sign-on makes lists silently shorter; only a header reports. */
const partial = (hidden: DoubleOrganization[]): Record<string, string> =>
  hidden.length ? { 'x-github-sso': `partial-results; organizations=${hidden.map((one) => one.id)}` } : {};

const ofType = ({ fork, private: hidden }: Repository, type: string) =>
  ({ all: true, public: !hidden, private: hidden, forks: fork, sources: !fork, member: true })[type] ?? true;

function sorted(list: DoubleRepository[], query: URLSearchParams, fallback: string): DoubleRepository[] {
  const sort = query.get('sort') ?? fallback;
  const sign = (query.get('direction') ?? (sort === 'full_name' ? 'asc' : 'desc')) === 'asc' ? 1 : -1;
  const key = ({ facts }: DoubleRepository) =>
    ({ created: facts.id, updated: facts.updatedAt, pushed: facts.pushedAt })[sort] ?? 0;
  return [...list].sort(
    (one, other) =>
      sign * (sort === 'full_name' ? fullName(one).localeCompare(fullName(other)) : key(one) - key(other)) ||
      one.facts.id - other.facts.id,
  );
}
