import { z } from 'zod';
import type { Deployment, DeploymentState } from '../metrics/delivery-facts.ts';
import type { DeliveryReads } from './delivery-client.ts';
import { type DeliveryContext, minuteMs, repositoryIn, repositoryNameField } from './delivery-context.ts';
import { connectionOf, pageInfoField, priceField } from './graphql-pages.ts';
import { accountFields, graphqlAccount } from './graphql-people.ts';
import { repositoryParams } from './names.ts';
import { readBackTo } from './newest-first.ts';
import { readableItems } from './readable-items.ts';
import { instant, platformId, shownText } from './wire.ts';
import type { ActorOf } from './wire-runs.ts';

/** Reads of deployments with their status histories; pages of 100, at most five. */
export const createDeployments = (context: DeliveryContext): DeliveryReads['deployments'] => ({
  async since(name, since) {
    const inRepository = repositoryIn(context, name, { deployments: connectionOf(deploymentReader(context.actorOf)) });
    const listing = await readBackTo(context, name, since, {
      ...{ operation: 'deployments', query: deploymentsQuery, most: 500, freshMs: 10 * minuteMs },
      read: (data, errors) => inRepository(data, errors).deployments,
      identity: ({ id }) => id,
    });
    const items = listing.items.filter(({ createdAt }) => createdAt >= since);
    const newestAt = listing.items.reduce<number | null>(
      (at, { createdAt }) => Math.max(at ?? createdAt, createdAt),
      null,
    );
    return { ...listing, items, newestAt };
  },
  async productionEnvironments(name) {
    const { value } = await context.reader.read({
      operation: 'list deployments',
      route: 'GET /repos/{owner}/{repo}/deployments',
      params: { ...repositoryParams(name), per_page: 100 },
      repository: name,
      // Environments carry no such mark, only deployments do.
      read: (data) => {
        const marked = flaggedSchema.parse(data).items.filter(({ production_environment }) => production_environment);
        return [...new Set(marked.map(({ environment }) => environment))];
      },
      freshMs: () => 10 * minuteMs,
      staleIfError: true,
    });
    return value;
  },
});

const flaggedSchema = readableItems(
  z.object({ environment: z.string(), production_environment: z.boolean().nullish() }),
);

/** Everything a deployment's facts need; goes with the fragment for accounts. */
export const deploymentFragment = `
fragment DeploymentFields on Deployment {
  databaseId environment originalEnvironment createdAt commitOid
  ref { name }
  creator { ...Account }
  statuses(first: 30) { nodes { state createdAt environmentUrl logUrl } }
}`;

const deploymentsQuery = `
query Deployments($owner: String!, $name: String!, $first: Int!, $after: String) {
  ${priceField}
  repository(owner: $owner, name: $name) {
    ${repositoryNameField}
    deployments(first: $first, after: $after, orderBy: { field: CREATED_AT, direction: DESC }) {
      totalCount
      ${pageInfoField}
      nodes { ...DeploymentFields }
    }
  }
}
${deploymentFragment}
${accountFields}`;

const states = ['error', 'failure', 'in_progress', 'inactive', 'pending', 'queued', 'waiting', 'success'] as const;

const wireStatus = z.object({
  state: z.string(),
  createdAt: instant,
  environmentUrl: shownText,
  logUrl: shownText,
});

const wireDeployment = z.object({
  databaseId: platformId,
  environment: z.string().nullish(),
  originalEnvironment: z.string().nullish(),
  createdAt: instant,
  commitOid: z.string(),
  ref: z.object({ name: z.string() }).nullish(),
  creator: graphqlAccount,
  statuses: z.object({ nodes: z.array(wireStatus.nullable()).nullish() }).nullish(),
});

/** Schema that turns a deployment into a fact. */
export const deploymentReader = (actorOf: ActorOf) =>
  wireDeployment.transform((wire): Deployment => {
    const statuses = (wire.statuses?.nodes ?? [])
      .flatMap((status) => status ?? [])
      // The newest comes first; statuses of one instant keep their order.
      .reverse()
      .sort((one, other) => one.createdAt - other.createdAt);
    const address = (key: 'environmentUrl' | 'logUrl') => statuses.findLast((status) => status[key])?.[key] ?? null;
    return {
      id: wire.databaseId,
      environment: wire.environment ?? wire.originalEnvironment ?? '',
      createdAt: wire.createdAt,
      sha: wire.commitOid,
      ref: wire.ref?.name ?? null,
      creator: actorOf(wire.creator),
      statuses: statuses.flatMap(({ state, createdAt }) => {
        const known = stateOf(state);
        return known ? [{ state: known, at: createdAt }] : [];
      }),
      url: address('environmentUrl') ?? address('logUrl'),
    };
  });

const stateOf = (text: string): DeploymentState | undefined => states.find((state) => state === text.toLowerCase());
