import type { GraphQLFieldResolver } from 'graphql';
import type { Service } from './double.ts';
import { checkSuite } from './graphql-check-suites.ts';
import { createCommitOnBranch } from './graphql-commit-on-branch.ts';
import { connection, type Paging } from './graphql-connection.ts';
import { contributor } from './graphql-contributions.ts';
import type { Price } from './graphql-price.ts';
import { vulnerabilities } from './graphql-refs.ts';
import { repository } from './graphql-repositories.ts';
import { search } from './graphql-search.ts';
import { GraphqlRequestError, person, type View } from './graphql-view.ts';
import { moment } from './wire.ts';
import {
  closedOrganization,
  type DoubleOrganization,
  type DoubleToken,
  findRepository,
  sameName,
  sees,
  webUrl,
} from './world.ts';

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
  const view: View = { world, token, now: service.clock.now(), repository: (one) => repository(view, one) };
  const account = world.accounts.find((one) => one.login === token.login);
  const belongs = world.organizations.filter((one) => account?.memberOf.includes(one.login));
  return {
    viewer: () => ({
      ...person({ login: token.login, avatarUrl: `https://avatars.codehost.example/${token.login}`, isBot: false }),
      databaseId: account?.id ?? null,
      name: account?.name ?? null,
      email: account?.email ?? '',
      organizations: (args: Paging) => connection(belongs, args, (one) => organization(view, one)),
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
        throw new GraphqlRequestError(
          'NOT_FOUND',
          `Could not resolve to a Repository with the name '${owner}/${name}'.`,
        );
      if (closedOrganization(world, token, found.repository.facts.owner)) throw singleSignOn();
      return repository(view, found.repository);
    },
    organization: ({ login }: { login: string }) => {
      const found = world.organizations.find((one) => sameName(one.login, login));
      if (!found)
        throw new GraphqlRequestError(
          'NOT_FOUND',
          `Could not resolve to an Organization with the login of '${login}'.`,
        );
      if (closedOrganization(world, token, found.login)) throw singleSignOn();
      return organization(view, found);
    },
    user: ({ login }: { login: string }) => contributor(view, login),
    nodes: ({ ids }: { ids: string[] }) => ids.map((id) => checkSuite(view, id)),
    securityVulnerabilities: (args: Parameters<typeof vulnerabilities>[1]) =>
      vulnerabilities(world.advisories ?? [], args),
    search: (args: Parameters<typeof search>[1]) => search(view, args),
    createCommitOnBranch: ({ input }: { input: Parameters<typeof createCommitOnBranch>[2] }) =>
      createCommitOnBranch(service, token, input),
  };
}

const singleSignOn = () =>
  new GraphqlRequestError(
    'FORBIDDEN',
    'Resource protected by organization SAML enforcement. You must grant your OAuth token access to this organization.',
  );

function organization(view: View, one: DoubleOrganization) {
  const { world, token } = view;
  const own = world.repositories.filter((each) => each.facts.owner === one.login && sees(world, token, each));
  return {
    __typename: 'Organization',
    id: `O_${one.id}`,
    databaseId: one.id,
    login: one.login,
    name: one.login,
    avatarUrl: one.avatarUrl,
    description: one.description,
    url: `${webUrl}/${one.login}`,
    repositories: (args: Paging) => connection(own, args, (each) => repository(view, each)),
  };
}
