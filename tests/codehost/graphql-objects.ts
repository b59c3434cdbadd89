import type { GraphQLFieldResolver } from 'graphql';
import type { Actor } from '../../server/metrics/facts.ts';
import type { Service } from './double.ts';
import type { Price } from './graphql-price.ts';
import { idOf, moment, momentOrNull, webAddress } from './wire.ts';
import {
  closedOrganization,
  type DoubleCommit,
  type DoubleOrganization,
  type DoubleRepository,
  type DoubleToken,
  findRepository,
  fullName,
  sameName,
  sees,
  webUrl,
} from './world.ts';

/** A refusal the platform itself would give, with its type. */
export class GraphqlRefusal extends Error {
  readonly type: string;

  constructor(type: string, message: string) {
    super(message);
    this.type = type;
  }
}

/** Reads a field from an object of this file. What the double does not serve fails loudly instead of being null. */
export const servedField: GraphQLFieldResolver<unknown, unknown> = (
  source,
  given,
  _context,
  { fieldName, parentType },
) => {
  const value = (source as Record<string, unknown>)[fieldName];
  if (value === undefined) throw new Error(`The double does not serve ${parentType.name}.${fieldName}`);
  return typeof value === 'function' ? value(given) : value;
};

/** The query root as one token sees it. */
export function viewOf(service: Service, token: DoubleToken, price: Price) {
  const { world } = service;
  const account = world.accounts.find((one) => one.login === token.login);
  const belongs = world.organizations.filter((one) => account?.memberOf.includes(one.login));
  return {
    viewer: () => ({
      ...person({ login: token.login, avatarUrl: `https://avatars.codehost.example/${token.login}`, isBot: false }),
      databaseId: account?.id ?? null,
      name: account?.name ?? null,
      email: account?.email ?? '',
      organizations: (asked: Paging) =>
        connection(
          belongs.map((one) => organization(service, token, one)),
          asked,
        ),
    }),
    rateLimit: () => {
      const { limit, used, resetAt } = service.budgets.of(token.login, 'graphql');
      return {
        limit,
        used,
        remaining: limit - used,
        resetAt: moment(resetAt),
        cost: price.cost,
        nodeCount: price.nodes,
      };
    },
    repository: ({ owner, name, followRenames }: { owner: string; name: string; followRenames?: boolean }) => {
      const found = findRepository(world, `${owner}/${name}`);
      if (!found || !sees(world, token, found.repository) || (found.moved && followRenames === false))
        throw new GraphqlRefusal('NOT_FOUND', `Could not resolve to a Repository with the name '${owner}/${name}'.`);
      if (closedOrganization(world, token, found.repository.facts.owner)) throw singleSignOn();
      return repository(found.repository);
    },
    organization: ({ login }: { login: string }) => {
      const found = world.organizations.find((one) => sameName(one.login, login));
      if (!found)
        throw new GraphqlRefusal('NOT_FOUND', `Could not resolve to an Organization with the login of '${login}'.`);
      if (closedOrganization(world, token, found.login)) throw singleSignOn();
      return organization(service, token, found);
    },
  };
}

const singleSignOn = () =>
  new GraphqlRefusal(
    'FORBIDDEN',
    'Resource protected by organization SAML enforcement. You must grant your OAuth token access to this organization.',
  );

/** An account. GraphQL drops the suffix that REST gives to bots. */
function person({ login, avatarUrl, isBot }: Actor) {
  const shown = isBot ? login.replace(/\[bot\]$/, '') : login;
  return {
    __typename: isBot ? 'Bot' : 'User',
    id: `U_${idOf(login)}`,
    databaseId: idOf(login),
    login: shown,
    avatarUrl,
    url: `${webUrl}/${shown}`,
  };
}

function organization(service: Service, token: DoubleToken, one: DoubleOrganization) {
  const own = service.world.repositories.filter(
    (each) => each.facts.owner === one.login && sees(service.world, token, each),
  );
  return {
    __typename: 'Organization',
    id: `O_${one.id}`,
    databaseId: one.id,
    login: one.login,
    name: one.login,
    avatarUrl: one.avatarUrl,
    description: one.description,
    url: `${webUrl}/${one.login}`,
    repositories: (asked: Paging) => connection(own.map(repository), asked),
  };
}

function repository(one: DoubleRepository) {
  const { facts } = one;
  const head = one.empty ? null : { ...headRef, name: facts.defaultBranch, target: () => headCommit(one) };
  return {
    __typename: 'Repository',
    id: `R_${facts.id}`,
    databaseId: facts.id,
    name: facts.repo,
    nameWithOwner: fullName(one),
    owner: {
      ...person({ login: facts.owner, avatarUrl: `https://avatars.codehost.example/${facts.owner}`, isBot: false }),
      __typename: facts.ownerType === 'org' ? 'Organization' : 'User',
    },
    description: facts.description,
    url: webAddress(facts),
    visibility: facts.visibility.toUpperCase(),
    isPrivate: facts.private,
    isArchived: facts.archived,
    isFork: facts.fork,
    isEmpty: one.empty,
    isDisabled: false,
    hasIssuesEnabled: one.issuesEnabled,
    stargazerCount: facts.stars,
    primaryLanguage: facts.language === null ? null : { id: `L_${facts.language}`, name: facts.language },
    pushedAt: momentOrNull(facts.pushedAt),
    updatedAt: moment(facts.updatedAt ?? 0),
    createdAt: '2020-03-01T08:00:00Z',
    defaultBranchRef: head,
    object: ({ expression }: { expression?: string }) => objectAt(one, expression ?? ''),
    issues: ({ states }: { states?: string[] }) => counted(states, one.issuesEnabled ? one.openIssues : 0),
    pullRequests: ({ states }: { states?: string[] }) => counted(states, one.openPullRequests),
  };
}

const headRef = { __typename: 'Ref', id: 'REF_head', prefix: 'refs/heads/' };

/** The world knows how many are open; of the others it has none. */
const counted = (states: string[] | undefined, open: number) => ({
  totalCount: !states || states.includes('OPEN') ? open : 0,
});

function objectAt(one: DoubleRepository, expression: string) {
  if (one.empty) return null;
  const [, path] = expression.split(':');
  if (path === undefined) return headCommit(one);
  if (path !== '.github/workflows' || one.workflowFiles.length === 0) return null;
  const entries = one.workflowFiles.map((name) => ({
    name,
    path: `${path}/${name}`,
    type: 'blob',
    mode: 33188,
    size: 400,
    extension: name.slice(name.lastIndexOf('.')),
  }));
  return { __typename: 'Tree', id: 'T_workflows', oid: 'f'.repeat(40), entries };
}

function headCommit(one: DoubleRepository) {
  const newest = [...one.commits].sort((a, b) => b.committedAt - a.committedAt)[0];
  return newest ? commit(one, newest) : null;
}

function commit(one: DoubleRepository, { sha, message, committedAt, authorName, author }: DoubleCommit) {
  const rollup = one.headStatus === null ? null : { id: `SR_${sha}`, state: one.headStatus.toUpperCase() };
  return {
    __typename: 'Commit',
    id: `C_${sha}`,
    oid: sha,
    message,
    messageHeadline: message.split('\n')[0] ?? '',
    committedDate: moment(committedAt),
    authoredDate: moment(committedAt),
    url: `${webAddress(one.facts)}/commit/${sha}`,
    statusCheckRollup: rollup,
    author: { name: authorName, email: null, date: moment(committedAt), user: author && person(author) },
    history: ({ since, until, ...asked }: Paging & { since?: string; until?: string }) =>
      connection(
        [...one.commits]
          .filter((each) => each.committedAt >= Date.parse(since ?? '1970-01-01T00:00:00Z'))
          .filter((each) => each.committedAt <= Date.parse(until ?? '2099-12-31T00:00:00Z'))
          .sort((a, b) => b.committedAt - a.committedAt)
          .map((each) => commit(one, each)),
        asked,
      ),
  };
}

interface Paging {
  first?: number;
  after?: string | null;
}

/** One page of a list; the cursor is the position of an item. */
function connection<T>(items: T[], { first, after }: Paging) {
  const start = after ? Number(Buffer.from(after, 'base64url').toString()) + 1 : 0;
  const shown = items.slice(start, start + (first ?? 0));
  const cursor = (index: number) => Buffer.from(String(start + index)).toString('base64url');
  return {
    totalCount: items.length,
    nodes: shown,
    edges: shown.map((node, index) => ({ node, cursor: cursor(index) })),
    pageInfo: {
      hasNextPage: start + shown.length < items.length,
      hasPreviousPage: start > 0,
      startCursor: shown.length ? cursor(0) : null,
      endCursor: shown.length ? cursor(shown.length - 1) : null,
    },
  };
}
